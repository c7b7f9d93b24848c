import { bodySchema } from '../markup/body-schema.js'

const inlineElements = new Set(
  bodySchema.elements.filter(({ category }) => category === 'inline').map(({ name }) => name),
)

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const tagsAndReferences =
  /<!--[^]*?-->|<\/?([a-z][a-z0-9]*)(?:"[^"]*"|'[^']*'|[^"'>])*>|&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi

const characterAt = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : ' ')

/** The text of valid markup. Tags of inline elements are inside words, and other tags between them. */
export const plainText = (markup: string): string =>
  markup.replace(tagsAndReferences, (match, ...groups) => {
    // Named groups take twice as long.
    const [element, decimal, hexadecimal, name]: readonly (string | undefined)[] = groups
    if (element !== undefined)
      return inlineElements.has(element.toLowerCase()) && element.toLowerCase() !== 'br' ? '' : ' '
    if (decimal !== undefined) return characterAt(Number(decimal))
    if (hexadecimal !== undefined) return characterAt(Number.parseInt(hexadecimal, 16))
    return name === undefined ? '' : (characters[name] ?? match)
  })
