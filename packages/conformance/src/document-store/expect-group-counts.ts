/** Tallies as lists, and what they have to be by the model. */
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain'
import type { DocumentStore, TextCount } from '@publishing-service/ports'
import { expectedGroupCount, type StoredValue } from './query-model.js'
import { right, things } from './stage.js'

/** What the store answers, in the order of the texts' UTF-16; an answer may come in any order. */
export const groupCountsOf = async (
  store: DocumentStore,
  instance: number,
  key: string,
  within: JsonObject,
  collection = 'things',
): Promise<readonly TextCount[]> =>
  (await right(store.countGroups(collection, instance, key, within))).toSorted((a, b) =>
    a.text < b.text ? -1 : a.text > b.text ? 1 : 0,
  )

/** The group counts of `things` with values that the tests write, and some that they don't. */
const asked: readonly (readonly [string, JsonObject])[] = [
  ['tags', {}],
  ['places', {}],
  ...['x', 'y', null, '', 'z', 1].map((kind) => ['tags', { kind }] as const),
  ...[0, 1, null].flatMap((rank) => [true, false, null].map((open) => ['tags', { open, rank }] as const)),
]

/** Compares every group count of the instance with what the documents say. */
export const expectGroupCounts = async (
  store: DocumentStore,
  place: number,
  held: readonly StoredValue[],
): Promise<void> => {
  for (const [key, within] of asked) {
    expect(await groupCountsOf(store, place, key, within), `${key} ${JSON.stringify(within)}`).to.deep.equal(
      expectedGroupCount(things, held, key, within),
    )
  }
}
