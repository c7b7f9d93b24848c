/**
 * Named references of HTML other than the five of XML, such as `&nbsp;`. They are stored as the characters that they name
 * (docs/behaviour/body.md#named-references).
 */
import { decodeHTMLStrict } from 'entities/decode'
import { entityNames } from './body-schema.js'
import { commentEnd, commentStart } from './forbidden-sequence.js'

/** A text without these references, and where it was in the text that was sent. */
export type ReadReferences = {
  readonly text: string
  /** The index in the sent text of an index in `text`. */
  readonly sentOffset: (offset: number) => number
}

/** The longest name has 31 characters. */
const commentOrName = new RegExp(`${commentStart}|&([A-Za-z][A-Za-z0-9]{0,30});`, 'g')

const written: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
}

/** The characters of references that were read before: at most one entry for each name of HTML. */
const known = new Map<string, string>()

/** The characters of a reference, as markup has them; the reference itself if HTML has no such name, or XML has it too. */
const charactersOf = (reference: string, name: string): string => {
  const found = known.get(name)
  if (found !== undefined) return found
  const characters = entityNames.includes(name) ? reference : decodeHTMLStrict(reference)
  if (characters === reference) return reference
  const escaped = characters.replaceAll(/[&<>"\t\n]/g, (each) => written[each] ?? each)
  known.set(name, escaped)
  return escaped
}

/** Replaces the references outside of comments, in time linear in the length of the text. */
export const readNamedReferences = (sent: string): ReadReferences => {
  const pieces: string[] = []
  /** The index in the text after each replaced reference, and how much longer the sent text was up to there. */
  const shifts: { readonly from: number; readonly by: number }[] = []
  let copied = 0
  let length = 0
  const scan = new RegExp(commentOrName)
  for (let match = scan.exec(sent); match !== null; match = scan.exec(sent)) {
    const { 0: found, 1: name, index } = match
    if (name === undefined) {
      if (!sent.includes('-->', index)) break
      scan.lastIndex = commentEnd(sent, index)
      continue
    }
    const characters = charactersOf(found, name)
    if (characters === found) continue
    pieces.push(sent.slice(copied, index), characters)
    length += index - copied + characters.length
    copied = index + found.length
    shifts.push({ from: length, by: copied - length })
  }
  return {
    text: pieces.length === 0 ? sent : [...pieces, sent.slice(copied)].join(''),
    sentOffset: (offset) => offset + (shifts.findLast(({ from }) => from <= offset)?.by ?? 0),
  }
}
