/** A separate database for each test, and functions to query a store. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { Collection, Query } from '@publishing-service/ports'
import type { PostgresqlServer } from './servers.js'

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
export const newDatabase = async (server: PostgresqlServer): Promise<string> => {
  const name = `test-${randomUUID()}`
  await withDriver(server.url('postgres'), (client) => client.query(`CREATE DATABASE "${name}"`))
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

export const all: Query = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' }

export const right = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) return expect.fail(`expected success, got ${JSON.stringify(outcome.left)}`)
  return outcome.right
}
