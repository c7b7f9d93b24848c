import type { Json, JsonObject } from '../json.js'
import { fold } from '../value/fold.js'
import type { AttributeTable, ComputedAttribute } from './attribute.js'
import { attributesOf, tableEntries, type Shape } from './attribute-tables.js'

/** The value of a computed attribute. */
export const computedValue = (attribute: ComputedAttribute, state: JsonObject): Json => {
  if ('compute' in attribute) return attribute.compute(state)
  const text = attribute.foldedFrom(state)
  return text === null ? null : fold(text)
}

// Tables are declarations, so there are few.
const initialStates = new WeakMap<AttributeTable, JsonObject>()

/** The defaults of a table with the computed attributes that follow from them. */
const initialWithComputed = (table: AttributeTable): JsonObject => {
  const known = initialStates.get(table)
  if (known !== undefined) return known
  const { initial, computed } = tableEntries(table)
  const values = computed.map(([name, attribute]) => [name, computedValue(attribute, initial)] as const)
  const state = { ...initial, ...Object.fromEntries(values) }
  initialStates.set(table, state)
  return state
}

/**
 * The state with its computed attributes. Those of `previous`, a state that has them, are reused while the attributes that
 * they are computed from are the same; that is the state of defaults for a new object.
 */
export const withComputed = (
  shape: Shape,
  state: JsonObject,
  previous: JsonObject = initialWithComputed(attributesOf(shape, state)),
): JsonObject => {
  const whole: Record<string, Json> = { ...state }
  for (const [name, attribute] of tableEntries(shape.attributes).computed) {
    let known = previous[name]
    for (const read of attribute.reads) if (state[read] !== previous[read]) known = undefined
    whole[name] = known === undefined ? computedValue(attribute, state) : known
  }
  return whole
}
