/** What kind of value a schema means, in a few words. */
import type { Schema } from '@publishing-service/domain'

/** What a text of a format is called. */
export const formatNames: Readonly<Record<NonNullable<Schema['format']>, string>> = {
  text: 'text',
  'web-address': 'web address',
  'bare-web-address': 'the same without https://',
  'web-address-or-path': 'web address or path',
  'site-path': 'a path of the website',
  'redirect-pattern': 'a path of the website, with ** at most once',
  'redirect-template': 'a web address or a path of the website, with \\1 behind the host',
  'naive-date-time': 'date-time',
  markup: 'markup',
  'body-markup': 'markup with slots',
  'markup-or-text': 'markup or plain text',
  mimetype: 'MIME type',
  'time-zone': 'time zone',
  'price-index': 'price index',
  'number-text': 'its text',
  'boolean-text': 'their text',
  'facebook-name': 'name',
  isbn: 'ISBN',
  coordinates: 'coordinates',
  uuids: 'UUIDs',
  period: 'period',
  uuid: 'UUID',
  uri: 'address',
  'uri-reference': 'path or address',
  'web-addresses': 'addresses with commas between them',
  'email-addresses': 'e-mail addresses',
  date: 'date',
  duration: 'ISO 8601 duration',
  password: 'secret',
  binary: 'bytes',
}

/** Formats whose texts can be as long as their limit. */
const isLong = (format: string): boolean => format === 'text' || format.includes('markup')

const range = (least: number | undefined, limit: number | undefined): string => {
  // A limit that only computers have is none to people.
  const most = limit === undefined || limit >= Number.MAX_SAFE_INTEGER ? undefined : limit
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return ` from ${least}`
  return least === undefined || least === 0 ? ` up to ${most}` : ` ${least}–${most}`
}

const words = ({ enum: values = [] }: Schema): string => values.map((value) => `\`${value}\``).join(', ')

const textWords = (schema: Schema): string => {
  if (schema.enum !== undefined && schema.format !== 'boolean-text') return words(schema)
  const { format = 'text', minLength, maxLength } = schema
  const length = range(minLength, maxLength)
  return isLong(format) && length !== '' ? `${formatNames[format]},${length} characters` : formatNames[format]
}

/** Such as `text, up to 255 characters`, with code in backticks. */
export const schemaWords = (schema: Schema): string => {
  const { type, anyOf, format, items, prefixItems, properties, minimum, maximum, minItems, maxItems } = schema
  if (anyOf !== undefined) return anyOf.map(schemaWords).join(' or ')
  switch (type) {
    case 'integer':
      return `whole number${range(minimum, maximum)}`
    case 'number':
      return `number${range(minimum, maximum)}`
    case 'boolean':
      return '`true` or `false`'
    case 'array':
      if (prefixItems !== undefined)
        return `${format === undefined ? 'list' : formatNames[format]}: ${prefixItems.map(schemaWords).join(', ')}`
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
