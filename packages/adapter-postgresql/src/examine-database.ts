/** What the next start does with a database. */
import type { Collection, ExaminedStore } from '@publishing-service/ports'
import {
  examineTables,
  layoutsOf,
  migrationOf,
  missingTables,
  plainStatement,
  type Steps,
} from '@publishing-service/sql-kit'
import { connected } from './open-database.js'
import { postgresqlDialect } from './postgresql-dialect.js'

/** Examines a database for the declared collections, also while services use it. Rejects with an Error that names the database. */
export const examinePostgresqlDatabase = async (
  { url, collections }: { readonly url: string; readonly collections: readonly Collection[] },
  read: string,
): Promise<ExaminedStore> => {
  const layouts = layoutsOf(collections, postgresqlDialect)
  function* examine(): Steps<ExaminedStore> {
    const { rows } = yield plainStatement(
      `SELECT pg_database_size(current_database()), (to_regclass('publishing_layouts') IS NOT NULL)::int`,
    )
    const [bytes, hasTables] = rows[0] ?? []
    const examined = yield* hasTables === 1
      ? migrationOf(layouts, postgresqlDialect).examine(read)
      : examineTables(missingTables(layouts), read, postgresqlDialect)
    return { ...examined, bytes: Number(bytes), copied: 0 }
  }
  return connected(url, async ({ client, run }) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return run(examine())
  })
}
