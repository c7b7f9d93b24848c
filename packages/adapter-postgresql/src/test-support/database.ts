/** A separate database for each test, and functions to query a store. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Collection } from '@publishing-service/ports'
import type { PostgresqlServer } from './servers.js'

export { all, valueOf as right } from '@publishing-service/conformance'

/** Executes statements as an operator would. */
export const withDriver = async <A>(url: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client(url)
  // A server that is killed ends its connections.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Creates a database, and returns its name. */
export const newDatabase = async (server: PostgresqlServer, tablespace = 'pg_default'): Promise<string> => {
  const name = `test-${randomUUID()}`
  await withDriver(server.url('postgres'), (client) =>
    client.query(`CREATE DATABASE "${name}" TABLESPACE ${tablespace}`),
  )
  return name
}

export const dropDatabase = (server: PostgresqlServer, name: string): Promise<unknown> =>
  withDriver(server.url('postgres'), (client) => client.query(`DROP DATABASE "${name}" WITH (FORCE)`))

export const things: Collection = {
  name: 'things',
  heavy: ['content'],
  keys: { title: 'text', rank: 'number', open: 'boolean', tags: 'texts' },
  indexes: [['title'], ['rank'], ['open'], ['tags'], ['open', 'rank'], ['tags', 'rank']],
  groupCounts: [{ key: 'tags', within: ['open'] }],
}
