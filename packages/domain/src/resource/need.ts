/** Required attributes of variants, declared as data: checked on writes and included in schemas. */
import { fault, type Fault } from '../fault.js'
import type { Json, JsonObject } from '../json.js'

/** A requirement of a variant in addition to `required` of its attributes. */
export type Need = {
  readonly variant: string
  /** The values of another attribute with which it applies; it always applies by default. */
  readonly where?: { readonly attribute: string; readonly values: readonly string[] }
  /** At least one of these attributes has to be set and not empty. */
  readonly oneOf: readonly [string, ...string[]]
}

const isEmpty = (value: Json | undefined): boolean => Array.isArray(value) && value.length === 0

/** A fault for each requirement that is not met, at its first attribute. */
export const needFaults = (needs: readonly Need[], property: string, state: JsonObject): readonly Fault[] =>
  needs.flatMap(({ variant, where, oneOf }) => {
    const reason = where === undefined ? `${property} ${variant}` : String(state[where.attribute])
    const isAbout = state[property] === variant && (where === undefined || where.values.includes(reason))
    if (!isAbout || oneOf.some((name) => (state[name] ?? null) !== null && !isEmpty(state[name]))) return []
    const [first, ...others] = oneOf
    const unless = others.length === 0 ? '' : `, unless ${others.join(' or ')} is sent`
    return [
      fault(
        first,
        'required',
        `${isEmpty(state[first]) ? 'must not be empty' : 'is required'} for ${reason}${unless}`,
      ),
    ]
  })
