/** Reads of objects and rows, compiled from the declaration of their shape (docs/architecture.md#read-plans). */
import { fileDataAttributes } from '../files/file-data.js'
import type { Json, JsonObject } from '../json.js'
import { mayActAs, type Role } from '../role/permissions.js'
import type { IsAlive, Reference, ValueType } from '../value/value-type.js'
import type {
  AliasAttribute,
  Attribute,
  AttributeTable,
  ComputedAttribute,
  DerivedAttribute,
} from './attribute.js'
import { valueTest, attributeIn, attributesOf, type Shape } from './attribute-tables.js'
import type { Count, ViewContext, Viewer } from './view-context.js'

export type ShownAttribute = Exclude<Attribute, ComputedAttribute>

/** A reference that a view needs, and the reference attribute to follow repeatedly from its target. */
export type Lookup = { readonly reference: Reference; readonly chain?: string }

/** The parts of documents that attributes are read from. */
export type Detail = 'light' | 'full'

/** The detail that these attributes need. */
export const detailOf = (table: AttributeTable, names: readonly string[]): Detail => {
  for (const name of names) {
    const attribute = table[name]
    const isHeavy =
      attribute?.kind === 'stored' ? attribute.heavy : attribute?.kind === 'derived' && attribute.readsHeavy
    if (isHeavy) return 'full'
  }
  return 'light'
}

/** How one attribute is read. */
type Column = {
  readonly name: string
  /** The position of the first column with the name: a name may be selected repeatedly. */
  readonly first: number
  /** A single object does not have it while it is null. */
  readonly isSparse: boolean
  /** The value where a state has none. */
  readonly initial: Json
  /** Whether the role may not see it: it is null. */
  readonly isHidden: boolean
  /** Computes it from the state; null for a stored attribute. */
  readonly derived: DerivedAttribute | AliasAttribute | null
  /** Whether a value of a stored attribute is of its type; null for others. */
  readonly isOfType: ((value: Json) => boolean) | null
  /** The type of a stored attribute whose references to deleted objects are replaced; null where there can be none. */
  readonly resolved: ValueType | null
}

/** The stored attributes that refer to what an attribute reads, and how to follow on from there. */
type Referring = {
  readonly sources: readonly (readonly [name: string, type: ValueType])[]
  readonly chain: string | undefined
  readonly alsoReads: Reference | undefined
}

/** The plan of one variant. */
type VariantPlan = { readonly columns: readonly (Column | null)[]; readonly referring: readonly Referring[] }

/**
 * The attributes to read: all of a single object, those of an included object (not long, and without a count of other
 * objects), or these names.
 */
export type Selection = 'object' | 'summary' | readonly string[]

export const isShown = (attribute: Attribute): attribute is ShownAttribute =>
  attribute.kind === 'stored' ? !attribute.internal && !attribute.writeOnly : attribute.kind !== 'computed'

const isSelected = (attribute: ShownAttribute, selection: 'object' | 'summary'): boolean => {
  if (attribute.kind === 'derived' && attribute.rowsOnly) return false
  if (selection === 'object') return true
  return attribute.kind === 'stored'
    ? attribute.heavy !== true
    : attribute.kind !== 'derived' || attribute.counts === undefined
}

/** The names of the selected attributes. */
export const namesOf = (table: AttributeTable, selection: Selection): readonly string[] =>
  typeof selection === 'string'
    ? Object.entries(table).flatMap(([name, attribute]) =>
        isShown(attribute) && isSelected(attribute, selection) ? [name] : [],
      )
    : selection

const columnOf = (name: string, first: number, attribute: ShownAttribute, role: Role): Column => {
  const { sparse, visibleTo } = attribute
  const isStored = attribute.kind === 'stored'
  return {
    name,
    first,
    isSparse: sparse === true,
    isHidden: visibleTo !== undefined && !mayActAs(role, visibleTo),
    initial: isStored ? (attribute.initial ?? null) : null,
    derived: isStored ? null : attribute,
    isOfType: isStored ? valueTest(attribute.type) : null,
    resolved: isStored && attribute.type.resolve !== undefined ? attribute.type : null,
  }
}

const sourcesOf = (table: AttributeTable, names: readonly string[]): Referring['sources'] =>
  names.flatMap((name) => {
    const attribute = table[name]
    return attribute?.kind !== 'stored' || attribute.type.references === undefined
      ? []
      : [[name, attribute.type] as const]
  })

const referringOf = (table: AttributeTable, name: string): readonly Referring[] => {
  const attribute = table[name]
  if (attribute === undefined || attribute.kind === 'alias' || attribute.kind === 'computed') return []
  const isDerived = attribute.kind === 'derived'
  if (!isDerived && attribute.internal) return []
  const sources = sourcesOf(table, isDerived ? attribute.needs : [name])
  const { chain, alsoReads } = isDerived ? attribute : {}
  return sources.length === 0 ? [] : [{ sources, chain, alsoReads }]
}

/** The states of the referenced objects that exist and that the role may see, by `collection/UUID`. */
export type FoundObjects = ReadonlyMap<`${string}/${string}`, JsonObject>

/** Looks up referenced objects among those that were found. */
export const findAmong =
  (found: FoundObjects): ViewContext['find'] =>
  (collection, id) =>
    found.get(`${collection}/${id}`)

/** Whether the target of a reference exists, is visible to the role and has the right kind. */
export const isAliveIn =
  (find: ViewContext['find']): IsAlive =>
  ({ collection, id, media }) => {
    const state = find(collection, id)
    if (state === undefined || media === undefined) return state !== undefined
    return attributeIn(fileDataAttributes, 'mimetype', state)?.startsWith(`${media}/`) === true
  }

const valueOf = (
  { name, isHidden, derived, initial, resolved }: Column,
  state: JsonObject,
  view: ViewContext,
  isAlive: IsAlive,
): Json => {
  if (isHidden) return null
  if (derived !== null) return derived.derive(state, view)
  const stored = state[name]
  const value = stored === undefined ? initial : stored
  return value === null || resolved?.resolve === undefined ? value : resolved.resolve(value, isAlive)
}

/** How the selected attributes of a shape are read by a role. It knows the variants of the shape. */
export class ReadPlan {
  /** The counts that the attributes read. */
  readonly counts: readonly Count[]
  /** The detail that the attributes need. */
  readonly detail: Detail
  readonly #shape: Shape
  readonly #role: Role
  readonly #hasAddon: boolean
  readonly #selection: Selection
  /** By variant; states without one have the empty text. */
  readonly #variants = new Map<string, VariantPlan>()

  constructor(shape: Shape, { role, settings }: Pick<Viewer, 'role' | 'settings'>, selection: Selection) {
    this.#shape = shape
    this.#role = role
    this.#hasAddon = settings.directory_addon
    this.#selection = selection
    const names = namesOf(shape.attributes, selection)
    this.detail = detailOf(shape.attributes, names)
    this.counts = names.flatMap((name) => {
      const attribute = shape.attributes[name]
      if (attribute?.kind !== 'derived' || attribute.counts === undefined) return []
      return attribute.visibleTo === undefined || mayActAs(role, attribute.visibleTo)
        ? [attribute.counts]
        : []
    })
  }

  /** The look-ups that the view of a state needs. */
  lookups(state: JsonObject): readonly Lookup[] {
    const lookups: Lookup[] = []
    for (const { sources, chain, alsoReads } of this.#planOf(state).referring) {
      const before = lookups.length
      for (const [source, type] of sources) {
        const value = state[source] ?? null
        if (value === null) continue
        for (const reference of type.references?.(value) ?? [])
          lookups.push(chain === undefined ? { reference } : { reference, chain })
      }
      if (lookups.length > before && alsoReads !== undefined) lookups.push({ reference: alsoReads })
    }
    return lookups
  }

  /** The object as the role reads it: null for what it may not see. Sparse attributes are left out while they are null. */
  object(state: JsonObject, view: ViewContext): JsonObject {
    const { columns } = this.#planOf(state)
    const revealed = this.#shape.redact?.(state, view) ?? state
    const isAlive = isAliveIn(view.find)
    const object: Record<string, Json> = {}
    for (const column of columns) {
      if (column === null) continue
      const value = valueOf(column, revealed, view, isAlive)
      if (value !== null || !column.isSparse) object[column.name] = value
    }
    return object
  }

  /**
   * One row of a collection: null for what the variant does not have, or the role may not see. A repeated name is read
   * once. Throws an Error if a stored value is not of its type: the states of rows are not tested as a whole.
   */
  row(state: JsonObject, view: ViewContext): readonly Json[] {
    const { columns } = this.#planOf(state)
    const revealed = this.#shape.redact?.(state, view) ?? state
    const isAlive = isAliveIn(view.find)
    const row: Json[] = []
    for (const column of columns) {
      if (column === null) row.push(null)
      else if (column.first < row.length) row.push(row[column.first] ?? null)
      else {
        const stored = state[column.name] ?? null
        if (stored !== null && column.isOfType?.(stored) === false)
          throw new Error(`${column.name} is not of its type`)
        row.push(valueOf(column, revealed, view, isAlive))
      }
    }
    return row
  }

  #planOf(state: JsonObject): VariantPlan {
    const { variant } = this.#shape
    const own = variant === undefined ? undefined : state[variant]
    const key = typeof own === 'string' ? own : ''
    let plan = this.#variants.get(key)
    if (plan === undefined) this.#variants.set(key, (plan = this.#compile(attributesOf(this.#shape, state))))
    return plan
  }

  #compile(table: AttributeTable): VariantPlan {
    const names = namesOf(table, this.#selection)
    const columns = new Map<string, Column | null>()
    for (const [position, name] of names.entries()) {
      if (columns.has(name)) continue
      const attribute = table[name]
      const isOn =
        attribute !== undefined && isShown(attribute) && (attribute.addon !== true || this.#hasAddon)
      columns.set(name, isOn ? columnOf(name, position, attribute, this.#role) : null)
    }
    return {
      columns: names.map((name) => columns.get(name) ?? null),
      referring: [...columns].flatMap(([name, column]) => (column === null ? [] : referringOf(table, name))),
    }
  }
}

// Shapes are declarations, so there are few.
const plans = new WeakMap<Shape, Map<string, ReadPlan>>()

/** The most plans of a shape. Clients combine names as they like, but most use few combinations. */
const mostPlans = 500

/** The plan of a shape for a viewer. It is compiled once. */
export const readPlan = (
  shape: Shape,
  viewer: Pick<Viewer, 'role' | 'settings'>,
  selection: Selection = 'object',
): ReadPlan => {
  const { role, settings } = viewer
  const selected = typeof selection === 'string' ? selection : `of ${selection.join(' ')}`
  const key = `${role} ${settings.directory_addon} ${selected}`
  let ofShape = plans.get(shape)
  if (ofShape === undefined) plans.set(shape, (ofShape = new Map()))
  let plan = ofShape.get(key)
  if (plan === undefined) {
    if (ofShape.size >= mostPlans) ofShape.clear()
    ofShape.set(key, (plan = new ReadPlan(shape, viewer, selection)))
  }
  return plan
}

/** The whole object as one role reads it, with references that are loaded. */
export const viewOf = (shape: Shape, state: JsonObject, view: ViewContext): JsonObject =>
  readPlan(shape, view).object(state, view)
