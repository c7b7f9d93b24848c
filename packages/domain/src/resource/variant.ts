/** Variants of objects: the attributes that each one has and needs, and rules between attributes. */
import { fault, type Fault } from '../fault.js'
import type { Json, JsonObject } from '../json.js'
import type { AcceptedOf, Attribute, AttributeTable } from './attribute.js'
import type { Schema } from '../value/schema.js'
import { partOf } from './table-entries.js'
import type { Viewer } from './view-context.js'

// Required attributes of variants, declared as data: checked on writes and included in schemas.

/** A requirement of a variant in addition to `required` of its attributes. */
export type Need = {
  readonly variant: string
  /** The values of another attribute with which it applies; it always applies by default. */
  readonly where?: { readonly attribute: string; readonly values: readonly string[] }
  /** At least one of these attributes has to be set and not empty. */
  readonly oneOf: readonly [string, ...string[]]
}

const isEmptyList = (value: Json | undefined): boolean => Array.isArray(value) && value.length === 0

/** A fault for each requirement that is not met, at its first attribute. */
export const needFaults = (needs: readonly Need[], property: string, state: JsonObject): readonly Fault[] =>
  needs.flatMap(({ variant, where, oneOf }) => {
    const reason = where === undefined ? `${property} ${variant}` : String(state[where.attribute])
    const isAbout = state[property] === variant && (where === undefined || where.values.includes(reason))
    if (!isAbout || oneOf.some((name) => (state[name] ?? null) !== null && !isEmptyList(state[name])))
      return []
    const [first, ...others] = oneOf
    const unless = others.length === 0 ? '' : `, unless ${others.join(' or ')} is sent`
    return [
      fault(
        first,
        'required',
        `${isEmptyList(state[first]) ? 'must not be empty' : 'is required'} for ${reason}${unless}`,
      ),
    ]
  })

// A rule between attributes, declared as data: checked on writes and included in schemas.

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

/** Further input forms of items. */
export type OtherForms = {
  readonly schemas: readonly Schema[]
  /** Completes the message «must be …». */
  readonly what: string
  /** Converts an item of any form to an object; null if it has none of the forms. */
  readonly read: (sent: unknown) => JsonObject | null
}

/** Examples in documents. What they refer to is in the sample publication, so that a new service accepts each. */
export type Examples = {
  /** The id of an object of the sample publication. */
  readonly id?: string
  /** The id of one that can be deleted, if that one cannot. */
  readonly deletable?: string
  /** What is sent, at most once for each variant. The object with the `id` is of the variant of the first. */
  readonly bodies: readonly JsonObject[]
  /** What changes an object; by default the first attribute of the first body. */
  readonly change?: JsonObject
}

/** Something with attributes, some of them only in certain variants: a resource, or an item such as a medium. */
export type Shape = {
  readonly attributes: AttributeTable
  readonly variant?: string
  /** Requirements of variants in addition to `required`. */
  readonly needs?: readonly Need[]
  readonly onlyWith?: OnlyWith
  /** Further input forms of the items of a whole list. */
  readonly otherForms?: OtherForms
  /** If absent, examples are made from the types and formats of attributes. */
  readonly examples?: Examples
  /** The state without what the viewer may not see; the whole state by default. */
  redact?(state: JsonObject, viewer: Viewer): JsonObject
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

/** If the variant is unknown, all attributes are accepted, and those of single variants are not required. */
const selectUnknown = (attributes: AttributeTable): AttributeTable =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      onlyOf(attribute) === undefined ? attribute : optional(attribute),
    ]),
  )

type Tables = { readonly known: ReadonlyMap<string, AttributeTable>; readonly unknown: AttributeTable }

// One entry for each variant, not for each text that clients send.
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

/**
 * A stored state, typed by its variant: the attributes that the variant has, each with its default where the state has
 * none. Heavy attributes are null if they were not read.
 */
export const stateIn = <R extends Shape>(shape: R, state: JsonObject): AcceptedOf<R> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what stores return is tested when it is read
  partOf(attributesOf(shape, state), state) as AcceptedOf<R>
