/** Paths of the website: how those of objects are computed, and how those of requests are compared with them. */
import type { JsonObject } from '../json.js'
import { derived, stored, type DerivedAttribute } from '../resource/attribute.js'
import { attributeIn } from '../resource/attribute-tables.js'
import type { Lookup } from '../resource/read-plan.js'
import type { ViewContext } from '../resource/view-context.js'
import { reference } from '../value/reference.js'
import { urlname } from '../value/text.js'

/** Maximum depth of sections. It also limits every walk along parents. */
export const maxSectionDepth = 20

/** How the public path of an object is computed: its prefix, and the attribute that refers to its section. */
export type PathRule<K extends string = string> = {
  readonly prefix: string
  readonly section?: K
  /** The key whose order an index of what the public sees has, for the sitemap; that of creation by default. */
  readonly listedBy?: K
}

/** The attributes from which paths are computed. */
export const placeAttributes = {
  urlname: stored(urlname, 'Name in public paths.', { required: true }),
  parent_uuid: stored(reference('sections'), 'Parent of a section; null at the top.'),
} as const

/** The name of an object in its public path. */
export const urlnameOf = (state: JsonObject): string => String(attributeIn(placeAttributes, 'urlname', state))

/** The sections above an object, the nearest first. */
const sectionsAbove = (
  rule: PathRule,
  state: JsonObject,
  find: ViewContext['find'],
): readonly JsonObject[] => {
  const sections: JsonObject[] = []
  let id = rule.section === undefined ? null : state[rule.section]
  while (typeof id === 'string' && sections.length < maxSectionDepth) {
    const section = find('sections', id)
    if (section === undefined) break
    sections.push(section)
    id = attributeIn(placeAttributes, 'parent_uuid', section)
  }
  return sections
}

/** The look-ups that the path of an object needs. */
export const pathLookups = (rule: PathRule, state: JsonObject): readonly Lookup[] => {
  const id = rule.section === undefined ? null : state[rule.section]
  return typeof id === 'string'
    ? [{ reference: { path: '', collection: 'sections', id }, chain: 'parent_uuid' }]
    : []
}

/** `/<section urlnames…>/<urlname>/` on the public website (docs/behaviour/paths.md#public-path). */
export const publicPath = (rule: PathRule, state: JsonObject, find: ViewContext['find']): string => {
  const names = [state, ...sectionsAbove(rule, state, find)].map(urlnameOf)
  return `${rule.prefix}${names.toReversed().join('/')}/`
}

/**
 * The paths that an object had below the old paths of its sections. They are derived from the stored old paths of the
 * sections, and are not stored.
 */
export const pathsBelowOldSections = (
  rule: PathRule,
  state: JsonObject,
  find: ViewContext['find'],
  oldPathsOf: (section: JsonObject) => readonly string[],
): readonly string[] => {
  let below = `${urlnameOf(state)}/`
  return sectionsAbove(rule, state, find).flatMap((section) => {
    const paths = oldPathsOf(section).map((old) => `${old.endsWith('/') ? old : `${old}/`}${below}`)
    below = `${urlnameOf(section)}/${below}`
    return paths
  })
}

/** The attributes that the paths of an object are computed from, as a derived attribute needs them. */
export const pathSources = ({ section }: PathRule) => ({
  needs: section === undefined ? [] : [section],
  chain: 'parent_uuid',
})

/** The public path as an attribute. */
export const pathAttribute = (rule: PathRule): DerivedAttribute<JsonObject> =>
  derived(
    { type: 'string' },
    'Public path on the website.',
    (state: JsonObject, view) => publicPath(rule, state, view.find),
    pathSources(rule),
  )

/** What a website does with a path: it shows an object, or it redirects. */
export type Resolution =
  | { readonly type: string; readonly uuid: string; readonly url: string; readonly path: string }
  | { readonly type: 'redirect'; readonly location: string; readonly status: 301 | 302 }

// Paths are compared in one form of their text, without regard to repeated or missing slashes.

// Texts of addresses as they are compared: percent-decoded, in NFC and case-folded, so that the forms in which editors,
// browsers and servers write a path are equal (docs/behaviour/paths.md#comparison).

/** A piece of a text that is compared as a whole: a character with the marks that follow it. */
type ComparedPiece = { readonly written: string; readonly compared: string }

const isOneCharacter = (text: string): boolean =>
  text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)

const dotlessI = 'ı'

/** Simple case folding of Unicode: upper case first, because several letters can have one capital letter. */
const foldLetter = (letter: string): string => {
  if (letter === dotlessI) return letter
  const upper = letter.toUpperCase()
  const folded = (isOneCharacter(upper) ? upper : letter).toLowerCase()
  return isOneCharacter(folded) ? folded : letter
}

// Without percent-encoding and without letters beyond ASCII, nothing but the case changes.
const plain = /^[\u0000-\u0024\u0026-\u007f]*$/ // oxlint-disable-line no-control-regex

/** Without regard to letter case: Unicode's default folding that keeps the number of characters, so ß stays ß. */
export const foldCase = (text: string): string =>
  plain.test(text) ? text.toLowerCase() : Array.from(text, foldLetter).join('')

// Delimiters stay encoded, since decoded they would divide the address differently. So do control characters.
const stayEncoded = /^[\u0000-\u001f\u007f/?#&=+]$/ // oxlint-disable-line no-control-regex

const bytesOf = (lead: number): number => {
  if (lead < 0x80) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

const decoded = (encoded: string): string | null => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

type Character = { readonly written: string; readonly text: string }

/** The characters of `%C3%A4…`; a byte that is not part of UTF-8 remains as it is written. */
const charactersOfRun = (run: string): readonly Character[] => {
  const characters: Character[] = []
  for (let start = 0; start < run.length;) {
    const length = 3 * bytesOf(Number.parseInt(run.slice(start + 1, start + 3), 16))
    const whole = run.slice(start, start + length)
    const text = decoded(whole)
    const written = text === null ? run.slice(start, start + 3) : whole
    characters.push({ written, text: text === null || stayEncoded.test(text) ? written : text })
    start += written.length
  }
  return characters
}

const runsAndCharacters = /(?:%[0-9a-f]{2})+|[^]/giu

const charactersOf = (text: string): readonly Character[] =>
  (text.match(runsAndCharacters) ?? []).flatMap((part) =>
    part.length > 1 && part.startsWith('%') ? charactersOfRun(part) : { written: part, text: part },
  )

// Marks, and the parts of Korean syllables, can be composed with the character before them.
const continues = /^[\p{M}\u1160-\u11ff]/u

/** The pieces of a text, in its order. */
const comparedPieces = (text: string): readonly ComparedPiece[] => {
  const clusters: { written: string; text: string }[] = []
  for (const each of charactersOf(text)) {
    const last = clusters.at(-1)
    if (last === undefined || !continues.test(each.text)) clusters.push({ ...each })
    else {
      last.written += each.written
      last.text += each.text
    }
  }
  return clusters.map((each) => ({
    written: each.written,
    compared: foldCase(each.text.normalize('NFC')).normalize('NFC'),
  }))
}

/** The one form in which two texts of addresses are equal. */
export const comparedText = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : comparedPieces(text)
        .map(({ compared }) => compared)
        .join('')

/**
 * The part of a text, as it is written, between two positions of its compared form; null if one of them is within a
 * piece.
 */
export const writtenBetween = (text: string, start: number, end: number): string | null => {
  if (plain.test(text)) return text.slice(start, end)
  let [position, written] = [0, '']
  for (const piece of comparedPieces(text)) {
    const next = position + piece.compared.length
    if ((position < start && next > start) || (position < end && next > end)) return null
    if (position >= start && next <= end) written += piece.written
    position = next
  }
  return written
}

/** Maximum length of a path with its query. */
export const maxSitePath = 8000

/** A path that a visitor of the website requested. */
export type SitePath = {
  /** Without the query. */
  readonly path: string
  /** From the `?` or `#` on; empty if there is none. */
  readonly query: string
  /** The names between the slashes. */
  readonly names: readonly string[]
}

const namesOf = (path: string): readonly string[] => path.split('/').filter((name) => name !== '')

const foldedPathOf = (names: readonly string[]): string =>
  names.length === 0 ? '/' : `/${comparedText(names.join('/'))}/`

/** Null for a text that is not a path. */
export const parseSitePath = (text: string): SitePath | null => {
  if (!text.startsWith('/') || text.length > maxSitePath) return null
  const [path = ''] = text.split(/[?#]/, 1)
  return { path, query: text.slice(path.length), names: namesOf(path) }
}

/** The canonical form in which two paths are compared. */
export const foldedPath = (path: string): string => foldedPathOf(namesOf(path))

/** Stores limit the length of keys; longer paths that begin alike have the same key. */
const maxKeyLength = 250

/** The key under which an earlier path is found. The whole path is compared afterwards. */
export const pathKey = (path: string): string => keyOf(foldedPath(path))

/** The start of a text as a key. */
export const keyOf = (text: string): string => text.slice(0, maxKeyLength).toWellFormed()

// Where objects are among the public paths: no two objects have the same place (docs/behaviour/paths.md#one-path-one-object).

/** A name, as names are compared, below a section, at the top (null), or below the prefix of a kind. */
export type PathPlace = {
  readonly name: string
  readonly below: { readonly section: string | null } | { readonly prefix: string }
}

/** A kind of objects with a public path. */
type Ruled = { readonly rule: PathRule }

export const placeIn = (parent: string | null, name: string): PathPlace => ({
  name,
  below: { section: parent },
})

export const placeBelow = ({ rule }: Ruled, name: string): PathPlace => ({
  name,
  below: { prefix: rule.prefix },
})

/** The place of an object; null if its kind has no public path. */
export const placeOf = ({ path }: { readonly path?: PathRule }, state: JsonObject): PathPlace | null => {
  if (path === undefined) return null
  const name = comparedText(urlnameOf(state))
  if (path.section === undefined) return { name, below: { prefix: path.prefix } }
  const above = state[path.section]
  return { name, below: { section: typeof above === 'string' ? above : null } }
}

/** A text that all places below the same section or prefix have in common. */
export const parentKey = ({ below }: PathPlace): string =>
  'prefix' in below ? below.prefix : `${below.section ?? ''}/`

/** A text that is different for each place: `/news`, `<uuid of a section>/news`, `/tags/news`. */
export const placeKey = (place: PathPlace): string => `${parentKey(place)}${place.name}`

/** The name that a section at the top has if its path is the prefix of a kind. */
export const nameOfPrefix = ({ rule }: Ruled): string => rule.prefix.replaceAll('/', '')

/** The place at the top of a section whose path is the prefix of a kind. */
export const placeOfPrefix = (kind: Ruled): PathPlace => placeIn(null, nameOfPrefix(kind))
