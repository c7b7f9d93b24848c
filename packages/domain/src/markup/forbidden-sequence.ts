/**
 * Finds sequences that markup must not contain anywhere, before parsing: characters that XML forbids, everything that
 * starts with `<!` or `<?` except well-formed comments, and references other than the five of XML and numeric ones.
 */
import { entityNames } from './body-schema.js'
import { excerpt, visible } from './markup-fault.js'

export type ForbiddenSequence = {
  readonly offset: number
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

/**
 * The fault of the comment that starts at `offset`, or null. Also rejected: `<!-->` and `<!--->`, which end a comment in
 * HTML but not in XML, and conditional comments of Internet Explorer, whose content is markup.
 */
const commentFault = (text: string, offset: number): ForbiddenSequence | null => {
  const from = offset + commentStart.length
  const to = text.indexOf('--', from)
  const content = text.slice(from, to === -1 ? text.length : to)
  const forbidden = forbiddenCharacter.exec(content)
  if (forbidden !== null) {
    const found = `the character ${visible(forbidden[0])}`
    return { offset: from + forbidden.index, kind: 'character', found }
  }
  if (/^-?>/.test(content))
    return { offset, kind: 'comment', found: `a comment that starts with ${excerpt(`<!--${content}`)}` }
  if (/^\s*\[\s*if/i.test(content))
    return { offset, kind: 'comment', found: 'a conditional comment (<!--[if)' }
  if (to === -1 || to + 2 === text.length)
    return { offset, kind: 'comment', found: 'a comment without its end' }
  return text[to + 2] === '>' ? null : { offset: to, kind: 'comment', found: '-- inside a comment' }
}

/** The reference, such as `&nbsp;`, if it is terminated, else a description of the ampersand. */
const referenceAt = (text: string, offset: number): string => {
  const [whole] = /^&[#\p{L}\p{N}_:.-]+;/u.exec(text.slice(offset, offset + 64)) ?? []
  return whole === undefined ? 'an & that starts no reference' : excerpt(whole)
}

/** The first forbidden sequence, or null, in time linear in the length of the text. */
export const findForbiddenSequence = (text: string): ForbiddenSequence | null => {
  const scan = new RegExp(candidates)
  for (let match = scan.exec(text); match !== null; match = scan.exec(text)) {
    const { index: offset, groups = {} } = match
    const { character: illegal, declaration } = groups
    if (illegal !== undefined)
      return { offset, kind: 'character', found: `the character ${visible(illegal)}` }
    if (declaration !== undefined) {
      if (!text.startsWith(commentStart, offset))
        return { offset, kind: 'declaration', found: declarationAt(text, offset) }
      const fault = commentFault(text, offset)
      if (fault !== null) return fault
      scan.lastIndex = commentEnd(text, offset)
    } else if (!isLegalReference(groups))
      return { offset, kind: 'reference', found: referenceAt(text, offset) }
  }
  return null
}
