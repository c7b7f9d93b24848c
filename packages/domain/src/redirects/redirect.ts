import { fault } from '../fault.js'
import { utf8Length } from '../json.js'
import { withAddress } from '../value/address.js'
import { matching, textOf } from '../value/text.js'
import type { Format } from '../value/schema.js'
import { refined, type ValueType } from '../value/value-type.js'
import { comparedText, writtenBetween, keyOf, parseSitePath, type SitePath } from '../paths/public-path.js'
import { computed, stored, type WholeOf } from '../resource/attribute.js'
import { defineResource, type ResourceWith } from '../resource/resource.js'
import { stamps, stampFilters } from '../resource/standard-attributes.js'
import { ordinal, boolean } from '../value/scalar.js'

/** Maximum length in bytes: stores limit the length of keys. */
const maxLength = 1000

const withinBytes = (type: ValueType<string>): ValueType<string> =>
  refined(type, (value) =>
    utf8Length(value) <= maxLength
      ? null
      : fault('', 'length', `must have at most ${maxLength} bytes in UTF-8`),
  )

/** A text of at most `maxLength` bytes that matches a pattern; `what` completes the message «must be …». */
const textLike = (format: Format, pattern: string, what: string): ValueType<string> =>
  withinBytes(textOf({ format, pattern, minLength: 1, maxLength }, what, matching(new RegExp(pattern))))

// Single asterisks match themselves. The parts are unambiguous, which prevents exponential backtracking.
const patternPattern = '^/([^\\s*/\\\\][^\\s*]*)?(\\*[^\\s*]+)*(\\*|\\*\\*([^\\s*]+\\*)*[^\\s*]*)?$'

/** A path that contains `**` at most once. */
export const redirectPattern = textLike(
  'redirect-pattern',
  patternPattern,
  'a path that starts with /, contains ** at most once and no white space, and is not //…',
)

const part = '([^\\s<>"\\\\]|\\\\1)'
const firstPart = '([^\\s<>"\\\\/]|\\\\1)'
const templatePattern = `^([Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#<>"\\\\]+([/?#]${part}*)?|/(${firstPart}${part}*)?)$`

/** An absolute web address or a path, with `\1` anywhere after the host. */
export const redirectTemplate = withAddress(
  textLike(
    'redirect-template',
    templatePattern,
    'a web address such as https://www.example.org/page, or a path that starts with one /; \\1 may occur after the host',
  ),
  (template) => (template.startsWith('/') ? null : template.replaceAll('\\1', '')),
)

// Which redirects apply to a path, and where they lead (docs/behaviour/paths.md#resolution).

/** The wildcard of a pattern: it matches any text. */
export const wildcard = '**'

/** Without slashes at the end, so that a pattern applies to a path with and without one. */
const trimmed = (text: string): string => text.replace(/(?<!\/)\/+$/, '')

const startKey = (start: string): string => keyOf(`${start}${wildcard}`)

/** The key of a pattern: the whole text, or the text before `**`. */
export const redirectKey = (pattern: string): string => {
  const index = pattern.indexOf(wildcard)
  return index === -1
    ? keyOf(trimmed(comparedText(pattern)))
    : startKey(comparedText(pattern.slice(0, index)))
}

/** A path is matched with its query, for patterns such as `/article.php?id=7`, and without. */
const textsOf = ({ path, query }: SitePath): readonly string[] =>
  query === '' ? [path] : [`${path}${query}`, path]

/** The keys of all patterns that may match a path. */
export const redirectKeys = (sitePath: SitePath): readonly string[] => {
  const texts = textsOf(sitePath).map(comparedText)
  const [longest = ''] = texts.map(keyOf)
  const starts = Array.from({ length: longest.length + 1 }, (_, length) => longest.slice(0, length))
  return [...new Set([...texts.map((text) => keyOf(trimmed(text))), ...starts.map(startKey)])]
}

/** The text that `**` matches, as it is written, or the empty text for a pattern without it; null if the pattern does not match. */
const matchPattern = (pattern: string, text: string): string | null => {
  const [start = '', end] = pattern.split(wildcard).map(comparedText)
  const compared = comparedText(text)
  if (end === undefined) return trimmed(start) === trimmed(compared) ? '' : null
  const matchEnd = (candidate: string): string | null =>
    candidate.length >= start.length + end.length && candidate.startsWith(start) && candidate.endsWith(end)
      ? writtenBetween(text, start.length, candidate.length - end.length)
      : null
  return matchEnd(compared) ?? (end === '' ? null : matchEnd(trimmed(compared)))
}

/** Percent-encodes what is not allowed in a Location header, so that a path cannot add headers or a host. */
const encoded = (text: string): string => text.replace(/[\s\p{Cc}"<>\\^`{|}]/gu, encodeURIComponent)

/** What a redirect does with paths. */
export type RedirectRule = { readonly pattern: string; readonly template: string }

/** The address that a redirect leads to from a path; null if it does not apply. */
export const applyRedirect = ({ pattern, template }: RedirectRule, sitePath: SitePath): string | null => {
  for (const text of textsOf(sitePath)) {
    const matched = matchPattern(pattern, text)
    if (matched === null) continue
    const address = encoded(template.replaceAll('\\1', () => matched))
    // Two slashes at the start would be the address of another host.
    return address.startsWith('/') ? address.replace(/^\/+/, '/') : address
  }
  return null
}

// A character for private use, which no pattern or template contains by chance.
const anyText = '\u{10fffd}'

/**
 * Whether a redirect leads to a path that it applies to again, without end: to the same path, or to one with more and
 * more copies of what `**` matched. A path that only becomes longer may be that of an object
 * (docs/behaviour/paths.md#redirects).
 */
export const isEndless = ({ pattern, template }: RedirectRule): boolean => {
  const from = parseSitePath(pattern.replace(wildcard, anyText))
  const address = from === null ? null : applyRedirect({ pattern, template }, from)
  const to = address === null ? null : parseSitePath(address)
  if (from === null || to === null) return false
  const [before, after] = [from, to].map((path) =>
    textsOf(path)
      .map((text) => matchPattern(pattern, text))
      .find((matched) => matched !== null),
  )
  return after !== undefined && (after === before || after.split(anyText).length > 2)
}

const attributes = {
  pattern: stored(
    redirectPattern,
    'Path of the website that is redirected; `**` matches any text and may occur once. Unique.',
    { required: true },
  ),
  template: stored(
    redirectTemplate,
    'Target: a web address or a path of the website. `\\1` is replaced by the text that `**` matched, or by nothing if the pattern has no `**`.',
    { required: true },
  ),
  ord: stored(ordinal, 'Position in the order in which redirects are applied.', { required: true }),
  permanent: stored(boolean, 'Whether it is permanent (301) or temporary (302).', { initial: true }),
  ...stamps,
  pattern_key: computed(
    'text',
    'The key by which it is found.',
    ['pattern'],
    ({ pattern }: { readonly pattern: string | null }) => redirectKey(pattern ?? ''),
    { revision: 2 },
  ),
} as const

export type Redirect = WholeOf<typeof attributes>

/** Redirects of the website (docs/behaviour/paths.md#redirects). */
export const redirect: ResourceWith<typeof attributes, 'redirects'> = defineResource({
  name: 'redirect',
  collection: 'redirects',
  description: 'Redirects lead from paths of the website to other addresses.',
  examples: {
    id: '7b0c4d1e-52a8-4c39-9f6e-0d3a81c5e2f7',
    bodies: [{ pattern: '/trams/**', template: '/transport/trams/\\1', ord: 20 }],
    change: { permanent: false },
  },
  attributes,
  orders: {
    ord: 'ord',
    pattern: 'pattern',
    template: 'template',
    created: 'created',
    modified: 'modified',
  },
  filters: {
    ...stampFilters,
  },
  indexes: [['pattern_key', 'ord']],
  unique: () => ({
    attribute: 'pattern',
    scope: 'redirect',
    message: 'pattern must be unique for redirects',
  }),
  nameOf: ({ pattern }) => pattern,
  check: ({ pattern, template }, { previous }) =>
    pattern !== null &&
    template !== null &&
    (pattern !== previous?.pattern || template !== previous.template) &&
    isEndless({ pattern, template })
      ? [fault('template', 'rule', 'must not lead to a path to which the redirect applies again without end')]
      : [],
})
