import type { JsonObject } from '../json.js'
import type {
  AliasAttribute,
  Attribute,
  AttributeTable,
  ComputedAttribute,
  StoredAttribute,
} from './attribute.js'

type Entries<A extends Attribute> = readonly (readonly [name: string, attribute: A])[]

/** The attributes of a table by what is done with them, each list in the table's order. */
export type TableEntries = {
  readonly stored: Entries<StoredAttribute>
  readonly alias: Entries<AliasAttribute>
  readonly computed: Entries<ComputedAttribute>
  /** A state with nothing in it. */
  readonly blank: Readonly<Record<string, null>>
  /** What an object reads that was stored before the table had an attribute. */
  readonly initial: JsonObject
}

// Tables are declarations, so there are few; each write of each object walks some of them.
const kept = new WeakMap<AttributeTable, TableEntries>()

const sort = (table: AttributeTable): TableEntries => {
  const of = <K extends Attribute['kind']>(kind: K) =>
    Object.entries(table).filter(
      (entry): entry is [string, Extract<Attribute, { readonly kind: K }>] => entry[1].kind === kind,
    )
  const [stored, computed] = [of('stored'), of('computed')]
  const blank = Object.fromEntries([...stored, ...computed].map(([name]) => [name, null]))
  const initial = Object.fromEntries(stored.map(([name, attribute]) => [name, attribute.initial ?? null]))
  return { stored, alias: of('alias'), computed, blank, initial }
}

export const tableEntries = (table: AttributeTable): TableEntries => {
  let entries = kept.get(table)
  if (entries === undefined) kept.set(table, (entries = sort(table)))
  return entries
}
