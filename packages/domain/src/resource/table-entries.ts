import type { Json, JsonObject } from '../json.js'
import type {
  AliasAttribute,
  Attribute,
  AttributeTable,
  ComputedAttribute,
  DerivedAttribute,
  StateOf,
  StoredAttribute,
  WholeOf,
} from './attribute.js'
import type { Count } from './view-context.js'

type Entries<A extends Attribute> = readonly (readonly [name: string, attribute: A])[]

export type ShownAttribute = Exclude<Attribute, ComputedAttribute>

/** An attribute whose view looks up others: the stored attributes that refer to them, and how to follow on from there. */
type Referring = Pick<DerivedAttribute, 'chain' | 'alsoReads'> & {
  readonly sources: Entries<StoredAttribute>
}

/** The attributes of a table by what is done with them, each list in the table's order. */
export type TableEntries = {
  readonly stored: Entries<StoredAttribute>
  /** Those that store the moment of a date-time, and the name of that. */
  readonly moments: readonly (readonly [name: string, of: string])[]
  readonly alias: Entries<AliasAttribute>
  readonly computed: Entries<ComputedAttribute>
  /** Those that clients read. */
  readonly shown: ReadonlyMap<string, ShownAttribute>
  /** The names of those that a single object has. */
  readonly single: readonly string[]
  /** The names of those that an included object has: not long, and without a count of other objects. */
  readonly light: readonly string[]
  /** Those whose view looks up others. */
  readonly referring: ReadonlyMap<string, Referring>
  /** Those whose view reads a count. */
  readonly counting: ReadonlyMap<string, Count>
  /** A state with nothing in it. */
  readonly blank: Readonly<Record<string, null>>
  /** The values of attributes that were added to the table after an object was stored. */
  readonly initial: JsonObject
}

// Tables are declarations, so there are few; each write uses some of them.
const cache = new WeakMap<AttributeTable, TableEntries>()

const isShown = (entry: readonly [string, Attribute]): entry is [string, ShownAttribute] => {
  const [, attribute] = entry
  if (attribute.kind === 'stored') return !attribute.internal && !attribute.writeOnly
  return attribute.kind !== 'computed'
}

const isInSingleObject = (attribute: ShownAttribute): boolean =>
  !(attribute.kind === 'derived' && attribute.rowsOnly)

const isLight = (attribute: ShownAttribute): boolean =>
  !(attribute.kind === 'stored' && attribute.heavy) &&
  !(attribute.kind === 'derived' && attribute.counts !== undefined)

/** The stored attributes among the named ones that can refer to others. */
const sourcesAmong = (table: AttributeTable, names: readonly string[]): Entries<StoredAttribute> =>
  names.flatMap((name) => {
    const attribute = table[name]
    return attribute?.kind === 'stored' && attribute.type.references !== undefined ? [[name, attribute]] : []
  })

const referringOf = (table: AttributeTable, name: string, attribute: Attribute): Referring | null => {
  if (attribute.kind === 'derived') return { ...attribute, sources: sourcesAmong(table, attribute.needs) }
  return attribute.kind === 'stored' && !attribute.internal ? { sources: sourcesAmong(table, [name]) } : null
}

const sort = (table: AttributeTable): TableEntries => {
  const of = <K extends Attribute['kind']>(kind: K) =>
    Object.entries(table).filter(
      (entry): entry is [string, Extract<Attribute, { readonly kind: K }>] => entry[1].kind === kind,
    )
  const [stored, computed] = [of('stored'), of('computed')]
  const blank = Object.fromEntries([...stored, ...computed].map(([name]) => [name, null]))
  const initial = Object.fromEntries(stored.map(([name, attribute]) => [name, attribute.initial ?? null]))
  const entries = Object.entries(table)
  const shown = entries.filter(isShown)
  const single = shown.filter(([, attribute]) => isInSingleObject(attribute))
  return {
    stored,
    moments: stored.flatMap(([name, { momentOf }]) =>
      momentOf === undefined ? [] : [[name, momentOf] as const],
    ),
    alias: of('alias'),
    computed,
    shown: new Map(shown),
    single: single.map(([name]) => name),
    light: single.filter(([, attribute]) => isLight(attribute)).map(([name]) => name),
    referring: new Map(
      entries.flatMap(([name, attribute]) => {
        const referring = referringOf(table, name, attribute)
        return referring === null || referring.sources.length === 0 ? [] : [[name, referring]]
      }),
    ),
    counting: new Map(
      entries.flatMap(([name, attribute]) =>
        attribute.kind === 'derived' && attribute.counts !== undefined ? [[name, attribute.counts]] : [],
      ),
    ),
    blank,
    initial,
  }
}

export const tableEntries = (table: AttributeTable): TableEntries => {
  let entries = cache.get(table)
  if (entries === undefined) cache.set(table, (entries = sort(table)))
  return entries
}

/**
 * The attributes of a table in a state, typed; an absent attribute has its default, or null. States are JSON that was
 * written by the same tables, so this is where JSON becomes typed.
 */
export const partOf = <T extends AttributeTable>(table: T, state: JsonObject | undefined): StateOf<T> => {
  const part: Record<string, Json> = {}
  for (const [name, attribute] of tableEntries(table).stored)
    part[name] = state?.[name] ?? attribute.initial ?? null
  return part as StateOf<T>
}

/** A stored state of a resource, typed. Heavy attributes are null if they were not read. */
export const typedState = <T extends AttributeTable>(
  { attributes }: { readonly attributes: T },
  state: JsonObject | undefined,
): StateOf<T> => partOf(attributes, state)

/** An accepted state, in which no required attribute is null, typed. */
export const acceptedState = <T extends AttributeTable>(_table: T, state: JsonObject): WholeOf<T> =>
  state as WholeOf<T>
