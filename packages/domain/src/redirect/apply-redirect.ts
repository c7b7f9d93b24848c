/** Which redirects apply to a path, and where they lead (docs/behaviour/paths.md#resolution). */
import { comparedText, writtenBetween } from '../path/compared-text.js'
import { keyOf, parseSitePath, type SitePath } from '../path/site-path.js'

const wildcard = '**'

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

type Rule = { readonly pattern: string; readonly template: string }

/** The address that a redirect leads to from a path; null if it does not apply. */
export const applyRedirect = ({ pattern, template }: Rule, sitePath: SitePath): string | null => {
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
export const isEndless = ({ pattern, template }: Rule): boolean => {
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
