import { E } from '../fp.js'
import { codecOf, plain } from '../value/value-type.js'

/** A user or page number at Facebook: a text of digits, or a whole number (specification, release May 2016). */
export const facebookUid = plain(
  'text',
  { type: 'string', format: 'digits', pattern: '^[0-9]+$', maxLength: 32 },
  codecOf('digits', (value) => {
    const sent = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
    return typeof sent === 'string' && /^\d{1,32}$/.test(sent)
      ? E.right(sent)
      : E.left('must be up to 32 digits, as text or as a whole number')
  }),
)
