/** What the tables of a database contain before a migration. */
import {
  type Document,
  type ExaminedCollection,
  type ExaminedStore,
  readDocument,
} from '@publishing-service/ports'
import type { Dialect } from './dialect.js'
import type { Layouts } from './layout.js'
import { plainStatement, type Steps } from './statement.js'

/** A collection with what a migration does with it, and what selects the columns of its documents; null without a table. */
export type ExaminedTable = Pick<ExaminedCollection, 'name' | 'work'> & { readonly table: string | null }

/** The collections of a database in which none has been created. */
export const missingTables = (layouts: Layouts): readonly ExaminedTable[] =>
  [...layouts.keys()].map((name) => ({ name, work: 'create', table: null }))

/** The number of documents of each collection, and the documents of the collection `read`. */
export function* examineTables(
  tables: readonly ExaminedTable[],
  read: string,
  { nameFrom }: Pick<Dialect, 'nameFrom'>,
): Steps<Pick<ExaminedStore, 'collections' | 'read'>> {
  const collections: ExaminedCollection[] = []
  let documents: readonly Document[] = []
  for (const { name, work, table } of tables) {
    if (table === null) {
      collections.push({ name, work, documents: new Map() })
      continue
    }
    const counted = yield plainStatement(
      `SELECT instance, count(*) FROM ${table} AS counted GROUP BY instance`,
    )
    collections.push({
      name,
      work,
      documents: new Map(counted.rows.map(([instance, count]) => [Number(instance), Number(count)])),
    })
    if (name !== read) continue
    const { rows } = yield plainStatement(
      `SELECT id, position, version, light, heavy FROM ${table} AS documents ORDER BY position`,
    )
    documents = rows.map(([id = null, position, version, light, heavy = null]) => ({
      id: nameFrom(id),
      position: Number(position),
      version: Number(version),
      value: readDocument(String(light), heavy === null ? null : String(heavy)),
    }))
  }
  return { collections, read: documents }
}
