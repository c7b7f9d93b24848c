/** A separate database for each test, and functions to query a store. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import { type Collection, growingPositions, type Query } from '@publishing-service/ports'

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

/** The position of a new document, after all before. */
export const nextPosition = growingPositions(Date.now)

/** Repeats an assertion until it holds, for 15 seconds by default. */
export const soon = async (assertion: () => Promise<unknown>, milliseconds = 15_000): Promise<void> => {
  const end = performance.now() + milliseconds
  for (;;) {
    try {
      await assertion()
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

export const all: Query = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' }

export const right = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) return expect.fail(`expected success, got ${JSON.stringify(outcome.left)}`)
  return outcome.right
}

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
