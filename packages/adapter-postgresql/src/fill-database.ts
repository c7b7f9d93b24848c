/** Fills a new database with many documents, for benchmarks. */
import type { Collection } from '@publishing-service/ports'
import { type FilledDocument, fillSteps, layoutsOf } from '@publishing-service/sql-kit'
import pg from 'pg'
import { openDatabase } from './open-database.js'
import { postgresqlDialect } from './postgresql-dialect.js'

/** The indexes are created after the last document. Resolves once the database is as autovacuum would leave it. */
export const fillPostgresqlDatabase = async (
  { url, collections }: { readonly url: string; readonly collections: readonly Collection[] },
  documents: Iterable<FilledDocument>,
): Promise<void> => {
  const layouts = layoutsOf(collections, postgresqlDialect)
  await openDatabase(url, layouts, () => undefined, fillSteps(layouts, postgresqlDialect, documents))
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('VACUUM (ANALYZE)')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}
