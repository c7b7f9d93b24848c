/** Reads documents on the calling thread: microseconds from SQLite's cache, and every commit is seen at once. */
import type Database from 'better-sqlite3'
import type { Json } from '@publishing-service/domain'
import type { Document, Page, Query, Tallied } from '@publishing-service/ports'
import { type CollectionLayout, idIndex } from './collection-layout.js'
import { parsedDocument } from './document-text.js'
import { quoted } from './key-column.js'
import { cursorAt, pagePlan, type Step } from './page-steps.js'
import type { Parameter } from './query-conditions.js'
import { tallyQuery } from './tally-query.js'
import { statementCache } from './statement-cache.js'

/** id, version, light, heavy; in pages also the sequence and the values of the order's keys. */
type Row = readonly [string, number, string, string | null, number, ...Parameter[]]

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

/** Each query's shape has a statement or a few; a service has some dozens of shapes. */
const keptStatements = 256

const documentOf = ([id, version, light, heavy]: Row): Document => ({
  id,
  version,
  value: parsedDocument(light, heavy),
})

export const documentReader = (database: Database.Database): DocumentReader => {
  const statement = statementCache(database, keptStatements)
  const rows = (sql: string, parameters: readonly Parameter[]): readonly Row[] =>
    statement(sql).all(...parameters) as unknown[] as readonly Row[]
  // Several reads of one page see the same commit.
  const inSnapshot = database.transaction((read: () => readonly Row[]) => read())

  const fromAllSteps = (steps: readonly Step[], wanted: number, skip: number): readonly Row[] => {
    const found: Row[] = []
    let skipping = skip
    for (const { select, count, parameters } of steps) {
      const taken = rows(select, [...parameters, wanted - found.length, skipping])
      found.push(...taken)
      if (found.length >= wanted) break
      if (taken.length > 0) skipping = 0
      else if (skipping > 0) skipping -= Number(rows(count, [...parameters, skipping])[0]?.[0])
    }
    return found
  }

  return {
    check: () => {
      rows('SELECT count(*) FROM probes', [])
    },
    get: (layout, instance, id) => {
      const table = `${quoted(layout.table)} INDEXED BY ${quoted(idIndex(layout.table))}`
      const [row] = rows(`SELECT id, version, light, heavy FROM ${table} WHERE instance = ? AND id = ?`, [
        instance,
        id,
      ])
      return row === undefined ? null : documentOf(row)
    },
    getMany: (layout, instance, ids, detail) => {
      const table = `${quoted(layout.table)} INDEXED BY ${quoted(idIndex(layout.table))}`
      const heavy = detail === 'full' ? 'heavy' : 'NULL'
      const sql = `SELECT id, version, light, ${heavy} FROM ${table} WHERE instance = ? AND id IN (SELECT value FROM json_each(?))`
      return rows(sql, [instance, JSON.stringify(ids)]).map(documentOf)
    },
    find: (layout, instance, query) => {
      const { steps } = pagePlan(layout, instance, query)
      // One more than the page holds tells whether more follow.
      const read = (): readonly Row[] => fromAllSteps(steps, query.limit + 1, query.skip)
      const found = steps.length > 1 ? inSnapshot(read) : read()
      const last = found[query.limit - 1]
      const [, , , , sequence = 0, ...values] = last ?? []
      return {
        documents: found.slice(0, query.limit).map(documentOf),
        next: last !== undefined && found.length > query.limit ? cursorAt(values, sequence) : null,
      }
    },
    tally: (layout, instance, key, within) => {
      const query = tallyQuery(layout, instance, key, within)
      if (query === null) return []
      return rows(query.select, query.parameters).map(([text, count]) => ({ text, count }))
    },
  }
}
