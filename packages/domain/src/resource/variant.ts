import type { JsonObject } from '../json.js'
import type { Attribute, AttributeTable } from './attribute.js'
import type { Bound } from './bound.js'
import type { Schema } from '../value/schema.js'
import type { Need } from './need.js'
import type { Viewer } from './view-context.js'

/** Forms in which items are accepted beside that of an object with the declared attributes. */
export type OtherForms = {
  readonly schemas: readonly Schema[]
  /** Completes «must be …». */
  readonly what: string
  /** The object that an item of any form means; null where it has none of them. */
  readonly read: (sent: unknown) => JsonObject | null
}

/** What has attributes, some of them only in certain variants: a resource, or an item such as a medium. */
export type Shape = {
  readonly attributes: AttributeTable
  readonly variant?: string
  /** What variants need beside what each attribute says. */
  readonly needs?: readonly Need[]
  readonly bound?: Bound
  /** Other forms that items of a whole list may have. */
  readonly otherForms?: OtherForms
  /** The state as far as a viewer may know of it now; where not said, all of it. */
  reveal?(state: JsonObject, viewer: Viewer): JsonObject
}

const variantsOf = (attributes: AttributeTable, variant: string): readonly string[] => {
  const attribute = attributes[variant]
  return attribute?.kind === 'stored' ? (attribute.type.schema.enum ?? []) : []
}

const onlyOf = (attribute: Attribute): readonly string[] | undefined =>
  attribute.kind === 'computed' ? undefined : attribute.only

const typedFor = (attribute: Attribute, variant: string): Attribute => {
  const type = attribute.kind === 'stored' ? attribute.type.variants?.[variant] : undefined
  return attribute.kind !== 'stored' || type === undefined ? attribute : { ...attribute, type }
}

const select = (attributes: AttributeTable, variant: string): AttributeTable =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, attribute]) => onlyOf(attribute)?.includes(variant) ?? true)
      .map(([name, attribute]) => [name, typedFor(attribute, variant)]),
  )

const optional = (attribute: Attribute): Attribute => {
  if (attribute.kind !== 'stored') return attribute
  const { required: _required, ...rest } = attribute
  return rest
}

/** Where the variant isn't known, every attribute may be meant, and none of a single variant can be asked for. */
const selectUnknown = (attributes: AttributeTable): AttributeTable =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      onlyOf(attribute) === undefined ? attribute : optional(attribute),
    ]),
  )

type Tables = { readonly known: ReadonlyMap<string, AttributeTable>; readonly unknown: AttributeTable }

// One entry a variant, never one a text that a client sends as its variant.
const tables = new WeakMap<AttributeTable, Tables>()

const tablesOf = (attributes: AttributeTable, variant: string): Tables => {
  let found = tables.get(attributes)
  if (found === undefined) {
    const known = new Map(variantsOf(attributes, variant).map((each) => [each, select(attributes, each)]))
    tables.set(attributes, (found = { known, unknown: selectUnknown(attributes) }))
  }
  return found
}

/** The attributes that a state has, by its variant. */
export const attributesOf = ({ attributes, variant }: Shape, state: JsonObject): AttributeTable => {
  if (variant === undefined) return attributes
  const { known, unknown } = tablesOf(attributes, variant)
  const own = state[variant]
  return (typeof own === 'string' ? known.get(own) : undefined) ?? unknown
}
