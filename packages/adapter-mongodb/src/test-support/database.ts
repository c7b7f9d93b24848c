/** A separate database for each test, and functions to query a store. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { Collection } from '@publishing-service/ports'

export { all, soon, valueOf as right } from '@publishing-service/conformance'

export const newDatabase = (): string => `test-${randomUUID()}`

/** The driver checks its server twice a second, so that a test need not wait for it. */
export const quickUrl = (url: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}heartbeatFrequencyMS=500`

export const things: Collection = {
  name: 'things',
  heavy: ['content'],
  keys: { title: 'text', rank: 'number', open: 'boolean', tags: 'texts' },
  indexes: [['title'], ['rank'], ['open'], ['tags'], ['open', 'rank'], ['tags', 'rank']],
  groupCounts: [{ key: 'tags', within: ['open'] }],
}

export const others: Collection = { ...things, name: 'others' }

/** The words of the Error that something rejects with. */
export const rejection = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => (error instanceof Error ? error.message : expect.fail(String(error))),
  )

/** Uses the database with the driver alone, as an operator would. */
export const withDriver = async <A>(url: string, use: (client: MongoClient) => Promise<A>): Promise<A> => {
  const client = new MongoClient(url)
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
