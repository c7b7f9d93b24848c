import { E } from '../fp.js'
import { numberAsText } from '../value/text.js'
import { plain, refused, type ValueType } from '../value/value-type.js'

const pattern = '^[A-Za-z0-9_.-]{1,100}$'
const name = { type: 'string', format: 'facebook-name', pattern, maxLength: 100 } as const
const form = new RegExp(pattern)

const read = plain('text', name, (value) => {
  const sent = Number.isInteger(value) ? numberAsText(value) : value
  return typeof sent === 'string' && form.test(sent)
    ? E.right(sent)
    : refused('format', 'must be 1 to 100 letters, digits, underscores, dots and hyphens, or a whole number')
})

/** A user or page at Facebook, by name or number; a number may be sent as a number (docs/behaviour/locations.md#facebook-id). */
export const facebookUid: ValueType<string> = {
  ...read,
  inputSchema: {
    anyOf: [name, { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }],
  },
}
