import { E } from '../fp.js'
import { codecOf, plain, type ValueType } from '../value/value-type.js'

const digits = { type: 'string', format: 'digits', pattern: '^[0-9]+$', maxLength: 32 } as const

const read = plain(
  'text',
  digits,
  codecOf('digits', (value) => {
    const sent = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
    return typeof sent === 'string' && /^\d{1,32}$/.test(sent)
      ? E.right(sent)
      : E.left('must be up to 32 digits, as text or as a whole number')
  }),
)

/** A user or page number at Facebook: a text of digits, or a whole number (specification, release May 2016). */
export const facebookUid: ValueType<string> = {
  ...read,
  taken: { anyOf: [digits, { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }] },
}
