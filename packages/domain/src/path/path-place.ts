/** Where objects are among the public paths: no two objects have the same place (docs/behaviour/paths.md#one-path-one-object). */
import type { JsonObject } from '../json.js'
import type { Resource, DeclaredResource } from '../resource/resource.js'
import { resources } from '../resource/resources.js'
import { attributeIn } from '../resource/table-entries.js'
import { comparedText } from './site-path.js'
import { placeAttributes, urlnameOf, type PathRule } from './public-path.js'
import { slugOf } from '../value/fold.js'

export type PathKind = { readonly resource: Resource; readonly rule: PathRule }

/** The kinds of objects with a public path. */
export const pathKinds: readonly PathKind[] = resources.flatMap((resource) =>
  resource.path === undefined ? [] : [{ resource, rule: resource.path }],
)

/** The kinds of objects that are named below sections. */
export const kindsInSections = pathKinds.filter(({ rule }) => rule.section !== undefined)

/** The kinds of objects that are named below a prefix of their own. */
export const kindsBelowPrefixes = pathKinds.filter(({ rule }) => rule.section === undefined)

/** A name, as names are compared, below a section, at the top (null), or below the prefix of a kind. */
export type PathPlace = {
  readonly name: string
  readonly below: { readonly section: string | null } | { readonly prefix: string }
}

export const placeIn = (parent: string | null, name: string): PathPlace => ({
  name,
  below: { section: parent },
})

export const placeBelow = ({ rule }: PathKind, name: string): PathPlace => ({
  name,
  below: { prefix: rule.prefix },
})

/** The place of an object; null if its kind has no public path. */
export const placeOf = ({ path }: Pick<Resource, 'path'>, state: JsonObject): PathPlace | null => {
  if (path === undefined) return null
  const name = comparedText(urlnameOf(state))
  if (path.section === undefined) return { name, below: { prefix: path.prefix } }
  const above = state[path.section]
  return placeIn(typeof above === 'string' ? above : null, name)
}

/** A text that all places below the same section or prefix have in common. */
export const parentKey = ({ below }: PathPlace): string =>
  'prefix' in below ? below.prefix : `${below.section ?? ''}/`

/** A text that is different for each place: `/news`, `<uuid of a section>/news`, `/tags/news`. */
export const placeKey = (place: PathPlace): string => `${parentKey(place)}${place.name}`

/** The name that a section at the top has if its path is the prefix of a kind. */
export const nameOfPrefix = ({ rule }: PathKind): string => rule.prefix.replaceAll('/', '')

/** The place at the top of a section whose path is the prefix of a kind. */
export const placeOfPrefix = (kind: PathKind): PathPlace => placeIn(null, nameOfPrefix(kind))

/** The kind whose prefix is the path of this section. */
export const kindBelowSection = (state: JsonObject): PathKind | undefined =>
  attributeIn(placeAttributes, 'parent_uuid', state) === null
    ? kindsBelowPrefixes.find((kind) => nameOfPrefix(kind) === comparedText(urlnameOf(state)))
    : undefined

/** Number of names that are tried together. */
const batchSize = 50

/**
 * A batch of the urlnames to try for a draft, which are endless: the slug of its title, then the same with -1, -2 … The
 * name of the resource replaces a title without a letter or digit.
 */
export const urlnamesFor = (
  { attributes, name }: DeclaredResource,
  state: JsonObject,
  batch: number,
): readonly string[] => {
  const { urlname } = attributes
  const made = urlname?.kind === 'stored' ? (urlname.madeFrom?.(state) ?? '') : ''
  const slug = slugOf(made) || slugOf(name)
  return Array.from({ length: batchSize }, (_, index) => {
    const number = batch * batchSize + index
    return number === 0 ? slug : `${slug}-${number}`
  })
}
