/** Documents for a test of queries: values in, positions out. */
import { before } from 'mocha'
import type { JsonObject } from '@publishing-service/domain'
import type { Order, Query } from '@publishing-service/ports'
import { all, idsOf, right, type Stage } from './stage.js'

/** Inserts values as documents named by their position, and answers with a way to query them. */
export const insertAll = async ({ store, instance }: Stage, values: readonly JsonObject[]) => {
  const place = instance()
  for (const [i, value] of values.entries()) {
    await right(store().insert('things', place, { id: `${i}`, unique: null, value }))
  }
  return async (query: Partial<Query>): Promise<readonly number[]> =>
    idsOf((await right(store().find('things', place, { ...all, ...query }))).documents).map(Number)
}

/** The same once for all tests of a description. */
export const insertIntoAll = (
  stage: Stage,
  values: readonly JsonObject[],
): ((query: Partial<Query>) => Promise<readonly number[]>) => {
  let found: Awaited<ReturnType<typeof insertAll>>
  before(async () => {
    found = await insertAll(stage, values)
  })
  return (query) => found(query)
}

export const asc = (key: string): Order => ({ key, direction: 'asc' })
export const desc = (key: string): Order => ({ key, direction: 'desc' })
