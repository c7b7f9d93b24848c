/**
 * Arbitrary valid values of a schema, generated like those in the domain’s tests. Times exist in every time zone
 * and sort like their texts. Markup is generated from its schema.
 */
import fc from 'fast-check'
import type { Json } from '@publishing-service/domain/json'
import type { Schema } from '@publishing-service/domain/declare'
import { bodySchema, slotlessSchema } from '@publishing-service/domain/markup'
import { jsonOf, legalMarkup } from '@publishing-service/domain/testing/arbitraries'

const twoDigits = (value: number): string => String(value).padStart(2, '0')

// Clocks are put forward at night, so hours from 5 exist on every day.
const dateTime = fc
  .tuple(
    jsonOf({ type: 'string', format: 'date' }),
    fc.integer({ min: 5, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 59 }),
    fc.constantFrom('', '.5', '.125', '.000001'),
  )
  .map(
    ([date, hour, minute, second, fraction]) =>
      `${String(date)}T${[hour, minute, second].map(twoDigits).join(':')}${fraction}`,
  )

const formats: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  'naive-date-time': dateTime,
  markup: legalMarkup(slotlessSchema),
  'body-markup': legalMarkup(bodySchema),
}

/** Values of a schema. Optional properties are sometimes absent or null. */
export const valueOf = (schema: Schema): fc.Arbitrary<Json> => {
  const { type, format, items = {}, minItems = 0, properties = {}, required = [] } = schema
  if (format !== undefined) return formats[format] ?? jsonOf(schema)
  if (type === 'array') return fc.array(valueOf(items), { minLength: minItems, maxLength: 4 })
  if (type !== 'object') return jsonOf(schema)
  const entries = Object.entries(properties).map(([name, each]): [string, fc.Arbitrary<Json>] => [
    name,
    required.includes(name) ? valueOf(each) : fc.option(valueOf(each), { freq: 3 }),
  ])
  return fc.record(Object.fromEntries(entries), { requiredKeys: [...required], noNullPrototype: true })
}

/** One value of a schema, the same in every run. */
export const sampleOf = (schema: Schema): Json => {
  const [value] = fc.sample(valueOf(schema), { numRuns: 1, seed: 1 })
  if (value === undefined) throw new Error(`no value for ${JSON.stringify(schema)}`)
  return value
}
