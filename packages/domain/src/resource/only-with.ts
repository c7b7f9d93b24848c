/** A rule between attributes, declared as data: checked on writes and included in schemas. */
import { fault, type Fault } from '../fault.js'
import type { Json, JsonObject } from '../json.js'

/** Attributes that must be empty unless another attribute has one of these values. */
export type OnlyWith = {
  readonly attributes: readonly string[]
  readonly where: { readonly attribute: string; readonly values: readonly string[] }
}

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** A fault for each attribute that is set although it must be empty. */
export const onlyWithFaults = ({ attributes, where }: OnlyWith, state: JsonObject): readonly Fault[] =>
  where.values.includes(String(state[where.attribute]))
    ? []
    : attributes
        .filter((name) => !isEmpty(state[name]))
        .map((name) => fault(name, 'rule', `needs ${where.attribute} ${where.values.join(' or ')}`))
