/** What kind of value a schema means, in a few words. */
import type { Schema } from '@publishing-service/domain'

/** Formats whose own name says too little, or is no word. */
const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  uri: 'web address',
  'naive-date-time': 'date-time',
  'body-markup': 'body markup with slots',
  markup: 'body markup without slots',
  email: 'e-mail address',
  isbn: 'ISBN',
  duration: 'ISO 8601 duration',
  mimetype: 'MIME type',
  period: 'period',
  uuids: 'UUIDs',
}

const range = (least: number | undefined, most: number | undefined): string => {
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return ` from ${least}`
  return least === undefined || least === 0 ? ` up to ${most}` : ` ${least}–${most}`
}

const words = ({ enum: values = [] }: Schema): string => values.map((value) => `\`${value}\``).join(', ')

const textWords = (schema: Schema): string => {
  if (schema.enum !== undefined) return words(schema)
  const kind = schema.format === undefined ? 'text' : (formats[schema.format] ?? schema.format)
  const isShort = schema.format !== undefined && !schema.format.endsWith('markup')
  const length = range(schema.minLength, schema.maxLength)
  return isShort || length === '' ? kind : `${kind},${length} characters`
}

/** Such as `text, up to 255 characters`, with code in backticks. */
export const schemaWords = (schema: Schema): string => {
  const { type, items, properties, minimum, maximum, minItems, maxItems } = schema
  switch (type) {
    case 'integer':
      return `whole number${range(minimum, maximum)}`
    case 'number':
      return `number${range(minimum, maximum)}`
    case 'boolean':
      return '`true` or `false`'
    case 'array':
      return `list${items === undefined ? '' : ` of ${schemaWords(items)}`}${maxItems === undefined ? '' : `,${range(minItems, maxItems)} items`}`
    case 'object':
      return properties === undefined
        ? 'object'
        : `object with ${Object.keys(properties)
            .map((name) => `\`${name}\``)
            .join(', ')}`
    case 'string':
      return textWords(schema)
    default:
      return 'any value'
  }
}
