/**
 * A check that the database behind a document store has an index for each query that its collections declare: each
 * filter with each order, on the first page and behind a cursor, and each group count. The adapter says what a plan does
 * too much, since only it can read the plans of its database.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain'
import type {
  Collection,
  DocumentStore,
  Filter,
  KeyType,
  Order,
  Query,
  GroupCount,
} from '@publishing-service/ports'
import { all, right, things } from './document-store/stage.js'

/** A store, and what the database says of the reads that it would make. */
export type PlansSubject = {
  readonly store: DocumentStore
  /**
   * What is wrong with the plans of this page's reads, in words for the report: a scan of a collection, rows that are
   * read and thrown away, a sort of all rows where `isInOrder`, as an index has the order and the filters of the query.
   */
  readonly faultsOfPage: (
    collection: Collection,
    instance: number,
    query: Query,
    isInOrder: boolean,
  ) => Promise<readonly string[]>
  /** The same for a group count within these values; none where group counts are a deviation. */
  readonly faultsOfTally?: (
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
  /** What the store is opened with; a collection with keys of every type where not given. */
  readonly collections?: readonly Collection[]
  /** Documents of each collection, so that the database has a reason to use an index; 200 where not given. */
  readonly documents?: number
  /** Milliseconds for one test; two minutes where not given. */
  readonly timeout?: number
}

const instance = 1

const samples = {
  text: (i: number) => `text ${i % 20}`,
  number: (i: number) => i % 20,
  boolean: (i: number) => i % 2 === 0,
  texts: (i: number) => [`text ${i % 5}`, `text ${i % 7}`],
} as const satisfies Readonly<Record<KeyType, (i: number) => JsonObject[string]>>

const filtersOf = (key: string, type: KeyType): readonly Filter[] => {
  if (type === 'texts') return [{ key, has: 'text 1' }]
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
  Object.keys(keys).filter((key) => keys[key] !== 'texts')

/** Equality with all keys of an index but the last, which is the order: an index has these rows in their order. */
const servedByIndexes = ({
  keys,
  indexes,
}: Collection): readonly (readonly [readonly Filter[], readonly Order[]])[] =>
  indexes.flatMap((index) => {
    const last = index.at(-1)
    if (last === undefined || keys[last] === 'texts') return []
    const where = index
      .slice(0, -1)
      .map((key): Filter =>
        keys[key] === 'texts' ? { key, has: 'text 1' } : { key, equals: samples[keys[key] ?? 'text'](3) },
      )
    return bothDirections(last).map((order) => [where, order] as const)
  })

/** Declares the check. Call it at the top of a test file or within a `describe`. */
export const documentStorePlans = (options: DocumentStorePlans): void => {
  const { name, open, collections = [things], documents = 200, timeout = 120_000 } = options
  describe(`${name}, by the plans of its database`, function () {
    this.timeout(timeout)
    let opened: PlansSubject | undefined
    const subject = (): PlansSubject => opened ?? expect.fail('the store is not open')
    before(async () => {
      const made = await open(collections)
      opened = made
      for (const { name: collection, keys } of collections)
        for (let i = 0; i < documents; i++) {
          const value = Object.fromEntries(Object.entries(keys).map(([key, type]) => [key, samples[type](i)]))
          await right(made.store.insert(collection, instance, { id: `${i}`, unique: null, value }))
        }
    })
    after(() => opened?.dispose())

    /** Of the first page and of the page behind its document, where there is one. */
    const expectGood = async (
      collection: Collection,
      where: readonly Filter[],
      order: readonly Order[],
      isInOrder: boolean,
    ): Promise<void> => {
      const { store, faultsOfPage } = subject()
      const first: Query = { ...all, where, order, limit: 100 }
      const { next } = await right(store.find(collection.name, instance, { ...first, limit: 1 }))
      for (const query of next === null ? [first] : [first, { ...first, after: next }])
        expect(
          await faultsOfPage(collection, instance, query, isInOrder),
          JSON.stringify(query),
        ).to.deep.equal([])
    }

    for (const collection of collections) {
      const orders = [[], ...plainKeys(collection).flatMap(bothDirections)]

      it(`${collection.name}: every filter with every order uses an index`, async () => {
        for (const [key, type] of Object.entries(collection.keys))
          for (const filter of filtersOf(key, type))
            for (const order of orders) await expectGood(collection, [filter], order, false)
      })

      it(`${collection.name}: every order, and every declared index, gives its rows in order`, async () => {
        for (const order of orders) {
          const isIndexed = order.every(({ key }) => collection.unordered?.includes(key) !== true)
          await expectGood(collection, [], order, isIndexed)
        }
        for (const [where, order] of servedByIndexes(collection))
          await expectGood(collection, where, order, true)
      })

      it(`${collection.name}: tallies read no documents`, async function () {
        const { faultsOfTally } = subject()
        if (faultsOfTally === undefined) return this.skip()
        for (const groupCount of collection.groupCounts) {
          const within = Object.fromEntries(
            groupCount.within.map((key) => [key, samples[collection.keys[key] ?? 'text'](3)]),
          )
          expect(
            await faultsOfTally(collection, instance, groupCount, within),
            JSON.stringify(groupCount),
          ).to.deep.equal([])
        }
      })
    }
  })
}
