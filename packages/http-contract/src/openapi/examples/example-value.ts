import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Schema } from '@publishing-service/domain/declare'
import { placeText } from '@publishing-service/domain/lists'

/** An example of a UUID, for objects that the sample publication does not have. */
export const exampleUuid = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

/** A value of each format; a text has the name of its attribute. */
const formatted: Readonly<Record<Exclude<NonNullable<Schema['format']>, 'text'>, string>> = {
  'feed-place': 'now',
  'page-place': placeText(2, [[null], null]),
  'web-address': 'https://www.example.org/',
  'website-address': 'https://www.example.org',
  'preview-address': 'https://www.example.org/preview/?path={path}&token={token}',
  'web-address-or-path': '/a-page/',
  'included-attributes': 'section(title-path)',
  'redirect-pattern': '/old/**',
  'robots-path': '/search/',
  'redirect-template': '/new/\\1',
  'bare-web-address': 'https://www.example.org/',
  'web-addresses': 'https://www.example.org/',
  'email-address': 'ada@example.org',
  'email-addresses': 'mira@example.org',
  'naive-date-time': '2026-03-01T12:00:00',
  markup: '<p>Text</p>',
  'body-markup': '<p>Text</p>',
  'markup-or-text': '<p>Text</p>',
  mimetype: 'image/jpeg',
  'time-zone': 'Europe/Vienna',
  'price-index': 'inexpensive',
  'number-text': '4.5',
  'boolean-text': 'true',
  'facebook-name': 'example',
  isbn: '9780000000002',
  circle: '48.2,16.37,5',
  'focal-point': '0.5,0.33',
  coordinates: '48.2,16.37',
  uuids: exampleUuid,
  texts: 'text',
  'object-ids': exampleUuid,
  integers: '1',
  'site-path': '/a-page/',
  words: 'market',
  period: '2026-03-01_2026-03-31',
  uuid: exampleUuid,
  uri: 'https://api.example.org/1',
  'uri-reference': '/1',
  date: '2026-03-01',
  'date-time': '2026-03-01T12:00:00.000Z',
  duration: 'PT30M',
  password: 'example-of-a-secret',
  binary: '',
}

const isFormat = (name: Json | undefined): name is keyof typeof formatted =>
  typeof name === 'string' && Object.hasOwn(formatted, name)

/** `last_name_or_title` → `Last name or title`; a path is one of the website. */
const textNamed = (name: string): string =>
  name === 'path' || name.endsWith('_path')
    ? formatted['site-path']
    : `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

/** Returns the schema that a reference is to. */
export type Resolve = (schema: JsonObject) => JsonObject

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

const isNullable = ({ type, anyOf }: JsonObject): boolean =>
  listOf(type).includes('null') || listOf(anyOf).some((each) => objectOf(each)['type'] === 'null')

/** The properties that every object has, and those that are known. */
const exampleObject = (resolve: Resolve, schema: JsonObject, known: JsonObject): JsonObject => {
  const required = listOf(schema['required'])
  return Object.fromEntries(
    Object.entries(objectOf(schema['properties']))
      .filter(([name]) => required.includes(name) || known[name] !== undefined)
      .map(([name, each]) => [name, exampleValue(resolve, objectOf(each), name, known[name])]),
  )
}

const exampleScalar = ({ type, format, minimum }: JsonObject, name: string): Json => {
  const [kind] = listOf(typeof type === 'string' ? [type] : type)
  if (kind === 'boolean') return false
  if (kind === 'integer' || kind === 'number') return typeof minimum === 'number' ? Math.max(minimum, 0) : 0
  return isFormat(format) ? formatted[format] : textNamed(name)
}

/**
 * A value of a schema: what is known of it, completed. What is not known is null where that is possible, and otherwise
 * the first word of an enum, or a value of its format.
 */
export const exampleValue = (
  resolve: Resolve,
  schema: JsonObject,
  name: string,
  known: Json | undefined,
): Json => {
  const resolved = resolve(schema)
  const { type, enum: words, properties, items, anyOf, oneOf } = resolved
  if (
    (properties !== undefined || type === 'object') &&
    known !== null &&
    (known !== undefined || !isNullable(resolved))
  )
    return exampleObject(resolve, resolved, objectOf(known))
  if (Array.isArray(known) && isJsonObject(items))
    return known.map((each: Json) => exampleValue(resolve, items, name, each))
  if (known !== undefined && (words === undefined || listOf(words).includes(known))) return known
  if (isNullable(resolved)) return null
  if (Array.isArray(words)) return listOf(words)[0] ?? null
  const [first] = [...listOf(oneOf), ...listOf(anyOf)]
  if (isJsonObject(first)) return exampleValue(resolve, first, name, known)
  if (type === 'array') return isJsonObject(items) ? [exampleValue(resolve, items, name, known)] : []
  return exampleScalar(resolved, name)
}
