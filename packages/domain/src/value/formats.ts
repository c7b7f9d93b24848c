/** The formats of texts that this API has beside those of JSON Schema, with what each is. */
export const formats = {
  text: 'Any text without control characters other than tab and line breaks.',
  'web-address': 'An absolute address that starts with http:// or https://, beyond ASCII too.',
  'naive-date-time':
    'A day, or a day and a time, in the time zone of the instance; with Z or an offset it is converted. What is read is YYYY-MM-DDTHH:MM:SS, with a fraction where there is one.',
  markup: 'XML-compliant HTML of a few elements.',
  'body-markup': 'XML-compliant HTML of a few elements, with slot tags between blocks.',
  mimetype: 'A MIME type such as audio/mpeg, without parameters.',
  'time-zone': 'The name of a time zone, such as Europe/Vienna.',
  'price-index': 'free, inexpensive, moderate, expensive or very expensive, in any letter case.',
  digits: 'Up to 32 digits.',
  isbn: 'An ISBN of 10 or 13 digits, hyphens allowed.',
  coordinates: 'Latitude and longitude in degrees.',
  uuids: 'UUIDs joined by underscores.',
  period: 'Two date-times or days joined by an underscore; either may be left out.',
} as const

type StandardFormat = 'uuid' | 'uri' | 'uri-reference' | 'email' | 'date' | 'duration' | 'password' | 'binary'

export type Format = keyof typeof formats | StandardFormat
