/** Markup as a value: its check against the schema of bodies, and named references of HTML. */
import { decodeHTMLStrict } from 'entities/decode'
import { entityNames, bodySchema, slotlessSchema } from '../markup/body-schema.js'
import {
  commentEnd,
  commentStart,
  findForbiddenSequence,
  type ForbiddenSequence,
} from '../markup/forbidden-sequence.js'
import { faultLines, markupFaults, mostMarkupFaults, type MarkupFault } from '../markup/markup-fault.js'
import { E, type Either } from '../fp.js'
import { text } from './text.js'
import { refused, type ValueType } from './value-type.js'
import { SaxesParser } from 'saxes'
import { MarkupReader } from '../markup/markup-reader.js'

// Markup is checked against its schema in one pass, in time linear in the length of the text. The text is never changed:
// valid markup is stored as it was sent.

/** The ids of the slots, in lower case, in the order of the text. */
export type CheckedMarkup = { readonly slots: readonly string[] }

// The parser cannot be stopped within a piece. After the last fault it reads to the end of the piece.
const pieceLength = 1024

/** What the parser reads in place of a forbidden sequence: as many characters that cause no other fault. */
const harmless = ({ from, to, kind }: ForbiddenSequence): string =>
  (kind === 'reference' || to - from === 1 ? 'x' : ' ').repeat(to - from)

const readMarkup = (sent: string, options: { readonly slots: boolean }): MarkupReader => {
  const parser = new SaxesParser({ fragment: true, position: false })
  // One more says that there are more.
  const most = mostMarkupFaults + 1
  const reader = new MarkupReader(sent, options.slots ? bodySchema : slotlessSchema, parser, most)

  const read = (from: number, to: number): void => {
    for (let at = from; at < to && !reader.isFull(); at += pieceLength)
      parser.write(sent.slice(at, Math.min(at + pieceLength, to)))
  }
  let from = 0
  let forbidden = findForbiddenSequence(sent)
  while (forbidden !== null && !reader.isFull()) {
    read(from, forbidden.from)
    reader.forbidden(forbidden)
    parser.write(harmless(forbidden))
    from = forbidden.to
    forbidden = findForbiddenSequence(sent, from)
  }
  read(from, sent.length)
  reader.end()
  return reader
}

/**
 * Returns the faults of the text in its order, or the ids of its slots. Of more than `mostMarkupFaults` faults there are one
 * more than that. `slots`: whether the element `slot` is accepted, as in the body of content, but not in the `content` of
 * media, tags and locations. The empty text is valid.
 */
export const checkMarkup = (
  sent: string,
  options: { readonly slots: boolean },
): Either<readonly MarkupFault[], CheckedMarkup> => {
  const { findings, slots } = readMarkup(sent, options)
  return findings.length === 0 ? E.right({ slots: [...slots] }) : E.left(markupFaults(sent, findings))
}

// Named references of HTML other than the five of XML, such as `&nbsp;`. They are stored as the characters that they name
// (docs/behaviour/body.md#named-references).

/** A text without these references, and where it was in the text that was sent. */
type ReadReferences = {
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
const readNamedReferences = (sent: string): ReadReferences => {
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

const asSent = (sent: string): ReadReferences => ({ text: sent, sentOffset: (offset) => offset })

type MarkupOptions = {
  readonly slots: boolean
  readonly max: number
  /** How many slots it may contain; any number by default. */
  readonly mostSlots?: number
  /** Whether a text without `<` is accepted as plain text, even with a bare `&`. */
  readonly plainText?: boolean
}

/** XML-compliant HTML of the schema in `markup/body-schema.ts`, stored and returned unchanged but for named references. */
export const markup = ({
  slots,
  max,
  mostSlots = Infinity,
  plainText = false,
}: MarkupOptions): ValueType<string> => {
  const characters = text({ max })
  const format = slots ? 'body-markup' : plainText ? 'markup-or-text' : 'markup'
  return {
    schema: { ...characters.schema, format },
    decode: (value, context) => {
      const result = characters.decode(value, context)
      if (E.isLeft(result) || (plainText && !result.right.includes('<'))) return result
      const sent = result.right
      const { text: read, sentOffset } = context.strict ? asSent(sent) : readNamedReferences(sent)
      const { findings, slots: found } = readMarkup(read, { slots })
      if (findings.length > 0) {
        const inSent = findings.map((each) => ({ ...each, offset: sentOffset(each.offset) }))
        return refused('markup', faultLines(markupFaults(sent, inSent)))
      }
      return found.size > mostSlots
        ? refused('markup', `must contain at most ${mostSlots} slots`)
        : E.right(read)
    },
  }
}
