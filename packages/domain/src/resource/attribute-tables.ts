/**
 * Tables of attributes: their entries by what is done with them, the attributes that each variant of an object has, and the
 * test of stored JSON, which becomes typed here.
 */
import { type Json, type JsonObject, isJsonObject } from '../json.js'
import type {
  AliasAttribute,
  Attribute,
  AttributeTable,
  ComputedAttribute,
  StateOf,
  StoredAttribute,
  ValuesOfAnother,
  WholeOf,
  AcceptedOf,
} from './attribute.js'
import type { Schema } from '../value/schema.js'
import type { ValueType } from '../value/value-type.js'
import { fault, type Fault } from '../fault.js'
import type { Viewer } from './view-context.js'

type Entries<A extends Attribute> = readonly (readonly [name: string, attribute: A])[]

/** The attributes of a table by what is done with them, each list in the table's order. */
export type TableEntries = {
  readonly stored: Entries<StoredAttribute>
  /** Those that store the moment of a date-time, and the name of that. */
  readonly moments: readonly (readonly [name: string, of: string])[]
  /** Those that clients set, as attributes or as parts with a separate address. */
  readonly clientSet: ReadonlyMap<string, StoredAttribute>
  /** The names of those that only the service sets; what clients send for them is ignored. */
  readonly serviceSet: ReadonlySet<string>
  /** The names of those that drafts change and that earlier versions give an object again: what clients set, and moments. */
  readonly draftable: ReadonlySet<string>
  /** Those that name an API user. */
  readonly users: Entries<StoredAttribute>
  /** Those that need the directory add-on to be read or written. */
  readonly addon: Entries<StoredAttribute>
  readonly alias: Entries<AliasAttribute>
  readonly computed: Entries<ComputedAttribute>
  /** A state with nothing in it. */
  readonly blank: Readonly<Record<string, null>>
  /** The values of attributes that were added to the table after an object was stored. */
  readonly initial: JsonObject
}

// Tables are declarations, so there are few; each write uses some of them.
const cache = new WeakMap<AttributeTable, TableEntries>()

const sort = (table: AttributeTable): TableEntries => {
  const of = <K extends Attribute['kind']>(kind: K) =>
    Object.entries(table).filter(
      (entry): entry is [string, Extract<Attribute, { readonly kind: K }>] => entry[1].kind === kind,
    )
  const [stored, computed] = [of('stored'), of('computed')]
  const clientSet = stored.filter(([, { internal, part, readOnly }]) => (!internal || part) && !readOnly)
  const blank = Object.fromEntries([...stored, ...computed].map(([name]) => [name, null]))
  const initial = Object.fromEntries(stored.map(([name, attribute]) => [name, attribute.initial ?? null]))
  const entries: TableEntries = {
    stored,
    moments: stored.flatMap(([name, { momentOf }]) =>
      momentOf === undefined ? [] : [[name, momentOf] as const],
    ),
    clientSet: new Map(clientSet),
    draftable: new Set(
      [...clientSet, ...stored.filter(([, { momentOf }]) => momentOf !== undefined)].flatMap(
        ([name, { undrafted }]) => (undrafted ? [] : [name]),
      ),
    ),
    users: stored.filter(([, { userWith }]) => userWith !== undefined),
    serviceSet: new Set(
      stored.flatMap(([name, { internal, readOnly }]) => (internal || readOnly ? [name] : [])),
    ),
    addon: stored.filter(([, { addon }]) => addon !== undefined),
    alias: of('alias'),
    computed,
    blank,
    initial,
  }
  cache.set(table, entries)
  return entries
}

export const tableEntries = (table: AttributeTable): TableEntries => cache.get(table) ?? sort(table)

/**
 * The attributes of a table in a state, typed; an absent attribute has its default, or null. States are JSON that was
 * tested with the same tables when it was read, so this is where JSON becomes typed.
 */
export const partOf = <T extends AttributeTable>(table: T, state: JsonObject | undefined): StateOf<T> => {
  const part: Record<string, Json> = {}
  for (const [name, attribute] of tableEntries(table).stored)
    part[name] = state?.[name] ?? attribute.initial ?? null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what stores return is tested when it is read
  return part as StateOf<T>
}

/** One attribute of a table in a state, typed. */
export const attributeIn = <T extends AttributeTable, N extends keyof StateOf<T> & string>(
  table: T,
  name: N,
  state: JsonObject | undefined,
): StateOf<T>[N] => {
  const attribute: Attribute | undefined = table[name]
  const initial = attribute?.kind === 'stored' ? attribute.initial : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what stores return is tested when it is read
  return (state?.[name] ?? initial ?? null) as StateOf<T>[N]
}

/** An accepted state, in which no required attribute is null, typed. */
export const acceptedState = <T extends AttributeTable>(_table: T, state: JsonObject): WholeOf<T> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- writes are decided by the same table
  state as WholeOf<T>

// Whether stored JSON is of the types that a table declares: what the store returns was written by any release, or by hand.

/** What is checked of texts: whether they are texts, or, if a type has a closed set of words, also whether it is one. */
type Depth = 'types' | 'words'

/** The JSON of a type. */
type Form =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'any' }
  | { readonly kind: 'words'; readonly words: ReadonlySet<Json> }
  | { readonly kind: 'list'; readonly item: Form }
  | { readonly kind: 'tuple'; readonly items: readonly Form[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'oneOf'; readonly forms: readonly Form[] }
  | { readonly kind: 'tested'; readonly test: (value: Json) => boolean }

type Member = { readonly name: string; readonly form: Form; readonly isRequired: boolean }

const isOfForm = (form: Form, value: Json): boolean => {
  switch (form.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'any':
      return true
    case 'words':
      return form.words.has(value)
    case 'list':
      if (!Array.isArray(value)) return false
      for (const item of value) if (!isOfForm(form.item, item)) return false
      return true
    case 'tuple':
      if (!Array.isArray(value)) return false
      for (const [index, item] of form.items.entries())
        if (!isOfForm(item, value[index] ?? null)) return false
      return true
    case 'object':
      if (!isJsonObject(value)) return false
      for (const { name, form: member, isRequired } of form.members) {
        const part = value[name] ?? null
        if (part === null ? isRequired : !isOfForm(member, part)) return false
      }
      return true
    case 'oneOf':
      return form.forms.some((each) => isOfForm(each, value))
    case 'tested':
      return form.test(value)
  }
}

const formOfSchema = (schema: Schema, depth: Depth): Form => {
  const { type, items, prefixItems, properties = {}, required = [], anyOf } = schema
  switch (type) {
    case 'array':
      return prefixItems === undefined
        ? { kind: 'list', item: items === undefined ? { kind: 'any' } : formOfSchema(items, depth) }
        : { kind: 'tuple', items: prefixItems.map((each) => formOfSchema(each, depth)) }
    case 'object': {
      const members = Object.entries(properties).map(([name, each]): Member => ({
        name,
        form: formOfSchema(each, depth),
        isRequired: required.includes(name),
      }))
      return { kind: 'object', members }
    }
    case 'boolean':
      return { kind: 'boolean' }
    case 'integer':
    case 'number':
      return { kind: 'number' }
    case 'string':
      return depth === 'types' || schema.enum === undefined
        ? { kind: 'text' }
        : { kind: 'words', words: new Set(schema.enum) }
    default:
      return { kind: 'oneOf', forms: (anyOf ?? []).map((each) => formOfSchema(each, depth)) }
  }
}

const formOfType = ({ schema, isStored, variants }: ValueType, depth: Depth): Form => {
  const own: Form = isStored === undefined ? formOfSchema(schema, depth) : { kind: 'tested', test: isStored }
  if (variants === undefined) return own
  return { kind: 'oneOf', forms: [own, ...Object.values(variants).map((each) => formOfType(each, depth))] }
}

const formOfKey = (key: ComputedAttribute['key']): Form =>
  key === 'texts' || key === 'intervals' ? { kind: 'list', item: { kind: 'text' } } : { kind: key }

type ValueTest = (value: Json) => boolean

// Types are declarations, so there are few.
const valueTests = new WeakMap<ValueType, ValueTest>()

/** The test of stored values of a type. It is compiled once, for all plans that read the type. */
export const valueTest = (type: ValueType): ValueTest => {
  let test = valueTests.get(type)
  if (test === undefined) {
    const form = formOfType(type, 'words')
    valueTests.set(type, (test = (value) => isOfForm(form, value)))
  }
  return test
}

/**
 * Compiles the test of stored states of a table. Attributes may be absent or null, because an earlier release or a partial
 * read does not have them, and unknown ones are ignored; lengths and bounds are not checked, because a release may change
 * them. `types` also ignores which words there are.
 */
export const storedTest = (
  table: AttributeTable,
  depth: Depth = 'words',
): ((state: JsonObject) => boolean) => {
  const forms = new Map<string, Form>()
  for (const [name, attribute] of Object.entries(table))
    if (attribute.kind === 'stored') forms.set(name, formOfType(attribute.type, depth))
    else if (attribute.kind === 'computed') forms.set(name, formOfKey(attribute.key))
  return (state) => {
    for (const name in state) {
      const value = state[name] ?? null
      if (value === null) continue
      const form = forms.get(name)
      if (form !== undefined && !isOfForm(form, value)) return false
    }
    return true
  }
}

// Variants of objects: the attributes that each one has and needs, and rules between attributes.

// Required attributes of variants, declared as data: checked on writes and included in schemas.

/** A requirement of a variant in addition to `required` of its attributes. */
export type Need = {
  readonly variant: string
  /** The values of another attribute with which it applies; it always applies by default. */
  readonly where?: ValuesOfAnother
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

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** A fault for each attribute that is set although it must be empty. */
export const onlyWithFaults = (attributes: AttributeTable, state: JsonObject): readonly Fault[] =>
  Object.entries(attributes).flatMap(([name, attribute]) => {
    const where = attribute.kind === 'stored' ? attribute.onlyWith : undefined
    return where === undefined ||
      where.values.includes(String(state[where.attribute])) ||
      isEmpty(state[name])
      ? []
      : [fault(name, 'rule', `needs ${where.attribute} ${where.values.join(' or ')}`)]
  })

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

const tablesOf = (attributes: AttributeTable, variant: string): Tables => ({
  known: new Map(variantsOf(attributes, variant).map((each) => [each, select(attributes, each)])),
  unknown: selectUnknown(attributes),
})

/** The attributes that a state has, by its variant. */
export const attributesOf = ({ attributes, variant }: Shape, state: JsonObject): AttributeTable => {
  if (variant === undefined) return attributes
  let found = tables.get(attributes)
  if (found === undefined) tables.set(attributes, (found = tablesOf(attributes, variant)))
  const own = state[variant]
  return (typeof own === 'string' ? found.known.get(own) : undefined) ?? found.unknown
}

/**
 * A stored state, typed by its variant: the attributes that the variant has, each with its default where the state has
 * none. Heavy attributes are null if they were not read.
 */
export const stateIn = <R extends Shape>(shape: R, state: JsonObject): AcceptedOf<R> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what stores return is tested when it is read
  partOf(attributesOf(shape, state), state) as AcceptedOf<R>
