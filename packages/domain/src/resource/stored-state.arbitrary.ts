/** States as the service stores them: made by writing what clients may send, through the resource's own rules. */
import fc from 'fast-check'
import { withPlainRecurrence } from '../content/recurrence.arbitrary.js'
import type { Json, JsonObject } from '../json.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import {
  inputFor,
  now,
  objectId,
  serviceSetFor,
  valueContext,
  withAddon,
} from './attribute-table.arbitrary.js'
import { withCouponImage, withListing } from '../location/location.arbitrary.js'
import type { Draft, WriteMode } from './decode-attributes.js'
import { changeOf, completeWrite, draftWrite, type WriteCommand } from './draft-write.js'
import type { Resource } from './resource.js'

type Circumstances = Partial<Pick<WriteCommand, 'now' | 'settings' | 'context' | 'id'>>

export const command = (
  mode: WriteMode,
  input: JsonObject,
  previous: JsonObject | null,
  circumstances: Circumstances = {},
): WriteCommand => ({
  mode,
  id: objectId,
  input,
  previous,
  now,
  settings: withAddon,
  context: valueContext,
  ...circumstances,
})

/** A write as the service does it: the draft, and the state to store. */
export const write = (
  resource: Resource,
  sent: WriteCommand,
): { readonly draft: Draft; readonly state: JsonObject } => {
  const draft = draftWrite(resource, sent)
  return { draft, state: completeWrite(resource, draft.state, changeOf(sent, draft.supplied)) }
}

const without = (input: JsonObject, names: ReadonlySet<string | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([name]): boolean => !names.has(name)))

type Completion = (input: JsonObject) => JsonObject

/** What rules between attributes ask for beside what was generated. */
const completions: Readonly<Record<string, Readonly<Partial<Record<WriteMode, Completion>>>>> = {
  content: { put: withPlainRecurrence, patch: withPlainRecurrence },
  locations: { put: withCouponImage, patch: withListing },
}

/** The input with what the resource wants to come along with it. */
export const accompanied = (resource: Resource, input: JsonObject, mode: WriteMode): JsonObject =>
  completions[resource.collection]?.[mode]?.(input) ?? input

/** The input without the attributes that break a rule with others. */
export const lawful = (
  resource: Resource,
  input: JsonObject,
  previous: JsonObject | null,
  mode: WriteMode,
): JsonObject => {
  const { faults } = draftWrite(resource, command(mode, input, previous))
  if (faults.length === 0) return input
  const rest = without(input, new Set(faults.map(({ path }) => path.split('.')[0])))
  if (Object.keys(rest).length === Object.keys(input).length)
    throw new Error(`generated input is refused: ${JSON.stringify({ faults, input })}`)
  return lawful(resource, rest, previous, mode)
}

/** An object somebody created at `at`, with whatever the service set on it since. */
export const stateOf = (
  resource: Resource,
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
