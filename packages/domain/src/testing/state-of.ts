/** Stored states, generated: what clients may send is written by the rules of the resource. */
import fc from 'fast-check'
import type { Json, JsonObject } from '../json.js'
import type { WriteMode } from '../resource/draft-attributes.js'
import { changeOf, completeWrite, draftWrite } from '../resource/draft-write.js'
import type { DeclaredResource } from '../resource/resource.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { now } from './circumstances.js'
import { inputFor, serviceSetFor } from './input-for.js'
import { withCouponImage, withListing } from './with-listing.js'
import { withPlainRecurrence } from './with-plain-recurrence.js'
import { command, write } from './write-command.js'

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
    return completeWrite(
      resource,
      touched,
      changeOf({ ...created, previous: touched }, new Set(['modified'])),
    )
  })
