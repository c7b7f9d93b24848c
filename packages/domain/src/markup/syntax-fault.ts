/**
 * Converts errors of the XML parser to faults. The parser's message states what was wrong, but not where it began or what
 * is accepted.
 */
import { visible, type Finding } from './markup-fault.js'

/** The state of the parser at the error. */
export type Position = {
  readonly text: string
  /** The index after the last character that the parser has read. */
  readonly read: number
  /** The index of the `<` of the current tag; if there is none, after the part that was read. */
  readonly tagStart: number
  /** What is accepted between the tags here. */
  readonly content: readonly string[]
}

const attributeOrEnd = ['white space and an attribute', '>', '/>']

/** Allowed sequences by the message of the parser, if the fault is the last character that was read. */
const byLastCharacter: ReadonlyMap<string, readonly string[]> = new Map([
  ['disallowed character in tag name.', attributeOrEnd],
  ['disallowed character in attribute name.', ['the name of an attribute', '=', '>', '/>']],
  ['forward-slash in opening tag not followed by >.', ['>']],
  ['attribute without value.', ['= and a value in quotes']],
  ['unquoted attribute value.', ['a value in quotes']],
  ['no whitespace between attributes.', attributeOrEnd],
  ['disallowed character.', ['&lt; in place of <']],
  ['disallowed character in closing tag.', ['>']],
])

const lastCharacterAt = (text: string, read: number): number => {
  const code = text.charCodeAt(read - 1)
  return code >= 0xdc00 && code <= 0xdfff ? read - 2 : read - 1
}

/** The fault for an error of the parser; an unknown error is located at the last character that was read. */
export const syntaxFault = (complaint: string, { text, read, tagStart, content }: Position): Finding => {
  if (complaint === 'disallowed character in tag name') {
    const allowed = ['&lt; in place of <', ...content]
    return { kind: 'syntax', offset: tagStart, found: 'a < that starts no tag', allowed }
  }
  if (complaint.startsWith('the string "]]>"')) {
    return { kind: 'syntax', offset: read - 3, found: ']]>', allowed: [']]&gt; in place of ]]>'] }
  }
  const offset = lastCharacterAt(text, read)
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0)
  return {
    kind: 'syntax',
    offset,
    found: /[ \t\r\n]/.test(character) ? 'white space' : visible(character),
    allowed: byLastCharacter.get(complaint) ?? ['well-formed XML'],
  }
}
