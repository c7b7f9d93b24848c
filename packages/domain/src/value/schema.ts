/** The text formats of this API in addition to those of JSON Schema, each with a description. */
export const formats = {
  text: 'Any text without control characters other than tab and line breaks; one that must not be empty has more than white space and invisible characters.',
  'web-address':
    'An absolute address that starts with http:// or https://, without a user name and a password; it may have characters beyond ASCII.',
  'website-address': 'A web address with scheme, host, port and path only.',
  'preview-address': 'A web address that contains {path} and {token}.',
  'web-address-or-path': 'A web address, or a path that starts with one slash.',
  'redirect-pattern': 'A path without white space that contains ** at most once.',
  'robots-path': 'A path of robots.txt: it starts with / and has no white space, # and comma.',
  'redirect-template': 'A web address or a path that begins with one slash; \\1 may occur after the host.',
  'bare-web-address':
    'A web address, with or without its scheme: https:// is prepended; white space around it is removed.',
  'web-addresses': 'Web addresses separated by commas.',
  'email-address': 'An e-mail address such as ada@example.org; it is stored in lower case.',
  'email-addresses':
    'One or more e-mail addresses separated by commas, each alone or as `Name <name@example.org>`.',
  'naive-date-time':
    'A day, or a day and a time, in the time zone of the instance; with Z or an offset it is converted. It is read as YYYY-MM-DDTHH:MM:SS, with a fraction if there is one.',
  markup: 'XML-compliant HTML of the elements that `/docs/markup` lists.',
  'body-markup': 'XML-compliant HTML of the elements that `/docs/markup` lists, with slot tags.',
  'markup-or-text': 'The same as markup, or plain text: any text without `<` is stored as it is.',
  mimetype: 'A MIME type such as audio/mpeg, without parameters.',
  'time-zone': 'The name of a time zone, such as Europe/Vienna.',
  'price-index': 'free, inexpensive, moderate, expensive or very expensive, in any letter case.',
  'number-text': 'A number as text, within the same bounds and without an exponent, such as 29.426.',
  'boolean-text': 'A boolean as text.',
  'facebook-name': '1 to 100 letters, digits, underscores, dots and hyphens.',
  isbn: 'An ISBN of 10 or 13 digits, hyphens allowed.',
  circle: 'Latitude and longitude in degrees and a radius in kilometres, joined by commas.',
  coordinates: 'Latitude and longitude in degrees.',
  'focal-point': 'Two numbers from 0 to 1 joined by a comma: fractions of the width and the height.',
  uuids: 'UUIDs joined by underscores.',
  texts: 'Texts joined by underscores.',
  'object-ids': 'UUIDs, numbers or API keys, joined by underscores; one key may contain underscores.',
  integers: 'Whole numbers joined by underscores.',
  'site-path': 'A path of the website that starts with a slash, with or without a query.',
  words: 'Words, of which one has a letter or a digit; at most 32, and phrases in quotation marks.',
  'feed-place': '`next` of a response of the feed of changes, or `now`.',
  'page-place': '`after` of a link to another page.',
  'included-attributes': 'A name with attributes in brackets, such as section(title-path).',
  period: 'Two date-times or days joined by an underscore; either may be left out.',
} as const

type StandardFormat =
  'uuid' | 'uri' | 'uri-reference' | 'date' | 'date-time' | 'duration' | 'password' | 'binary'

export type Format = keyof typeof formats | StandardFormat

/** The subset of JSON Schema 2020-12 that describes value types: for the documents and the tests. */
export type Schema = {
  /** Absent if there is `anyOf`. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly anyOf?: readonly Schema[]
  readonly description?: string
  readonly format?: Format
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  /** Schemas of the items by position. */
  readonly prefixItems?: readonly Schema[]
  readonly maxItems?: number
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  /** Sent, never returned. */
  readonly writeOnly?: true
}
