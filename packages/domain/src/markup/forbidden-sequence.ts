/**
 * What no body holds wherever it stands, found by looking at characters alone: characters that XML forbids,
 * everything that starts with `<!` or `<?`, and references other than XML's five and numbers.
 */
import { entityNames } from './body-schema.js'
import { excerpt, visible } from './markup-fault.js'

export type ForbiddenSequence = {
  readonly offset: number
  readonly kind: 'character' | 'declaration' | 'reference'
  readonly found: string
}

// With the u flag a surrogate matches only where its other half is missing. The parser alone would take such a
// half together with the character after it, `<` included.
const candidates = new RegExp(
  [
    String.raw`(?<character>[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff])`,
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
  [/^<!--/, 'a comment (<!--)'],
  [/^<!\[CDATA\[/, 'a CDATA section (<![CDATA[)'],
  [/^<!DOCTYPE/i, 'a document type declaration (<!DOCTYPE)'],
  [/^<\?xml(?![\w:.-])/i, 'an XML declaration (<?xml)'],
  [/^<\?/, 'a processing instruction (<?)'],
]

const declarationAt = (text: string, offset: number): string => {
  const start = text.slice(offset, offset + 16)
  return declarations.find(([pattern]) => pattern.test(start))?.[1] ?? 'a declaration (<!)'
}

/** `&nbsp;` where the reference has an end, else the ampersand alone. */
const referenceAt = (text: string, offset: number): string => {
  const [whole] = /^&[#\p{L}\p{N}_:.-]+;/u.exec(text.slice(offset, offset + 64)) ?? []
  return whole === undefined ? 'an & that starts no reference' : excerpt(whole)
}

/** The first sequence that no body holds, or null. Takes time linear in the text. */
export const findForbiddenSequence = (text: string): ForbiddenSequence | null => {
  for (const { index: offset, groups = {} } of text.matchAll(candidates)) {
    const { character, declaration } = groups
    if (character !== undefined) {
      return { offset, kind: 'character', found: `the character ${visible(character)}` }
    }
    if (declaration !== undefined) return { offset, kind: 'declaration', found: declarationAt(text, offset) }
    if (!isLegalReference(groups)) return { offset, kind: 'reference', found: referenceAt(text, offset) }
  }
  return null
}
