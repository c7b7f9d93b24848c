/**
 * A check that the database of a document store has an index for each query that its collections declare: each filter
 * with each order, on the first page and after a cursor, and each group count. The adapter reads the query plans of its
 * database and returns what is wrong with them.
 */
import { changes } from './document-store/changes.js'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import type {
  Collection,
  DocumentStore,
  Filter,
  KeyType,
  Order,
  Query,
  GroupCount,
} from '@publishing-service/ports'
import { isListType } from '@publishing-service/ports'
import { all, things } from './document-store/stage.js'
import { valueOf } from './task-outcome.js'

/** A store, and an inspection of the query plans of its reads. */
export type PlansSubject = {
  readonly store: DocumentStore
  /**
   * What is wrong with the plans of this page's reads, for the report: a scan of a collection, rows that are read and
   * discarded, or a sort of all rows. `isInOrder`: an index has the filters and the order of the query.
   */
  readonly problemsOfPage: (
    collection: Collection,
    instance: number,
    query: Query,
    isInOrder: boolean,
  ) => Promise<readonly string[]>
  /** The same for a group count within these values; absent if group counts are a deviation. */
  readonly problemsOfGroupCount?: (
    collection: Collection,
    instance: number,
    groupCount: GroupCount,
    within: JsonObject,
  ) => Promise<readonly string[]>
  readonly dispose: () => Promise<void>
}

export type DocumentStorePlans = {
  /** Names the adapter in the report. */
  readonly name: string
  readonly open: (collections: readonly Collection[]) => Promise<PlansSubject>
  /** The collections of the store. By default one with keys of every type. */
  readonly collections?: readonly Collection[]
  /** The number of documents of each collection, enough for the database to use an index; 200 by default. */
  readonly documents?: number
  /** Milliseconds for one test; two minutes by default. */
  readonly timeout?: number
}

const instance = 1

const samples = {
  text: (i: number) => `text ${i % 20}`,
  number: (i: number) => i % 20,
  boolean: (i: number) => i % 2 === 0,
  texts: (i: number) => [`text ${i % 5}`, `text ${i % 7}`],
  intervals: (i: number) => [`${i % 5} ${i % 7}`],
} as const satisfies Readonly<Record<KeyType, (i: number) => JsonObject[string]>>

const filtersOf = (key: string, type: KeyType): readonly Filter[] => {
  if (isListType(type)) return [{ key, has: 'text 1' }]
  const value = samples[type](3)
  const plain: readonly Filter[] = [
    { key, equals: value },
    { key, equals: null },
    { key, oneOf: [value, null] },
  ]
  if (typeof value === 'boolean') return plain
  return [...plain, { key, atLeast: value }, { key, above: value }, { key, above: '' }, { key, below: value }]
}

const bothDirections = (key: string): readonly (readonly Order[])[] => [
  [{ key, direction: 'asc' }],
  [{ key, direction: 'desc' }],
]

const plainKeys = ({ keys }: Collection): readonly string[] =>
  Object.keys(keys).filter((key) => !isListType(keys[key]))

/** Filters for equality with all keys of an index except the last, ordered by the last: the index has this order. */
const servedByIndexes = ({
  keys,
  indexes,
}: Collection): readonly (readonly [readonly Filter[], readonly Order[]])[] =>
  indexes.flatMap((index) => {
    const last = index.at(-1)
    if (last === undefined || isListType(keys[last])) return []
    const where = index
      .slice(0, -1)
      .map((key): Filter =>
        isListType(keys[key]) ? { key, has: 'text 1' } : { key, equals: samples[keys[key] ?? 'text'](3) },
      )
    return bothDirections(last).map((order) => [where, order] as const)
  })

/** Declares the check. Call it at the top of a test file or in a `describe`. */
export const documentStorePlans = (options: DocumentStorePlans): void => {
  const { name, open, collections = [things], documents = 200, timeout = 120_000 } = options
  describe(`${name}, query plans`, function () {
    this.timeout(timeout)
    let opened: PlansSubject | undefined
    const subject = (): PlansSubject => opened ?? expect.fail('the store is not open')
    before(async () => {
      const made = await open(collections)
      opened = made
      for (const { name: collection, keys } of collections)
        for (let i = 0; i < documents; i++) {
          const value = Object.fromEntries(Object.entries(keys).map(([key, type]) => [key, samples[type](i)]))
          await valueOf(changes(made.store).insert(collection, instance, { id: `${i}`, unique: null, value }))
        }
    })
    after(() => opened?.dispose())

    /** Checks the plans of the first page, and of the page after its first document if there is one. */
    const expectGoodPlans = async (
      collection: Collection,
      where: readonly Filter[],
      order: readonly Order[],
      isInOrder: boolean,
    ): Promise<void> => {
      const { store, problemsOfPage } = subject()
      const first: Query = { ...all, where, order, limit: 100 }
      const { next } = await valueOf(store.find(collection.name, instance, { ...first, limit: 1 }))
      for (const query of next === null ? [first] : [first, { ...first, after: next }])
        expect(
          await problemsOfPage(collection, instance, query, isInOrder),
          JSON.stringify(query),
        ).to.deep.equal([])
    }

    for (const collection of collections) {
      const orders = [[], ...plainKeys(collection).flatMap(bothDirections)]

      it(`${collection.name}: every filter with every order uses an index`, async () => {
        for (const [key, type] of Object.entries(collection.keys))
          for (const filter of filtersOf(key, type))
            for (const order of orders) await expectGoodPlans(collection, [filter], order, false)
      })

      it(`${collection.name}: every order and every declared index returns rows in order`, async () => {
        for (const order of orders) {
          const isIndexed = order.every(({ key }) =>
            collection.indexes.some((keys) => keys.length === 1 && keys[0] === key),
          )
          await expectGoodPlans(collection, [], order, isIndexed)
        }
        for (const [where, order] of servedByIndexes(collection))
          await expectGoodPlans(collection, where, order, true)
      })

      it(`${collection.name}: group counts read no documents`, async function () {
        const { problemsOfGroupCount } = subject()
        if (problemsOfGroupCount === undefined) return this.skip()
        for (const groupCount of collection.groupCounts) {
          const within = Object.fromEntries(
            groupCount.within.map((key) => [key, samples[collection.keys[key] ?? 'text'](3)]),
          )
          expect(
            await problemsOfGroupCount(collection, instance, groupCount, within),
            JSON.stringify(groupCount),
          ).to.deep.equal([])
        }
      })
    }
  })
}
