/** The group counts of a store, and their comparison with the model. */
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain/json'
import { type DocumentStore, type TextCount, singleReads } from '@publishing-service/ports'
import { expectedGroupCount, type StoredValue } from './query-model.js'
import { things } from './stage.js'
import { valueOf } from '../task-outcome.js'

/** The group counts that the store returns in any order, sorted by the UTF-16 of the texts. */
export const groupCountsOf = async (
  store: DocumentStore,
  instance: number,
  key: string,
  within: JsonObject,
  collection = 'things',
): Promise<readonly TextCount[]> =>
  (await valueOf(singleReads(store).countGroups(collection, instance, key, within))).toSorted((a, b) =>
    a.text < b.text ? -1 : a.text > b.text ? 1 : 0,
  )

/** Group counts of `things`, within values that the tests write and others that they do not write. */
const expectedQueries: readonly (readonly [string, JsonObject])[] = [
  ['tags', {}],
  ['places', {}],
  ...['x', 'y', null, '', 'z', 1].map((kind) => ['tags', { kind }] as const),
  ...[0, 1, null].flatMap((rank) => [true, false, null].map((open) => ['tags', { open, rank }] as const)),
]

/** Compares every group count of the instance with the count of the model. */
export const expectGroupCounts = async (
  store: DocumentStore,
  instance: number,
  documents: readonly StoredValue[],
): Promise<void> => {
  for (const [key, within] of expectedQueries) {
    expect(
      await groupCountsOf(store, instance, key, within),
      `${key} ${JSON.stringify(within)}`,
    ).to.deep.equal(expectedGroupCount(things, documents, key, within))
  }
}
