/** A rule between attributes that is plain enough to be data: writes are judged by it, and schemas say it. */
import { fault, type Fault } from '../fault.js'
import type { Json, JsonObject } from '../json.js'

/** Attributes that stay empty unless another one has one of these values. */
export type Bound = {
  readonly attributes: readonly string[]
  readonly where: { readonly attribute: string; readonly values: readonly string[] }
}

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** One fault for each attribute that has a value where it can’t. */
export const boundFaults = ({ attributes, where }: Bound, state: JsonObject): readonly Fault[] =>
  where.values.includes(String(state[where.attribute]))
    ? []
    : attributes
        .filter((name) => !isEmpty(state[name]))
        .map((name) => fault(name, `needs ${where.attribute} ${where.values.join(' or ')}`))
