/** Values that a schema allows. A format that isn't known here fails the test that needs it. */
import fc from 'fast-check'
import { bodySchema, slotlessSchema, type Json, type Schema } from '@publishing-service/domain'
import { legalMarkup } from '@publishing-service/domain/testing'

const controls = /[^\P{Cc}\t\n\r\u0080-\u009f]/gu

const text = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', maxLength: Math.min(maxLength, 40) })
    .map((each) => each.replace(controls, ''))
    .map((each) => (each.length >= minLength ? each : `${each}${'x'.repeat(minLength)}`.slice(0, maxLength)))

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const day = fc
  .tuple(
    fc.integer({ min: 1900, max: 2100 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, date]) => `${year}-${twoDigits(month)}-${twoDigits(date)}`)

// Clocks are put forward at night: hours from 5 exist on every day.
const dateTime = fc
  .tuple(
    day,
    fc.integer({ min: 5, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 59 }),
    fc.constantFrom('', '.5', '.125', '.000001'),
  )
  .map(
    ([date, hour, minute, second, fraction]) =>
      `${date}T${[hour, minute, second].map(twoDigits).join(':')}${fraction}`,
  )

const address = fc
  .webUrl({ withFragments: true, withQueryParameters: true })
  .filter((each) => each.length <= 2048 && !/[\s<>"]/.test(each))

const email = fc.emailAddress().filter((each) => each.length <= 254 && !/[\s<>"]/.test(each))

const markup = legalMarkup(slotlessSchema)

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  'web-address': address,
  'web-address-or-path': fc.oneof(address, fc.constantFrom('/', '/shop/?a=1#b')),
  'redirect-pattern': fc
    .tuple(fc.webPath(), fc.constantFrom('', '**', '/**/x', '*x'))
    .map(([path, end]) => `/p${path.replaceAll('*', '')}${end}`),
  'redirect-template': fc.constantFrom('/', '/new/\\1/', 'https://www.example.org/\\1?a=1', '/a#b'),
  'email-addresses': fc.oneof(
    email,
    email.map((each) => `"Muster, Max" <${each}>, Ada <ada@example.org>`),
  ),
  date: day,
  'naive-date-time': dateTime,
  duration: fc.constantFrom('PT5M', 'PT1H30M', 'P1DT12H', 'P2W'),
  markup,
  'body-markup': legalMarkup(bodySchema),
  'markup-or-text': fc.oneof(
    markup,
    text(0, 1000).map((each) => each.replaceAll('<', '&')),
  ),
  mimetype: fc.constantFrom('audio/mpeg', 'video/mp4', 'audio/x-aiff'),
  'time-zone': fc.constantFrom('Europe/Vienna', 'UTC', 'America/New_York'),
  'price-index': fc.constantFrom('Free', 'Inexpensive', 'Moderate', 'Expensive', 'Very expensive'),
  'facebook-name': fc.constantFrom('7', '007', 'the.daily-test_1'),
  isbn: fc.constantFrom('978-3-16-148410-0', '3161484100', '0-8044-2957-X'),
}

/** The generator knows no assertions that look ahead; what they forbid is left out afterwards. */
const matching = (pattern: string, maxLength: number): fc.Arbitrary<string> =>
  fc
    .stringMatching(new RegExp(pattern.replace(/\(\?![^)]*\)/, '')))
    .filter((each) => each.length <= maxLength && new RegExp(pattern).test(each))

const stringOf = ({
  enum: words,
  format,
  pattern,
  minLength = 0,
  maxLength = 1000,
}: Schema): fc.Arbitrary<string> => {
  if (words !== undefined && format === undefined) return fc.constantFrom(...words)
  const table = format === undefined ? undefined : formats[format]
  if (format !== undefined && format !== 'text' && table === undefined)
    throw new Error(`no values for the format ${format}`)
  if (table !== undefined) return table
  if (format === 'text') return text(minLength, maxLength)
  return pattern === undefined ? text(minLength, maxLength) : matching(pattern, maxLength)
}

/** Lists whose places mean different things. */
const lists: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  coordinates: fc.tuple(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
  ),
}

const listsOf = (format: string): fc.Arbitrary<Json> => {
  const list = lists[format]
  if (list === undefined) throw new Error(`no lists of the format ${format}`)
  return list
}

/** Values of a schema; what is optional in an object is now and then left out, or null. */
export const valueOf = (schema: Schema): fc.Arbitrary<Json> => {
  switch (schema.type) {
    case 'string':
      return stringOf(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      if (schema.format !== undefined) return listsOf(schema.format)
      return fc.array(valueOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'object': {
      const { properties = {}, required = [] } = schema
      const entries = Object.entries(properties).map(([name, each]): [string, fc.Arbitrary<Json>] => [
        name,
        required.includes(name) ? valueOf(each) : fc.option(valueOf(each), { freq: 3 }),
      ])
      return fc.record(Object.fromEntries(entries), { requiredKeys: [...required], noNullPrototype: true })
    }
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`)
  }
}

/** One value of a schema, the same in every run. */
export const sampleOf = (schema: Schema, seed = 1): Json => {
  const [value] = fc.sample(valueOf(schema), { numRuns: 1, seed })
  if (value === undefined) throw new Error(`no value for ${JSON.stringify(schema)}`)
  return value
}
