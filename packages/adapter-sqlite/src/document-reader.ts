/** Reads documents on the calling thread. A read from SQLite's cache takes microseconds and sees every commit. */
import type Database from 'better-sqlite3'
import type { Json } from '@publishing-service/domain/json'
import {
  type Document,
  keyOperand,
  type Page,
  readDocument,
  type Query,
  type SearchProgress,
  type TextCount,
  type TextsPage,
  type TextsQuery,
} from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import { type CollectionLayout, idIndex } from './collection-layout.js'
import { documentCache, type DocumentCache, type SizedValue } from './document-cache.js'
import { columnValue, type Parameter, quoted, unsampled } from './key-column.js'
import { cursorOf, pagePlanner } from './page-planner.js'
import { type PageRow, pageRowsReader, type ReadRows } from './page-rows.js'
import { searchMatch } from './search-match.js'
import { textsQuery } from './texts-query.js'

/** id, version, sequence, light, heavy. */
type Row = readonly [string, number, number, string, string | null]
/** light, heavy. */
type TextRow = readonly [string, string | null]

export type DocumentReader = {
  /** Runs a read in the transaction of those just before it: they see one commit. */
  readonly inSnapshot: <A>(read: () => A) => A
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
  readonly findTexts: (layout: CollectionLayout, instance: number, query: TextsQuery) => TextsPage
  /** Whether all entries by which words are found exist, and whether none was to be compared at the last call. */
  readonly searchProgress: (layout: CollectionLayout) => SearchProgress & { readonly isComplete: boolean }
  readonly countGroups: (
    layout: CollectionLayout,
    instance: number,
    key: string,
    within: Readonly<Record<string, Json>>,
  ) => readonly TextCount[]
}

/** Cached statements. Each shape of query has one or a few; a service has some dozens of shapes. */
const maxStatements = 256

/** Bytes of light documents that are cached of each collection. */
const cachedBytes = 4 * 1024 * 1024

/** Rows that the first walk with tests may read for a page of `wanted` rows. */
const defaultFirstLimit = (wanted: number): number => 200 + 4 * wanted

/** The statements that read documents by their ids, and the texts of one by its sequence. */
type Read = { readonly byIds: (ids: number) => string; readonly texts: string }
/** These statements, and the cached light documents. */
type Reads = { readonly full: Read; readonly light: Read; readonly cache: DocumentCache }

/** The number of ids of the statement for this many: few numbers, so that there are few statements. */
const roundedUp = (ids: number): number => 2 ** Math.ceil(Math.log2(ids))

const readsFrom = ({ table }: CollectionLayout): Reads => {
  const read = (heavy: string): Read => {
    const select = `SELECT id, version, sequence, light, ${heavy} FROM ${quoted(table)} INDEXED BY ${quoted(idIndex(table))}`
    const statements = new Map<number, string>()
    return {
      byIds: (ids) => {
        let statement = statements.get(ids)
        if (statement === undefined) {
          statement = `${select} WHERE instance = ${unsampled} AND id IN (${Array(ids).fill(unsampled).join(', ')})`
          statements.set(ids, statement)
        }
        return statement
      },
      texts: `SELECT light, ${heavy} FROM ${quoted(table)} WHERE sequence = ?`,
    }
  }
  return { full: read('heavy'), light: read('NULL'), cache: documentCache(cachedBytes) }
}

const sized = (light: string, heavy: string | null): SizedValue => ({
  value: readDocument(light, heavy),
  bytes: Buffer.byteLength(light) + Buffer.byteLength(heavy ?? ''),
})

/** Returns the first row of a query. */
type ReadRow = <R extends readonly unknown[]>(sql: string, parameters: readonly Parameter[]) => R | undefined

/** Runs queries with their prepared statements, and caches these. */
const cachedStatements = (
  database: Database.Database,
): { readonly rows: ReadRows; readonly firstRow: ReadRow } => {
  const statements = new LRUCache<string, Database.Statement<unknown[], unknown[]>>({ max: maxStatements })
  const prepared = (sql: string): Database.Statement<unknown[], unknown[]> => {
    let statement = statements.get(sql)
    if (statement === undefined)
      statements.set(sql, (statement = database.prepare<unknown[], unknown[]>(sql).raw()))
    return statement
  }
  return {
    rows: <R extends readonly unknown[]>(sql: string, parameters: readonly Parameter[]) =>
      prepared(sql).all(...parameters) as unknown[] as readonly R[],
    firstRow: <R extends readonly unknown[]>(sql: string, parameters: readonly Parameter[]) =>
      prepared(sql).get(...parameters) as unknown as R | undefined,
  }
}

/** Reads the values of documents; light ones from the cache of their collection if it has them. */
const valueReader = (rows: ReadRows, readRow: ReadRow) => {
  const readsByLayout = new WeakMap<CollectionLayout, Reads>()

  const readsOf = (layout: CollectionLayout): Reads => {
    let reads = readsByLayout.get(layout)
    if (reads === undefined) readsByLayout.set(layout, (reads = readsFrom(layout)))
    return reads
  }

  const byId = (layout: CollectionLayout, instance: number, id: string): Document | null => {
    const row = readRow<Row>(readsOf(layout).full.byIds(1), [instance, id])
    if (row === undefined) return null
    const [, version, , light, heavy] = row
    return { id, version, value: readDocument(light, heavy) }
  }

  const byIds = (
    layout: CollectionLayout,
    instance: number,
    ids: readonly string[],
    detail: 'light' | 'full',
  ): readonly Document[] => {
    const [first] = ids
    if (first === undefined) return []
    const { cache, [detail]: read } = readsOf(layout)
    const count = roundedUp(ids.length)
    const parameters = [instance, ...ids]
    // SQLite returns a row once, however often its id is named.
    while (parameters.length <= count) parameters.push(first)
    return rows<Row>(read.byIds(count), parameters).map(([id, version, sequence, light, heavy]) => {
      if (detail === 'full') return { id, version, value: readDocument(light, heavy) }
      const { value } = cache.find(sequence, version) ?? cache.add(sequence, version, sized(light, null))
      return { id, version, value }
    })
  }

  const valueOf = (
    reads: Reads,
    [, version, sequence]: PageRow,
    detail: 'light' | 'full',
  ): SizedValue | null => {
    const cached = detail === 'light' ? reads.cache.find(sequence, version) : undefined
    if (cached !== undefined) return cached
    const texts = readRow<TextRow>(reads[detail].texts, [sequence])
    if (texts === undefined) return null
    const value = sized(...texts)
    return detail === 'light' ? reads.cache.add(sequence, version, value) : value
  }

  /** The documents of as many rows as fit the limits of the query, and the number of these rows. */
  const documentsOf = (
    layout: CollectionLayout,
    found: readonly PageRow[],
    { limit, detail, bytes: maxBytes = Infinity }: Pick<Query, 'limit' | 'detail' | 'bytes'>,
  ): { readonly documents: readonly Document[]; readonly rowsRead: number } => {
    const reads = readsOf(layout)
    const documents: Document[] = []
    let [rowsRead, bytes] = [0, 0]
    for (const row of found.slice(0, limit)) {
      if (bytes >= maxBytes) break
      rowsRead += 1
      const read = valueOf(reads, row, detail)
      if (read === null) continue
      documents.push({ id: row[0], version: row[1], value: read.value })
      bytes += read.bytes
    }
    return { documents, rowsRead }
  }

  return { byId, byIds, documentsOf }
}

/** Selects text and count. Null if no document can have the values; throws if the group count is not declared. */
export const groupCountQuery = (
  layout: CollectionLayout,
  instance: number,
  key: string,
  within: Readonly<Record<string, Json>>,
): { readonly select: string; readonly parameters: readonly Parameter[] } | null => {
  const names = Object.keys(within)
  const table = layout.groupCounts.find(
    (each) =>
      each.groupCount.key === key &&
      each.within.length === names.length &&
      each.within.every((column) => Object.hasOwn(within, column.key)),
  )
  if (table === undefined)
    throw new Error(`Collection ${layout.name} declares no group count of ${key} within ${names.join(', ')}`)
  const parameters: Parameter[] = [instance]
  for (const { key: name, type } of table.within) {
    const operand = keyOperand(type, within[name])
    if (operand === undefined) return null
    parameters.push(columnValue(type, operand))
  }
  return { select: table.select, parameters }
}

/**
 * Runs reads in a transaction that ends before the event loop continues, so that reads that follow each other without
 * waiting see one commit and lock the file once. A read never misses a commit that was acknowledged before its request
 * arrived: nothing arrives meanwhile.
 */
const sharedSnapshots = (database: Database.Database): (<A>(read: () => A) => A) => {
  // Reads end either way; a commit can fail on a damaged file.
  const [begin, end] = [database.prepare('BEGIN'), database.prepare('ROLLBACK')]
  const finish = (): void => {
    if (database.inTransaction) end.run()
  }
  return (read) => {
    if (!database.inTransaction) {
      begin.run()
      process.nextTick(finish)
    }
    return read()
  }
}

export const documentReader = (
  database: Database.Database,
  firstLimit: (wanted: number) => number = defaultFirstLimit,
): DocumentReader => {
  const { rows, firstRow } = cachedStatements(database)
  const inSnapshot = sharedSnapshots(database)
  const planPage = pagePlanner((layout, instance, words) => searchMatch(rows, layout, instance, words))
  const pageRows = pageRowsReader(rows, firstLimit)
  const { byId, byIds, documentsOf } = valueReader(rows, firstRow)
  return {
    check: () => {
      rows('SELECT count(*) FROM probes', [])
    },
    inSnapshot,
    get: byId,
    getMany: byIds,
    find: (layout, instance, query) => {
      const planned = planPage(layout, instance, query)
      if (planned === null) return { documents: [], next: null }
      // One row more than the page has: it shows whether there is a next page.
      const found = pageRows(planned, query.limit + 1, query.skip)
      const { documents, rowsRead } = documentsOf(layout, found, query)
      const [, , last = 0, ...keys] = found[rowsRead - 1] ?? []
      return { documents, next: found.length > rowsRead ? cursorOf(keys, last) : null }
    },
    findTexts: (layout, instance, query) => {
      const { limit, detail } = query
      const planned = textsQuery(layout, instance, query)
      if (planned === null) return { texts: [], next: null }
      const found = rows<readonly [string, number, number, string]>(planned.sql, planned.parameters)
      const shown = found.slice(0, limit)
      const texts = shown.flatMap((row) =>
        documentsOf(layout, [row], { limit: 1, detail }).documents.map((document) => ({
          text: row[3],
          document,
        })),
      )
      const [, , sequence = 0, text = ''] = shown.at(-1) ?? []
      return { texts, next: found.length > limit ? cursorOf([text], sequence) : null }
    },
    searchProgress: ({ table, search }) => {
      if (search === null) return { isComplete: true, isCurrent: true, done: 0, total: 0 }
      const [row] = rows<readonly [number, number, number]>(
        `SELECT is_complete, position, (SELECT coalesce(max(sequence), 0) FROM ${quoted(table)}) FROM searches WHERE name = ?`,
        [table],
      )
      const [complete, position, total] = row ?? [1, 0, 0]
      const isComplete = complete === 1
      const isCurrent = isComplete && position === 0
      return { isComplete, isCurrent, done: isCurrent ? total : position, total }
    },
    countGroups: (layout, instance, key, within) => {
      const query = groupCountQuery(layout, instance, key, within)
      if (query === null) return []
      return rows<readonly [string, number]>(query.select, query.parameters).map(([text, count]) => ({
        text,
        count,
      }))
    },
  }
}
