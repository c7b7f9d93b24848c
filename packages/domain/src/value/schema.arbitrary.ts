/**
 * Values that a schema describes, as a client may send them. What patterns can't say, such as the names of zones,
 * stands behind the names of formats.
 */
import fc from 'fast-check'
import type { Json, JsonObject } from '../json.js'
import type { Schema } from './schema.js'

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')

const moments = fc.date({
  min: new Date('1971-01-01T00:00:00Z'),
  max: new Date('2199-12-31T23:59:59Z'),
  noInvalidDate: true,
})

const days = moments.map((moment) => moment.toISOString().slice(0, 10))

const offsets = fc.constantFrom('', 'Z', '+02:00', '-0730', '+14')

/** Within the hour that a zone of Europe leaves out some day in March: as a naive time it may not exist. */
const mayBeLeftOut = (moment: Date): boolean => moment.getUTCMonth() === 2 && moment.getUTCHours() === 2

const dateTimes = fc.oneof(
  days,
  fc
    .tuple(
      moments.filter((moment) => !mayBeLeftOut(moment)),
      fc.constantFrom('T', ' '),
      fc.constantFrom(16, 19, 21, 23),
      offsets,
    )
    .map(
      ([moment, separator, length, offset]) =>
        `${moment.toISOString().slice(0, length).replace('T', separator)}${offset}`,
    ),
)

const durations = fc
  .tuple(fc.nat(99), fc.nat(99), fc.nat(99))
  .map(([days_, hours, minutes]) => `P${days_}DT${hours}H${pad(minutes, 2)}M`)

const markups = fc
  .array(
    fc.constantFrom(
      '<p>Grüß <em>Gott</em></p>',
      '<h4>a &amp; b</h4>',
      '<hr/>',
      '<ul><li>one</li>\n<li>two</li></ul>',
      '<blockquote><p>“</p></blockquote>',
      '<p><a href="https://example.org/?a=1&amp;b=2" title="t">x</a></p>',
      ' ',
    ),
    { maxLength: 4 },
  )
  .map((blocks) => blocks.join(''))

const bodies = fc
  .tuple(markups, fc.uniqueArray(fc.uuid(), { maxLength: 3 }))
  .map(([text, slots]) => `${text}${slots.map((id) => `<slot id="${id}"/>`).join('\n')}`)

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const texts = ({ minLength = 0, maxLength = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 20) })
    .map((text) => text.replace(control, '·'))

/** The generator knows no assertions that look ahead; what they forbid is left out afterwards. */
const matching = (pattern: string): fc.Arbitrary<string> =>
  fc
    .stringMatching(new RegExp(pattern.replace(/\(\?![^)]*\)/, '')))
    .filter((text) => new RegExp(pattern).test(text))

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.tuple(fc.uuid(), fc.boolean()).map(([id, upper]) => (upper ? id.toUpperCase() : id)),
  'web-address': fc.webUrl({ withFragments: true, withQueryParameters: true }),
  email: fc.emailAddress(),
  date: days,
  duration: durations,
  'naive-date-time': dateTimes,
  markup: markups,
  'body-markup': bodies,
  isbn: fc.constantFrom('978-3-16-148410-0', '3161484100', '0-8044-2957-X', '080442957x'),
  'time-zone': fc.constantFrom('UTC', 'Europe/Vienna', 'America/New_York', 'Asia/Kathmandu'),
  mimetype: fc.constantFrom('audio/mpeg', 'video/mp4', 'audio/ogg'),
}

/** Latitude and longitude have bounds of their own, which a schema of lists can’t tell apart. */
const coordinates = fc.tuple(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.double({ min: -180, max: 180, noNaN: true }),
)

const lists = (schema: Schema): fc.Arbitrary<Json> =>
  schema.format === 'coordinates'
    ? coordinates
    : fc.array(jsonOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: (schema.minItems ?? 0) + 3,
      })

const strings = (schema: Schema): fc.Arbitrary<string> => {
  const own = schema.format === undefined ? undefined : formats[schema.format]
  if (own !== undefined) return own
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const { maxLength = Number.MAX_SAFE_INTEGER } = schema
  return schema.pattern === undefined
    ? texts(schema)
    : matching(schema.pattern).filter(({ length }) => length <= maxLength)
}

const objects = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<Json> =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        required.includes(name) ? jsonOf(schema) : fc.option(jsonOf(schema), { freq: 4 }),
      ]),
    ),
    { requiredKeys: [...required], noNullPrototype: true },
  ) as fc.Arbitrary<JsonObject>

/** JSON that the schema describes. */
export const jsonOf = (schema: Schema): fc.Arbitrary<Json> => {
  switch (schema.type) {
    case 'string':
      return strings(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return lists(schema)
    case 'object':
      return objects(schema)
    default:
      throw new Error(`a schema without a type: ${JSON.stringify(schema)}`)
  }
}
