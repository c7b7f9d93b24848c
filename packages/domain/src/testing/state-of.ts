/** Stored states, generated: what clients may send is written by the rules of the resource. */
import fc from 'fast-check'
import { isJsonObject, type JsonObject, type Json } from '../json.js'
import { couponAttributes, listingAttributes } from '../locations/listing-attributes.js'
import { partOf } from '../resource/attribute-tables.js'
import type { WriteMode } from '../resource/draft-attributes.js'
import { atOnce, completeWrite, draftWrite } from '../resource/draft-write.js'
import type { DeclaredResource } from '../resource/resource.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { now } from './circumstances.js'
import { inputFor, serviceSetFor } from './input-for.js'
import { command, write } from './decided.js'

// Generated recurrence rules whose parts are accepted together, and that are expanded fast.

const plainParts = ['freq', 'interval', 'wkst', 'byday', 'byhour', 'byminute'] as const
const maxCount = 9

const isPlainDay = (day: unknown): boolean => typeof day === 'string' && /^[A-Z]/.test(day)

/**
 * The input with only those parts of its rule that every frequency accepts, and weekdays without numbers. The rule has
 * few occurrences: those of other rules are tested where they are expanded. A list that does not end is renewed by
 * writes after a time, and properties of writes would have to know of it.
 */
const withPlainRecurrence = (input: JsonObject): JsonObject => {
  const { rrule } = input
  if (!isJsonObject(rrule)) return input
  const rule = Object.fromEntries(
    Object.entries(rrule).filter(([name]) => plainParts.some((each) => each === name)),
  )
  const { byday } = rule
  const { count } = rrule
  return {
    ...input,
    rrule: {
      ...rule,
      count: typeof count === 'number' ? Math.min(count, maxCount) : maxCount,
      ...(Array.isArray(byday) ? { byday: byday.filter(isPlainDay) } : {}),
    },
  }
}

// Generated locations that follow the rules between the attributes of listings and coupons.

const couponImage = '5e0d9d3c-0b6f-4c8e-9a57-3f1d2c4b6a70'

const namesIn = (table: object): readonly string[] => Object.keys(table)

const hasSome = (input: JsonObject, table: object): boolean =>
  namesIn(table).some((name) => (input[name] ?? null) !== null)

/** The input with a coupon image if it has another attribute of a coupon. */
const withCouponImage = (input: JsonObject): JsonObject =>
  hasSome(input, couponAttributes) && partOf(couponAttributes, input).coupon_img_uuid === null
    ? { ...input, coupon_img_uuid: couponImage }
    : input

/** The input of a PATCH with `is_listing: true` if it has another attribute of a listing. */
const withListing = (input: JsonObject): JsonObject =>
  namesIn(input).some((name) => name !== 'is_listing' && Object.hasOwn(listingAttributes, name))
    ? { ...withCouponImage(input), is_listing: true }
    : input

const without = (input: JsonObject, names: ReadonlySet<string | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([name]): boolean => !names.has(name)))

type Completion = (input: JsonObject) => JsonObject

/** Attributes that a rule between attributes requires in addition to the generated ones. */
const completions: Readonly<Record<string, Readonly<Partial<Record<WriteMode, Completion>>>>> = {
  content: { put: withPlainRecurrence, patch: withPlainRecurrence },
  locations: { put: withCouponImage, patch: withListing },
}

/** The input with the attributes that rules of the resource require in addition. */
export const accompanied = (resource: DeclaredResource, input: JsonObject, mode: WriteMode): JsonObject =>
  completions[resource.collection]?.[mode]?.(input) ?? input

/** The input without the attributes that break a rule between attributes. */
const lawful = (
  resource: DeclaredResource,
  input: JsonObject,
  previous: JsonObject | null,
  mode: WriteMode,
): JsonObject => {
  const { faults } = draftWrite(resource, command(mode, input, previous))
  if (faults.length === 0) return input
  const rest = without(input, new Set(faults.map(({ path }) => path.split('.')[0])))
  if (Object.keys(rest).length === Object.keys(input).length)
    throw new Error(`generated input has faults: ${JSON.stringify({ faults, input })}`)
  return lawful(resource, rest, previous, mode)
}

/** The state of an object that was created at `at`, with any attributes that the service sets itself. */
export const stateOf = (
  resource: DeclaredResource,
  variant: string | null,
  at: NaiveDateTime = now,
): fc.Arbitrary<JsonObject> =>
  fc.tuple(inputFor(resource, variant), serviceSetFor(resource, variant)).map(([sent, serviceSet]) => {
    const input = lawful(resource, accompanied(resource, sent, 'put'), null, 'put')
    const created = command('put', input, null, { now: at })
    const { state } = write(resource, created)
    const touched: Readonly<Record<string, Json>> = { ...state, ...serviceSet }
    const change = { ...created, previous: touched, supplied: new Set(['modified']) }
    return atOnce(completeWrite(resource, touched, change))
  })
