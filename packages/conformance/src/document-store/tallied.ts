/** Tallies as lists, and what they have to be by the model. */
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain'
import type { DocumentStore, Tallied } from '@publishing-service/ports'
import { expectedTally, type Held } from './query-model.js'
import { right, things } from './stage.js'

/** What the store answers, in the order of the texts' UTF-16; an answer may come in any order. */
export const talliesOf = async (
  store: DocumentStore,
  instance: number,
  key: string,
  within: JsonObject,
  collection = 'things',
): Promise<readonly Tallied[]> =>
  (await right(store.tally(collection, instance, key, within))).toSorted((a, b) =>
    a.text < b.text ? -1 : a.text > b.text ? 1 : 0,
  )

/** The tallies of `things` with values that the tests write, and some that they don't. */
const asked: readonly (readonly [string, JsonObject])[] = [
  ['tags', {}],
  ['places', {}],
  ...['x', 'y', null, '', 'z', 1].map((kind) => ['tags', { kind }] as const),
  ...[0, 1, null].flatMap((rank) => [true, false, null].map((open) => ['tags', { open, rank }] as const)),
]

/** Compares every tally of the instance with what the documents say. */
export const expectTallies = async (
  store: DocumentStore,
  place: number,
  held: readonly Held[],
): Promise<void> => {
  for (const [key, within] of asked) {
    expect(await talliesOf(store, place, key, within), `${key} ${JSON.stringify(within)}`).to.deep.equal(
      expectedTally(things, held, key, within),
    )
  }
}
