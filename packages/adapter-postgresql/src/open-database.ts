/** Opens the database: connects, and migrates it to the declared collections. Errors are one sentence for operators. */
import type { Collection, MigrationProgress, StoreDescription } from '@publishing-service/ports'
import {
  type Layouts,
  layoutsOf,
  type Migration,
  migrationOf,
  plainStatement,
  quoted,
  runStepsLater,
} from '@publishing-service/sql-kit'
import type { Steps } from '@publishing-service/sql-kit'
import pg from 'pg'
import { beginOnPrimary, connectionConfig, execute } from './connections.js'
import { firstPosition, positionsBefore, positionsTable, postgresqlDialect } from './postgresql-dialect.js'

/** A number that identifies migrations of this program among the advisory locks of a database; «PubS» in ASCII. */
const migrationLock = 0x50756253

/** The connection string without user, password and options, for messages. */
export const withoutCredentials = (url: string): string => url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '')

const oldestVersion = 150_000

function* requireServer(): Steps<void> {
  const { rows } = yield plainStatement(
    `SELECT current_setting('server_version_num')::int, current_setting('server_encoding')`,
  )
  const [version, encoding] = rows[0] ?? []
  if (Number(version) < oldestVersion) throw new Error('PostgreSQL 15 or later is needed')
  if (encoding !== 'UTF8')
    throw new Error(`the encoding of the database is ${String(encoding)}; it must be UTF8`)
}

/** The number of the process of the server that serves a connection now. */
const backendOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await execute(client, plainStatement('SELECT pg_backend_pid()'))
  return Number(rows[0]?.[0])
}

/** Milliseconds that a pooler may take to give a connection of the server. */
const poolerTimeout = 5000

/** Connections of a pooler are tried so often, because other clients may have taken the one that was just free. */
const mostProbes = 3

/**
 * Rejects a pooler that gives a connection of the server to another client after each transaction: settings, prepared statements
 * and notifications of a session would be lost, or be those of another. A pooler names another process.
 */
const requireSession = async (client: pg.Client, url: string): Promise<void> => {
  const backend = await backendOf(client)
  if ('processID' in client && client.processID === backend) return
  for (let probe = 0; probe < mostProbes; probe += 1) {
    const other = new pg.Client({ ...connectionConfig(url, null), query_timeout: poolerTimeout })
    other.on('error', () => undefined)
    try {
      await other.connect()
      if ((await backendOf(other)) === backend || (await backendOf(client)) !== backend)
        throw new Error(
          'a pooler gives each transaction another connection of the server: set pool_mode = session of PgBouncer, or connect to the server itself',
        )
    } finally {
      await other.end()
    }
  }
}

/** The tables of collections in commit order. */
const inCommitOrder = (layouts: Layouts): readonly string[] =>
  [...layouts.values()].flatMap(({ collection, documents }) =>
    collection.inCommitOrder === true ? [documents] : [],
  )

/** The highest position in the order of commits. */
const highest = (layouts: Layouts): string =>
  `GREATEST(${['0', ...inCommitOrder(layouts).map((table) => `(SELECT MAX(position) FROM ${table})`)].join(', ')})`

const nextTransaction = 'pg_snapshot_xmax(pg_current_snapshot())'

/** Whether the next transaction gets higher positions than all before. */
function* positionsGrow(layouts: Layouts): Steps<boolean> {
  const { rows } = yield plainStatement(
    `SELECT count(*) WHERE ${firstPosition(nextTransaction)} > ${highest(layouts)}`,
  )
  return rows[0]?.[0] === 1
}

/**
 * The number that is added to those of transactions: so that positions are above all that there are, and above those that
 * processes of an earlier release give within a day, which are microseconds since 1970.
 */
const baseOf = (layouts: Layouts): string =>
  `GREATEST(${highest(layouts)}, (extract(epoch FROM now()) + 86400)::bigint * 1000000) + 1 - ${positionsBefore(nextTransaction)}`

function* raisePositions(layouts: Layouts): Steps<void> {
  yield plainStatement(
    `CREATE TABLE IF NOT EXISTS ${positionsTable} (id BIGINT PRIMARY KEY, base BIGINT NOT NULL)`,
  )
  yield plainStatement(
    `INSERT INTO ${positionsTable} SELECT 1, ${baseOf(layouts)} ON CONFLICT (id) DO NOTHING`,
  )
  if (!(yield* positionsGrow(layouts)))
    yield plainStatement(`UPDATE ${positionsTable} SET base = ${baseOf(layouts)}`)
}

function* isCurrent(migration: Migration, layouts: Layouts): Steps<boolean> {
  const { rows } = yield plainStatement(
    `SELECT count(*) FROM pg_class WHERE oid IN (to_regclass('publishing_layouts'), to_regclass('publishing_probes'), to_regclass('${positionsTable}'))`,
  )
  return rows[0]?.[0] === 3 && (yield* migration.isCurrent()) && (yield* positionsGrow(layouts))
}

/** The server, and its tables before a migration. Reads only. */
function* describing(migration: Migration, layouts: Layouts): Steps<StoreDescription> {
  const { rows } = yield plainStatement(
    `SELECT current_setting('server_version'), floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, count(*) FROM pg_class WHERE oid = to_regclass('publishing_layouts')`,
  )
  const [version, time, tables] = rows[0] ?? []
  const schema = tables === 0 ? 'empty' : (yield* isCurrent(migration, layouts)) ? 'current' : 'outdated'
  return { server: `PostgreSQL ${String(version)}`, isTested: true, time: Number(time), schema }
}

/** In a transaction. One process migrates; others wait, and then find nothing to do. */
function* migrating(
  migration: Migration,
  layouts: Layouts,
  onProgress: (progress: MigrationProgress) => void,
  fill?: () => Steps<void>,
): Steps<void> {
  yield plainStatement(`SELECT pg_advisory_xact_lock(${migrationLock})`)
  yield plainStatement(
    'CREATE TABLE IF NOT EXISTS publishing_probes (id BIGINT PRIMARY KEY, taken BIGINT NOT NULL)',
  )
  yield plainStatement('INSERT INTO publishing_probes VALUES (1, 0) ON CONFLICT DO NOTHING')
  yield* migration.prepare()
  const isMigrated = yield* migration.isCurrent()
  if (!isMigrated) yield* migration.migrate(onProgress, fill)
  yield* raisePositions(layouts)
  if (isMigrated) return
  // The plans of queries depend on what is known of the tables.
  for (const { tables } of layouts.values())
    for (const table of tables) yield plainStatement(`ANALYZE ${quoted(table)}`)
}

const reasons: Readonly<Record<string, string>> = {
  '28P01': 'the server rejects the user or the password',
  '28000': 'the server does not admit this user, from this address, with or without TLS (sslmode)',
  '3D000': 'there is no such database: create it with CREATE DATABASE',
  '42501':
    'the user may not do what the store has to: it creates tables, and needs the right CREATE on the schema',
}

const messageOf = (error: unknown): string => {
  // Of a host with several addresses, each with an error.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  const message = error instanceof Error ? error.message : String(error)
  const reason = error instanceof pg.DatabaseError ? reasons[error.code ?? ''] : undefined
  return reason === undefined ? message : `${reason} (${message})`
}

/** The original error can contain secrets, so it is not attached. */
const openingFailure = (error: unknown, url: string): Error =>
  new Error(`The document store can't be opened on ${withoutCredentials(url)}: ${messageOf(error)}`)

type Connected = { readonly client: pg.Client; readonly run: <A>(steps: Steps<A>) => Promise<A> }

/** Work on a connection to a server that the store can use. Rejects with an Error that names the database and the reason. */
export const connected = async <A>(url: string, work: (connection: Connected) => Promise<A>): Promise<A> => {
  try {
    if (!/^postgres(ql)?:\/\//.test(url))
      throw new Error('its connection string must begin with postgresql://')
    // A migration may take longer than any deadline.
    const client = new pg.Client({ ...connectionConfig(url, null), pipeline: true })
    client.on('error', () => undefined)
    const run = <B>(steps: Steps<B>): Promise<B> => runStepsLater(steps, (each) => execute(client, each))
    try {
      await client.connect()
      await beginOnPrimary(client, null)
      await run(requireServer())
      await requireSession(client, url)
      return await work({ client, run })
    } finally {
      await client.end()
    }
  } catch (error) {
    throw openingFailure(error, url)
  }
}

/**
 * Rejects with an Error that names the database and the reason, without user or password. `fill` inserts documents into the
 * tables of a new database.
 */
export const openDatabase = (
  url: string,
  layouts: Layouts,
  onProgress: (progress: MigrationProgress) => void,
  fill?: () => Steps<void>,
): Promise<void> =>
  connected(url, async ({ client, run }) => {
    const migration = migrationOf(layouts, postgresqlDialect)
    if (await run(isCurrent(migration, layouts))) return
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    await run(migrating(migration, layouts, onProgress, fill))
    await client.query('COMMIT')
  })

/** Describes a database without changing or migrating it. Rejects as `openDatabase` does. */
export const describePostgresqlDatabase = (
  url: string,
  collections: readonly Collection[],
): Promise<StoreDescription> =>
  connected(url, ({ run }) => {
    const layouts = layoutsOf(collections, postgresqlDialect)
    return run(describing(migrationOf(layouts, postgresqlDialect), layouts))
  })
