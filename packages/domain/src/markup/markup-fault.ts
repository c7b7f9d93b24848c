/**
 * Faults of markup: the position in the text as it was sent, and what is allowed there.
 */

/** The kinds of faults. The documentation has an example of each. */
export type MarkupFaultKind =
  /** Text where none is accepted. */
  | 'text'
  /** An element that is not accepted here, or not accepted at all. */
  | 'element'
  | 'depth'
  | 'attribute'
  | 'repeated attribute'
  | 'missing attribute'
  /** An address that is not accepted. */
  | 'link'
  /** A value that the attribute does not accept. */
  | 'value'
  | 'slot id'
  | 'repeated slot'
  | 'character'
  /** A comment that is not well-formed, or that an HTML parser reads differently. */
  | 'comment'
  /** A document type, a processing instruction, a CDATA section. */
  | 'declaration'
  | 'reference'
  /** Not well-formed within a tag, or a `<` or `]]>` in text. */
  | 'syntax'
  /** An end tag of an element other than the open one. */
  | 'end tag'
  /** The text ends too early. */
  | 'end of text'

export type MarkupFault = {
  readonly kind: MarkupFaultKind
  /** From 1. A line ends with CR LF, LF or CR. */
  readonly line: number
  /** From 1, in characters (code points; a lone surrogate counts as one). */
  readonly column: number
  /** Index into the text in UTF-16 units; the length of the text if the fault is at its end. */
  readonly offset: number
  /** What was found, short and printable: `<script> (a script: never accepted)`. */
  readonly found: string
  /** What is accepted there: `text`, `<li>`, `</p>`. Never empty. */
  readonly allowed: readonly string[]
  /** `line 3, column 5: found <main>, allowed here: <li>, </ul>` */
  readonly message: string
}

/** A fault without line and column. */
export type Finding = {
  readonly kind: MarkupFaultKind
  readonly offset: number
  readonly found: string
  readonly allowed: readonly string[]
}

/** Finds line and column of offsets that do not decrease, in one pass over the text. */
const placesIn = (text: string): ((offset: number) => { readonly line: number; readonly column: number }) => {
  const lineBreak = /\r\n|\r|\n/g
  let next = lineBreak.exec(text)
  let line = 1
  let column = 1
  let at = 0
  return (offset) => {
    while (next !== null && next.index + next[0].length <= offset) {
      at = next.index + next[0].length
      line += 1
      column = 1
      next = lineBreak.exec(text)
    }
    for (; at < offset; column += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
    return { line, column }
  }
}

/** The faults of a text in its order. */
export const markupFaults = (text: string, findings: readonly Finding[]): readonly MarkupFault[] => {
  const placeOf = placesIn(text)
  return findings
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ kind, offset, found, allowed }) => {
      const { line, column } = placeOf(offset)
      const message = `line ${line}, column ${column}: found ${found}, allowed here: ${allowed.join(', ')}`
      return { kind, line, column, offset, found, allowed, message }
    })
}

/** Maximum number of faults that are named. */
export const mostMarkupFaults = 20

/** A line for each fault, up to the maximum number. What is allowed is listed once. */
export const faultLines = (faults: readonly MarkupFault[]): string => {
  const listed = new Map<string, string>()
  const lines = faults.slice(0, mostMarkupFaults).map(({ line, column, found, allowed, message }) => {
    const place = `line ${line}, column ${column}`
    const list = allowed.join(', ')
    const before = listed.get(list)
    if (before === undefined) listed.set(list, place)
    return before === undefined || list.length <= before.length
      ? message
      : `${place}: found ${found}, allowed here: the same as in ${before}`
  })
  return [...lines, ...(faults.length > mostMarkupFaults ? ['There are more faults.'] : [])].join('\n')
}

const longest = 40
const hexadecimal = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A character; in the notation U+0000 if it is invisible. */
export const visible = (character: string): string =>
  /(?! )[\p{C}\p{Z}]/u.test(character) ? hexadecimal(character) : character

/** At most 40 characters of a text, with invisible ones made visible. */
export const excerpt = (piece: string): string => {
  const shown: string[] = []
  // 81 units are enough for 40 characters of two units and to detect that more follow.
  for (const character of piece.slice(0, longest * 2 + 1)) {
    if (shown.length === longest) return `${shown.join('')}…`
    shown.push(visible(character))
  }
  return shown.join('')
}

// Converts errors of the XML parser to faults. The parser's message states what was wrong, but not where it began or what
// is accepted.

/** The state of the parser at the error. */
type Position = {
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
