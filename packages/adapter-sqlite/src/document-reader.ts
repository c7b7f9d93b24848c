/** Reads documents on the calling thread: microseconds from SQLite's cache, and every commit is seen at once. */
import type Database from 'better-sqlite3'
import type { Json, JsonObject } from '@publishing-service/domain'
import { type Document, type Page, readDocument, type Query, type Tallied } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import { type CollectionLayout, idIndex } from './collection-layout.js'
import { documentCache, type DocumentCache } from './document-cache.js'
import { type Parameter, quoted } from './key-column.js'
import { cursorOf, pagePlanner } from './page-planner.js'
import { type PageRow, pageRowsReader } from './page-rows.js'
import { tallyQuery } from './tally-query.js'

/** id, version, light, heavy. */
type Row = readonly [string, number, string, string | null]
/** id, version, sequence, light. */
type LightDocumentRow = readonly [string, number, number, string]
/** sequence, bytes. */
type SizeRow = readonly [number, number]
/** sequence, light, heavy. */
type TextRow = readonly [number, string, string | null]
export type DocumentReader = {
  /** Throws when the file can't be read. */
  readonly check: () => void
  readonly get: (layout: CollectionLayout, instance: number, id: string) => Document | null
  readonly getMany: (
    layout: CollectionLayout,
    instance: number,
    ids: readonly string[],
    detail: 'light' | 'full',
  ) => readonly Document[]
  readonly find: (layout: CollectionLayout, instance: number, query: Query) => Page
  readonly tally: (
    layout: CollectionLayout,
    instance: number,
    key: string,
    within: Readonly<Record<string, Json>>,
  ) => readonly Tallied[]
}

/** Each shape of query has one statement, or some; a service has some dozens of shapes. */
const mostStatements = 256

/** Characters of light documents that are cached of each collection. */
const cachedCharacters = 4 * 1024 * 1024

/** Rows that the first walk with tests may read for a page of so many. */
const defaultFirstLimit = (wanted: number): number => 200 + 4 * wanted

const documentOf = ([id, version, light, heavy]: Row): Document => ({
  id,
  version,
  value: readDocument(light, heavy),
})

/** The statements that find one document by its id, and several; and the cached light documents. */
type Read = { readonly one: string; readonly many: string }
type Reads = { readonly full: Read; readonly light: Read; readonly cache: DocumentCache }

const readsFrom = ({ table }: CollectionLayout): Reads => {
  const read = (columns: string): Read => {
    const select = `SELECT ${columns} FROM ${quoted(table)} INDEXED BY ${quoted(idIndex(table))} WHERE instance = ? AND id`
    return { one: `${select} = ?`, many: `${select} IN (SELECT value FROM json_each(?))` }
  }
  return {
    full: read('id, version, light, heavy'),
    light: read('id, version, sequence, light'),
    cache: documentCache(cachedCharacters),
  }
}

export const documentReader = (
  database: Database.Database,
  firstLimit: (wanted: number) => number = defaultFirstLimit,
): DocumentReader => {
  const statements = new LRUCache<string, Database.Statement<unknown[], unknown[]>>({ max: mostStatements })
  const rows = <R extends readonly unknown[]>(
    sql: string,
    parameters: readonly Parameter[],
  ): readonly R[] => {
    let statement = statements.get(sql)
    if (statement === undefined)
      statements.set(sql, (statement = database.prepare<unknown[], unknown[]>(sql).raw()))
    return statement.all(...parameters) as unknown[] as readonly R[]
  }
  // Several reads of one page see the same commit.
  const inSnapshot = database.transaction((read: () => Page) => read())
  const readsByLayout = new WeakMap<CollectionLayout, Reads>()

  const planner = pagePlanner()

  const pageRows = pageRowsReader(rows, firstLimit)

  const textsOf = (
    layout: CollectionLayout,
    sequences: readonly number[],
    detail: 'light' | 'full',
  ): readonly TextRow[] =>
    sequences.length === 0
      ? []
      : rows<TextRow>(
          `SELECT sequence, light, ${detail === 'full' ? 'heavy' : 'NULL'} FROM ${quoted(layout.table)} WHERE sequence IN (SELECT value FROM json_each(?))`,
          [JSON.stringify(sequences)],
        )

  /** The first rows, until their documents have so many bytes. SQLite finds a text's length without reading the text. */
  const firstOf = (
    layout: CollectionLayout,
    found: readonly PageRow[],
    { bytes, detail }: Query,
  ): readonly PageRow[] => {
    const sequences = found.map(([, , sequence]) => sequence)
    if (bytes === undefined || sequences.length < 2) return found
    const length =
      detail === 'full' ? 'octet_length(light) + ifnull(octet_length(heavy), 0)' : 'octet_length(light)'
    const sizes = new Map(
      rows<SizeRow>(
        `SELECT sequence, ${length} FROM ${quoted(layout.table)} WHERE sequence IN (SELECT value FROM json_each(?))`,
        [JSON.stringify(sequences)],
      ),
    )
    let size = 0
    const end = sequences.findIndex((sequence) => (size += sizes.get(sequence) ?? 0) >= bytes)
    return end === -1 ? found : found.slice(0, end + 1)
  }

  const readsOf = (layout: CollectionLayout): Reads => {
    let reads = readsByLayout.get(layout)
    if (reads === undefined) readsByLayout.set(layout, (reads = readsFrom(layout)))
    return reads
  }

  const byIds = <R extends readonly unknown[]>(read: Read, instance: number, ids: readonly string[]) =>
    ids.length === 1
      ? rows<R>(read.one, [instance, ids[0] ?? ''])
      : rows<R>(read.many, [instance, JSON.stringify(ids)])

  const lightValues = (
    layout: CollectionLayout,
    found: readonly PageRow[],
  ): ReadonlyMap<number, JsonObject> => {
    const { cache } = readsOf(layout)
    const values = new Map<number, JsonObject>()
    const versions = new Map<number, number>()
    for (const [, version, sequence] of found) {
      const value = cache.find(sequence, version)
      if (value === undefined) versions.set(sequence, version)
      else values.set(sequence, value)
    }
    for (const [sequence, light] of textsOf(layout, [...versions.keys()], 'light'))
      values.set(sequence, cache.add(sequence, versions.get(sequence) ?? 0, light))
    return values
  }

  const fullValues = (
    layout: CollectionLayout,
    found: readonly PageRow[],
  ): ReadonlyMap<number, JsonObject> => {
    const sequences = found.map(([, , sequence]) => sequence)
    return new Map(
      textsOf(layout, sequences, 'full').map(([sequence, light, heavy]) => [
        sequence,
        readDocument(light, heavy),
      ]),
    )
  }

  return {
    check: () => {
      rows('SELECT count(*) FROM probes', [])
    },
    get: (layout, instance, id) => {
      const [row] = byIds<Row>(readsOf(layout).full, instance, [id])
      return row === undefined ? null : documentOf(row)
    },
    getMany: (layout, instance, ids, detail) => {
      const { full, light: lightRead, cache } = readsOf(layout)
      if (detail === 'full') return byIds<Row>(full, instance, ids).map(documentOf)
      return byIds<LightDocumentRow>(lightRead, instance, ids).map(([id, version, sequence, light]) => ({
        id,
        version,
        value: cache.find(sequence, version) ?? cache.add(sequence, version, light),
      }))
    },
    find: (layout, instance, query) => {
      // One more than the page holds tells whether more follow.
      const wanted = query.limit + 1
      const planned = planner(layout, instance, query)
      if (planned === null) return { documents: [], next: null }
      return inSnapshot((): Page => {
        const found = pageRows(planned, wanted, query.skip)
        const shown = firstOf(layout, found.slice(0, query.limit), query)
        const [, , last = 0, ...keys] = shown.at(-1) ?? []
        const values = (query.detail === 'full' ? fullValues : lightValues)(layout, shown)
        return {
          documents: shown.flatMap(([id, version, sequence]) => {
            const value = values.get(sequence)
            return value === undefined ? [] : [{ id, version, value }]
          }),
          next: found.length > shown.length ? cursorOf(keys, last) : null,
        }
      })
    },
    tally: (layout, instance, key, within) => {
      const query = tallyQuery(layout, instance, key, within)
      if (query === null) return []
      return rows<readonly [string, number]>(query.select, query.parameters).map(([text, count]) => ({
        text,
        count,
      }))
    },
  }
}
