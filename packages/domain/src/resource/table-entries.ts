import type { Json, JsonObject } from '../json.js'
import type {
  AliasAttribute,
  Attribute,
  AttributeTable,
  ComputedAttribute,
  StateOf,
  StoredAttribute,
  WholeOf,
} from './attribute.js'

type Entries<A extends Attribute> = readonly (readonly [name: string, attribute: A])[]

/** The attributes of a table by what is done with them, each list in the table's order. */
export type TableEntries = {
  readonly stored: Entries<StoredAttribute>
  /** Those that store the moment of a date-time, and the name of that. */
  readonly moments: readonly (readonly [name: string, of: string])[]
  /** Those that clients set, as attributes or as parts with an address of their own. */
  readonly clientSet: ReadonlyMap<string, StoredAttribute>
  /** The names of those that only the service sets; what clients send for them is ignored. */
  readonly serviceSet: ReadonlySet<string>
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
  const blank = Object.fromEntries([...stored, ...computed].map(([name]) => [name, null]))
  const initial = Object.fromEntries(stored.map(([name, attribute]) => [name, attribute.initial ?? null]))
  return {
    stored,
    moments: stored.flatMap(([name, { momentOf }]) =>
      momentOf === undefined ? [] : [[name, momentOf] as const],
    ),
    clientSet: new Map(stored.filter(([, { internal, part, readOnly }]) => (!internal || part) && !readOnly)),
    serviceSet: new Set(
      stored.flatMap(([name, { internal, readOnly }]) => (internal || readOnly ? [name] : [])),
    ),
    addon: stored.filter(([, { addon }]) => addon !== undefined),
    alias: of('alias'),
    computed,
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
 * tested with the same tables when it was read (stored-state.ts), so this is where JSON becomes typed.
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
