/**
 * Checks markup against its schema, in one pass and in time linear in the length of the text. The text is never changed:
 * valid markup is stored as it was sent.
 */
import { SaxesParser } from 'saxes'
import { E, type Either } from '../fp.js'
import { bodySchema, slotlessSchema } from './body-schema.js'
import { findForbiddenSequence } from './forbidden-sequence.js'
import { markupFault, type MarkupFault } from './markup-fault.js'
import { markupReader } from './markup-reader.js'

export type { MarkupFault, MarkupFaultKind } from './markup-fault.js'

/** The ids of the slots, in lower case, in the order of the text. */
export type CheckedMarkup = { readonly slots: readonly string[] }

// The parser cannot be stopped within a piece. After a fault it reads to the end of the piece.
const pieceLength = 1024

/**
 * Returns the first fault of the text, or the ids of its slots. `slots`: whether the element `slot` is accepted, as in the
 * body of content, but not in the `content` of media, tags and locations. The empty text is valid.
 */
export const checkMarkup = (
  text: string,
  options: { readonly slots: boolean },
): Either<MarkupFault, CheckedMarkup> => {
  const forbidden = findForbiddenSequence(text)
  const end = forbidden === null ? text.length : forbidden.offset
  const parser = new SaxesParser({ fragment: true, position: false })
  const reader = markupReader(text, options.slots ? bodySchema : slotlessSchema, () => parser.position)

  parser.on('opentagstart', reader.startTag)
  parser.on('attribute', reader.attribute)
  parser.on('opentag', reader.open)
  parser.on('closetag', reader.close)
  parser.on('comment', reader.comment)
  parser.on('error', reader.complaint)

  for (let from = 0; from < end && reader.fault() === null; from += pieceLength) {
    parser.write(text.slice(from, Math.min(from + pieceLength, end)))
  }
  const finding = reader.fault() ?? (forbidden === null ? reader.end() : reader.forbidden(forbidden))
  return finding === null ? E.right({ slots: reader.slots() }) : E.left(markupFault(text, finding))
}
