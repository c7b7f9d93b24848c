import type { JsonObject } from '../json.js'
import type { AttributeTable } from './attribute.js'

/** What has attributes, some of them only in certain variants: a resource, or an item such as a medium. */
export type Shape = { readonly attributes: AttributeTable; readonly variant?: string }

const tables = new WeakMap<AttributeTable, Map<string, AttributeTable>>()

const select = (attributes: AttributeTable, variant: string): AttributeTable =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      ([, attribute]) =>
        attribute.kind === 'computed' || attribute.only === undefined || attribute.only.includes(variant),
    ),
  )

/** The attributes that a state has, by its variant. */
export const attributesOf = (shape: Shape, state: JsonObject): AttributeTable => {
  const variant = shape.variant === undefined ? null : state[shape.variant]
  if (typeof variant !== 'string') return shape.attributes
  let known = tables.get(shape.attributes)
  if (known === undefined) tables.set(shape.attributes, (known = new Map()))
  let table = known.get(variant)
  if (table === undefined) known.set(variant, (table = select(shape.attributes, variant)))
  return table
}
