/**
 * Finds sequences that markup must not contain anywhere, before parsing: characters that XML forbids, everything that
 * starts with `<!` or `<?` except well-formed comments, and references other than the five of XML and numeric ones.
 */
import { entityNames } from './body-schema.js'
import { excerpt, visible } from './markup-fault.js'

export type ForbiddenSequence = {
  /** Where the fault is. */
  readonly offset: number
  /** What it makes unreadable: the character, the reference, the comment or the declaration. */
  readonly from: number
  readonly to: number
  readonly kind: 'character' | 'comment' | 'declaration' | 'reference'
  readonly found: string
}

// With the u flag, a surrogate matches only if its other half is missing. The parser would read such a half together
// with the next character, even `<`.
const character = String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]`
const forbiddenCharacter = new RegExp(character, 'u')
const candidates = new RegExp(
  [
    `(?<character>${character})`,
    String.raw`(?<declaration><[!?])`,
    String.raw`&(?<reference>(?:${entityNames.join('|')});|#(?<decimal>[0-9]+);|#x(?<hexadecimal>[0-9A-Fa-f]+);)?`,
  ].join('|'),
  'gu',
)

/** The Char production of XML 1.0. */
const isXmlCharacter = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

const isLegalReference = (groups: Readonly<Record<string, string | undefined>>): boolean => {
  const { reference, decimal, hexadecimal } = groups
  if (decimal !== undefined) return isXmlCharacter(Number.parseInt(decimal, 10))
  if (hexadecimal !== undefined) return isXmlCharacter(Number.parseInt(hexadecimal, 16))
  return reference !== undefined
}

const declarations: readonly (readonly [RegExp, string])[] = [
  [/^<!\[CDATA\[/, 'a CDATA section (<![CDATA[)'],
  [/^<!DOCTYPE/i, 'a document type declaration (<!DOCTYPE)'],
  [/^<\?xml(?![\w:.-])/i, 'an XML declaration (<?xml)'],
  [/^<\?/, 'a processing instruction (<?)'],
]

const declarationAt = (text: string, offset: number): string => {
  const start = text.slice(offset, offset + 16)
  return declarations.find(([pattern]) => pattern.test(start))?.[1] ?? 'a declaration (<!)'
}

export const commentStart = '<!--'

/** The index after the comment that starts at `offset`; the text is valid up to there. */
export const commentEnd = (text: string, offset: number): number =>
  text.indexOf('-->', offset + commentStart.length) + '-->'.length

/** The index after the next `end`, or that of the end of the text. */
const endAfter = (text: string, end: string, from: number): number => {
  const index = text.indexOf(end, from)
  return index === -1 ? text.length : index + end.length
}

/**
 * The fault of the comment that starts at `from`, or null. Also rejected: `<!-->` and `<!--->`, which end a comment in
 * HTML but not in XML, and conditional comments of Internet Explorer, whose content is markup.
 */
const commentFault = (text: string, from: number): ForbiddenSequence | null => {
  const start = from + commentStart.length
  const hyphens = text.indexOf('--', start)
  const content = text.slice(start, hyphens === -1 ? text.length : hyphens)
  const to = endAfter(text, '-->', start)
  const forbidden = forbiddenCharacter.exec(content)
  if (forbidden !== null) {
    const found = `the character ${visible(forbidden[0])}`
    return { offset: start + forbidden.index, from, to, kind: 'character', found }
  }
  const [early] = /^-?>/.exec(content) ?? []
  if (early !== undefined) {
    const found = `a comment that starts with ${excerpt(`<!--${content}`)}`
    return { offset: from, from, to: start + early.length, kind: 'comment', found }
  }
  if (/^\s*\[\s*if/i.test(content))
    return { offset: from, from, to, kind: 'comment', found: 'a conditional comment (<!--[if)' }
  if (hyphens === -1 || hyphens + 2 === text.length)
    return { offset: from, from, to, kind: 'comment', found: 'a comment without its end' }
  return text[hyphens + 2] === '>'
    ? null
    : { offset: hyphens, from, to, kind: 'comment', found: '-- inside a comment' }
}

const terminatedReference = /^&[#\p{L}\p{N}_:.-]+;/u

/** The reference, such as `&nbsp;`, if it is terminated, else a description of the ampersand. */
const referenceFault = (text: string, from: number): ForbiddenSequence => {
  const [whole] = terminatedReference.exec(text.slice(from, from + 64)) ?? []
  const found = whole === undefined ? 'an & that starts no reference' : excerpt(whole)
  return { offset: from, from, to: from + (whole ?? '&').length, kind: 'reference', found }
}

/** The first forbidden sequence that starts at `start` or later, or null, in time linear in the length of the text. */
export const findForbiddenSequence = (text: string, start = 0): ForbiddenSequence | null => {
  const scan = new RegExp(candidates)
  scan.lastIndex = start
  for (let match = scan.exec(text); match !== null; match = scan.exec(text)) {
    const { index: from, groups = {} } = match
    const { character: illegal, declaration } = groups
    if (illegal !== undefined) {
      const found = `the character ${visible(illegal)}`
      return { offset: from, from, to: from + illegal.length, kind: 'character', found }
    }
    if (declaration !== undefined) {
      if (!text.startsWith(commentStart, from)) {
        const to = endAfter(text, text.startsWith('<![CDATA[', from) ? ']]>' : '>', from)
        return { offset: from, from, to, kind: 'declaration', found: declarationAt(text, from) }
      }
      const fault = commentFault(text, from)
      if (fault !== null) return fault
      scan.lastIndex = commentEnd(text, from)
    } else if (!isLegalReference(groups)) return referenceFault(text, from)
  }
  return null
}
