/** Describes the values of a schema in a few words. */
import type { Schema } from '@publishing-service/domain/declare'

/** The names of the formats of texts. */
export const formatNames: Readonly<Record<NonNullable<Schema['format']>, string>> = {
  text: 'text',
  'web-address': 'web address',
  'website-address': 'address of a website',
  'preview-address': 'address with {path} and {token}',
  'bare-web-address': 'the same without https://',
  'web-address-or-path': 'web address or path',
  'site-path': 'a path of the website',
  'feed-place': 'place in the feed',
  'page-place': 'place of a page',
  'included-attributes': 'a name with attributes in brackets',
  'redirect-pattern': 'a path of the website, with ** at most once',
  'robots-path': 'a path of robots.txt, such as /search/',
  'redirect-template': 'a web address or a path of the website, with \\1 after the host',
  'naive-date-time': 'date-time',
  'date-time': 'date-time of UTC',
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
  texts: 'texts',
  'object-ids': 'UUIDs, numbers or keys',
  integers: 'integers',
  words: 'words',
  circle: 'circle',
  'focal-point': 'fractions of width and height',
  period: 'period',
  uuid: 'UUID',
  uri: 'address',
  'uri-reference': 'path or address',
  'web-addresses': 'addresses with commas between them',
  'email-address': 'an e-mail address',
  'email-addresses': 'e-mail addresses',
  date: 'date',
  duration: 'ISO 8601 duration',
  password: 'secret',
  binary: 'bytes',
}

/** Formats whose texts can be as long as their limit. */
const isLong = (format: string): boolean => format === 'text' || format.includes('markup')

const range = (least: number | undefined, limit: number | undefined): string => {
  // The technical limit of integers is not shown.
  const most = limit === undefined || limit >= Number.MAX_SAFE_INTEGER ? undefined : limit
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return ` from ${least}`
  return least === undefined || least === 0 ? ` up to ${most}` : ` ${least}–${most}`
}

const describeEnum = ({ enum: values = [] }: Schema): string =>
  values.map((value) => `\`${value}\``).join(', ')

const describeText = (schema: Schema): string => {
  if (schema.enum !== undefined && schema.format !== 'boolean-text') return describeEnum(schema)
  const { format = 'text', minLength, maxLength } = schema
  const length = range(minLength, maxLength)
  return isLong(format) && length !== '' ? `${formatNames[format]},${length} characters` : formatNames[format]
}

/** For example `text, up to 255 characters`. Code is in backticks. */
export const describeSchema = (schema: Schema): string => {
  const { type, anyOf, format, items, prefixItems, properties, minimum, maximum, minItems, maxItems } = schema
  if (anyOf !== undefined) return anyOf.map(describeSchema).join(' or ')
  switch (type) {
    case 'integer':
      return `whole number${range(minimum, maximum)}`
    case 'number':
      return `number${range(minimum, maximum)}`
    case 'boolean':
      return '`true` or `false`'
    case 'array':
      if (prefixItems !== undefined)
        return `${format === undefined ? 'list' : formatNames[format]}: ${prefixItems.map(describeSchema).join(', ')}`
      return `list${items === undefined ? '' : ` of ${describeSchema(items)}`}${maxItems === undefined ? '' : `,${range(minItems, maxItems)} items`}`
    case 'object':
      return properties === undefined
        ? 'object'
        : `object with ${Object.keys(properties)
            .map((name) => `\`${name}\``)
            .join(', ')}`
    case 'string':
      return describeText(schema)
    default:
      return 'any value'
  }
}
