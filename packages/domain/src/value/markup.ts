import { checkMarkup } from '../markup/check-markup.js'
import { fault } from '../fault.js'
import { E } from '../fp.js'
import { text } from './text.js'
import type { ValueType } from './value-type.js'

type MarkupOptions = { readonly slots: boolean; readonly max: number }

/** XML-compliant HTML of the body's schema (decisions §7), stored and returned to the letter. */
export const markup = ({ slots, max }: MarkupOptions): ValueType<string> => {
  const characters = text({ max })
  return {
    schema: { ...characters.schema, format: slots ? 'body-markup' : 'markup' },
    decode: (value, context) => {
      const result = characters.decode(value, context)
      if (E.isLeft(result)) return result
      const checked = checkMarkup(result.right, { slots })
      return E.isRight(checked) ? result : E.left([fault('', checked.left.message)])
    },
  }
}
