/**
 * Reads markup of bodies (docs/behaviour/body.md), in one pass and without regular expressions. It accepts every text: what
 * is not well-formed is text or is left out.
 */

export type Tag = {
  readonly name: string
  readonly isEnd: boolean
  /** Whether it is written as `<br/>`. */
  readonly isSelfClosing: boolean
  readonly attributes: ReadonlyMap<string, string>
}

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** The longest reference, such as `&#x10ffff;`. */
const longestReference = 10

const numbered = (reference: string): string | undefined => {
  const code = Number(reference.startsWith('x') ? `0${reference}` : reference)
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** A text with its references replaced; those that are not known are text. */
const decoded = (text: string): string => {
  let result = ''
  let from = 0
  for (let start = text.indexOf('&'); start !== -1; start = text.indexOf('&', start + 1)) {
    const length = text.slice(start, start + longestReference).indexOf(';')
    const reference = text.slice(start + 1, start + Math.max(length, 1))
    const character = reference.startsWith('#') ? numbered(reference.slice(1)) : named.get(reference)
    if (character === undefined) continue
    result += text.slice(from, start) + character
    from = start + length + 1
  }
  return result + text.slice(from)
}

const isSpace = (character: string): boolean => character !== '' && ' \t\r\n\f'.includes(character)
const isLetter = (character: string): boolean =>
  (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')

/** The texts and tags of markup. Comments and declarations are left out, and so is a tag that does not end. */
export function* markupTokens(markup: string): Generator<string | Tag, void, undefined> {
  let at = 0

  /** Reads up to one of these characters, or to white space. */
  const readName = (ends: string): string => {
    const start = at
    while (at < markup.length && !isSpace(markup.charAt(at)) && !ends.includes(markup.charAt(at))) at += 1
    return markup.slice(start, at)
  }
  /** Skips white space and these characters. */
  const skip = (characters = ''): void => {
    while (isSpace(markup.charAt(at)) || (at < markup.length && characters.includes(markup.charAt(at))))
      at += 1
  }
  /** Moves behind the next occurrence, or to the end. */
  const pass = (text: string): void => {
    const found = markup.indexOf(text, at)
    at = found === -1 ? markup.length : found + text.length
  }
  const readValue = (): string => {
    skip()
    const quote = markup.charAt(at)
    if (quote !== '"' && quote !== "'") return readName('>')
    const start = at + 1
    at = start
    pass(quote)
    return markup.slice(start, at - 1)
  }
  /** Reads the rest of a tag after its `<` or `</`; null if the text ends in it. */
  const readTag = (isEnd: boolean): Tag | null => {
    const name = readName('/>')
    const attributes = new Map<string, string>()
    for (;;) {
      const start = at
      skip('/')
      if (at >= markup.length) return null
      if (markup.charAt(at) === '>') {
        at += 1
        return { name, isEnd, attributes, isSelfClosing: markup.slice(start, at).endsWith('/>') }
      }
      const attribute = readName('=/>')
      skip()
      const hasValue = markup.charAt(at) === '='
      if (hasValue) at += 1
      const value = hasValue ? decoded(readValue()) : ''
      if (!attributes.has(attribute)) attributes.set(attribute, value)
    }
  }

  while (at < markup.length) {
    const start = markup.indexOf('<', at)
    const text = markup.slice(at, start === -1 ? markup.length : start)
    if (text !== '') yield decoded(text)
    if (start === -1) return
    at = start + 1
    const next = markup.charAt(at)
    if (markup.startsWith('!--', at)) {
      at += 3
      pass('-->')
    } else if (next === '!' || next === '?') pass('>')
    else if (isLetter(next) || next === '/') {
      if (next === '/') at += 1
      const tag = readTag(next === '/')
      if (tag === null) return
      yield tag
    } else yield '<'
  }
}
