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

const place = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const lineBreak = /\r\n|\r|\n/g
  let line = 1
  let lineStart = 0
  for (let match = lineBreak.exec(text); match !== null; match = lineBreak.exec(text)) {
    if (lineBreak.lastIndex > offset) break
    line += 1
    lineStart = lineBreak.lastIndex
  }
  let column = 1
  for (let at = lineStart; at < offset; column += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return { line, column }
}

export const markupFault = (text: string, { kind, offset, found, allowed }: Finding): MarkupFault => {
  const { line, column } = place(text, offset)
  const message = `line ${line}, column ${column}: found ${found}, allowed here: ${allowed.join(', ')}`
  return { kind, line, column, offset, found, allowed, message }
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
