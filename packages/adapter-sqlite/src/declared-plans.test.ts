import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { documentStorePlans } from '@publishing-service/conformance'
import { collectionLayout } from './collection-layout.js'
import { pagePlanner } from './page-planner.js'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { groupCountQuery } from './document-reader.js'

documentStorePlans({
  name: 'sqliteDocumentStore',
  open: async (collections) => {
    const folder = await mkdtemp(join(tmpdir(), 'sqlite-document-store-'))
    const file = join(folder, 'documents.sqlite')
    const store = await sqliteDocumentStore({ file, collections })
    const database = new Database(file)
    const planOf = (sql: string, parameters: readonly unknown[]): readonly string[] =>
      database
        .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...parameters)
        .map(({ detail }) => detail)
    return {
      store,
      problemsOfPage: async (collection, instance, query, isInOrder) => {
        const planned = pagePlanner(() => null)(collectionLayout(collection), instance, query)
        if (planned === null) return []
        const { plan, values } = planned
        const isFault = (detail: string): boolean =>
          detail.startsWith('SCAN documents_') || (isInOrder && detail.includes('TEMP B-TREE'))
        const page = [query.limit + 1, 0]
        const reads =
          'rows' in plan
            ? [{ ...plan.rows, more: page }]
            : [plan.walk, ...plan.searches].flatMap(({ rows, lengths }) => [
                { ...rows, more: page },
                ...lengths.map((length) => ({ ...length, more: [] })),
              ])
        return reads.flatMap(({ sql, slots, more }) =>
          planOf(sql, [...slots.map((slot) => values[slot]), ...more]).filter(isFault),
        )
      },
      problemsOfGroupCount: async (collection, instance, { key }, within) => {
        const query = groupCountQuery(collectionLayout(collection), instance, key, within)
        return planOf(query?.select ?? '', query?.parameters ?? []).filter(
          (detail) => !/^SEARCH documents_\w+\.tally\./.test(detail),
        )
      },
      dispose: async () => {
        database.close()
        await store.close()
        await rm(folder, { recursive: true })
      },
    }
  },
})
