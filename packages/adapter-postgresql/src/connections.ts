/** The connections of a store to its server. */
import { createHash } from 'node:crypto'
import type { Parameter, Result, Statement } from '@publishing-service/sql-kit'
import pg from 'pg'
import { InRecovery } from './postgresql-failure.js'

export type Connections = {
  readonly connect: () => Promise<pg.PoolClient>
  readonly execute: (client: pg.PoolClient, statement: Statement) => Promise<Result>
  /** Gives a connection back to the pool; a broken one is closed. */
  readonly release: (client: pg.PoolClient, isBroken: boolean) => void
  readonly close: () => Promise<void>
}

/** Prepared statements of one connection; with more it is replaced, so that the server forgets them. */
const mostPrepared = 1000

const mostConnections = 10

/** Milliseconds after which a closed connection is destroyed. */
const closingTimeout = 1000

const types = new pg.TypeOverrides()
// Integers of the store are safe.
types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * The configuration of each connection. What the connection string sets is used instead. Time limits of the session are not among
 * it: poolers reject parameters that they do not know. `deadline` is in milliseconds.
 */
export const connectionConfig = (url: string, deadline: number | null): pg.ClientConfig => ({
  connectionString: url,
  fallback_application_name: 'publishing-service',
  client_encoding: 'UTF8',
  connectionTimeoutMillis: Math.min(5000, deadline ?? 5000),
  keepAlive: true,
  types,
})

/**
 * Only a primary has what was written before, and a commit that was acknowledged is on its disk. Long texts are compressed by
 * LZ4 where the server has it and its operator has chosen nothing: it takes a tenth of the time of `pglz`. What a lost connection
 * has locked is free again after the deadline, or the time that the connection string sets.
 */
const beginSession = `SELECT pg_is_in_recovery(), CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END, (SELECT set_config(name, 'lz4', false) FROM pg_settings WHERE name = 'default_toast_compression' AND source = 'default' AND 'lz4' = ANY (enumvals)), (SELECT count(set_config(name, $1, false)) FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') AND source <> 'client' AND $1 <> '')`

/** Begins the session of a connection on a primary. `deadline` is in milliseconds. */
export const beginOnPrimary = async (client: pg.ClientBase, deadline: number | null): Promise<void> => {
  const values = [deadline === null ? '' : `${deadline}`]
  const { rows } = await client.query<[boolean]>({ text: beginSession, values, rowMode: 'array' })
  if (rows[0]?.[0] !== false) throw new InRecovery('the server is in recovery, or a standby')
}

/**
 * The short name under which a connection prepares a statement once; null for a statement that is not prepared. Without
 * parameters that gains nothing. In a search, the plan must depend on how many documents contain the words: after five uses
 * of a prepared statement, the database makes one plan for all words.
 */
const nameOf = (() => {
  const names = new Map<string, string>()
  return ({ sql, parameters }: Statement): string | null => {
    if (parameters.length === 0 || sql.includes('::tsquery')) return null
    const known = names.get(sql)
    if (known !== undefined) return known
    if (names.size === mostPrepared) names.clear()
    const name = createHash('sha256').update(sql).digest('base64').slice(0, 22)
    names.set(sql, name)
    return name
  }
})()

export const execute = async (
  client: pg.ClientBase,
  statement: Statement,
  name = nameOf(statement),
): Promise<Result> => {
  const { rows, rowCount } = await client.query<Parameter[]>({
    text: statement.sql,
    values: [...statement.parameters],
    rowMode: 'array',
    ...(name === null ? {} : { name }),
  })
  return { rows, changes: rowCount ?? 0 }
}

/** What is sent to a connection in one turn of the event loop leaves in one packet. */
const sendTogether = ({ connection: { stream } }: pg.PoolClient): void => {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

export const openConnections = (
  url: string,
  deadline: number,
  onStatement: (sql: string) => void = () => undefined,
): Connections => {
  const pool = new pg.Pool({ ...connectionConfig(url, deadline), pipeline: true, max: mostConnections })
  /** The names of what each connection has prepared. */
  const prepared = new WeakMap<pg.ClientBase, Set<string>>()
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    open.add(client)
    // What waits for a response fails with the same error.
    client.on('error', () => undefined)
  })
  pool.on('remove', (client) => open.delete(client))
  // A connection that is lost while nobody uses it is replaced when one is needed.
  pool.on('error', () => undefined)
  return {
    connect: () => pool.connect(),
    execute: async (client, statement) => {
      onStatement(statement.sql)
      sendTogether(client)
      const known = prepared.get(client)
      const names = known ?? new Set<string>()
      prepared.set(client, names)
      const isAccepted = known === undefined ? beginOnPrimary(client, deadline) : null
      const name = nameOf(statement)
      if (name !== null) names.add(name)
      const [result] = await Promise.all([execute(client, statement, name), isAccepted])
      return result
    },
    release: (client, isBroken) => {
      client.release(isBroken || (prepared.get(client)?.size ?? 0) > mostPrepared)
      // The driver would wait for a response.
      if (isBroken) client.connection.stream.destroy()
    },
    close: async () => {
      await pool.end()
      if (open.size > 0)
        setTimeout(() => open.forEach(({ connection }) => connection.stream.destroy()), closingTimeout)
    },
  }
}
