/** Documents for tests of queries, which find them by their position. */
import { changes } from './changes.js'
import { before } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Order, Query } from '@publishing-service/ports'
import { all, idsOf, type Stage } from './stage.js'
import { valueOf } from '../task-outcome.js'

/** Inserts values as documents whose ids are their positions. Returns a function that queries them. */
export const insertAll = async ({ store, newInstance }: Stage, values: readonly JsonObject[]) => {
  const instance = newInstance()
  for (const [i, value] of values.entries()) {
    await valueOf(changes(store()).insert('things', instance, { id: `${i}`, unique: null, value }))
  }
  return async (query: Partial<Query>): Promise<readonly number[]> =>
    idsOf((await valueOf(store().find('things', instance, { ...all, ...query }))).documents).map(Number)
}

/** The same, once before all tests of a `describe`. */
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
