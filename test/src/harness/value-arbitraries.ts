/** Values that a schema allows. A format or pattern that isn't known here fails the test that needs it. */
import fc from 'fast-check'
import type { Json, Schema } from '@publishing-service/domain'
import { bodyMarkup, markup } from './markup-arbitrary.js'

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

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

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  uri: address,
  email,
  date: day,
  'naive-date-time': dateTime,
  duration: fc.constantFrom('PT5M', 'PT1H30M', 'P1DT12H', 'P2W'),
  markup,
  'body-markup': bodyMarkup,
  mimetype: fc.constantFrom('audio/mpeg', 'video/mp4', 'audio/x-aiff'),
  'time-zone': fc.constantFrom('Europe/Vienna', 'UTC', 'America/New_York'),
  isbn: fc.constantFrom('978-3-16-148410-0', '3161484100', '0-8044-2957-X'),
}

const patterns: Readonly<Record<string, fc.Arbitrary<string>>> = {
  '^(?!\\.{1,2}$)[A-Za-z0-9_.~-]+$': fc.stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,30}$/),
  '^[+-]?([1-9]|[1-4][0-9]|5[0-3])?(MO|TU|WE|TH|FR|SA|SU)$': fc.constantFrom('MO', '2TU', '-1FR', '+53SU'),
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': fc.constantFrom('en', 'de-AT', 'zh-Hant-TW'),
}

const stringOf = ({
  enum: words,
  format,
  pattern,
  minLength = 0,
  maxLength = 1000,
}: Schema): fc.Arbitrary<string> => {
  if (words !== undefined) return fc.constantFrom(...words)
  const table = format === undefined ? undefined : formats[format]
  if (format !== undefined && table === undefined) throw new Error(`no values for the format ${format}`)
  if (table !== undefined) return table
  const named = pattern === undefined ? undefined : patterns[pattern]
  if (pattern !== undefined && named === undefined) throw new Error(`no values for the pattern ${pattern}`)
  return named ?? text(minLength, maxLength)
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
