/** Rules between attributes that are plain enough to be data: writes are judged by them, and schemas say them. */
import { fault, type Fault } from '../fault.js'
import type { Json, JsonObject } from '../json.js'

/** What a variant needs beside what each of its attributes says for itself. */
export type Need = {
  readonly variant: string
  /** The values of another attribute with which it is needed; any where not said. */
  readonly where?: { readonly attribute: string; readonly values: readonly string[] }
  /** One of them has to be there, and not empty. */
  readonly oneOf: readonly [string, ...string[]]
}

const isEmpty = (value: Json | undefined): boolean => Array.isArray(value) && value.length === 0

/** What the variant that `property` names lacks, told at the first attribute that would do. */
export const needFaults = (needs: readonly Need[], property: string, state: JsonObject): readonly Fault[] =>
  needs.flatMap(({ variant, where, oneOf }) => {
    const reason = where === undefined ? `${property} ${variant}` : String(state[where.attribute])
    const isAbout = state[property] === variant && (where === undefined || where.values.includes(reason))
    if (!isAbout || oneOf.some((name) => (state[name] ?? null) !== null && !isEmpty(state[name]))) return []
    const [first, ...others] = oneOf
    const unless = others.length === 0 ? '' : `, unless ${others.join(' or ')} is given`
    return [
      fault(first, `${isEmpty(state[first]) ? 'must not be empty' : 'is required'} for ${reason}${unless}`),
    ]
  })
