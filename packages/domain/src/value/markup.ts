import { checkMarkup } from '../markup/check-markup.js'
import { markupFault } from '../markup/markup-fault.js'
import { readNamedReferences, type ReadReferences } from '../markup/named-references.js'
import { E } from '../fp.js'
import { text } from './text.js'
import { refused, type ValueType } from './value-type.js'

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
      const checked = checkMarkup(read, { slots })
      if (E.isLeft(checked)) {
        const { offset, ...finding } = checked.left
        const { message } = markupFault(sent, { ...finding, offset: sentOffset(offset) })
        return refused('markup', message)
      }
      return checked.right.slots.length > mostSlots
        ? refused('markup', `must contain at most ${mostSlots} slots`)
        : E.right(read)
    },
  }
}
