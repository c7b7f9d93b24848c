/** Tests of the counts that a store keeps. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '@publishing-service/domain'
import type { Deviations } from '../contract.js'
import { rounds } from '../extent.js'
import { sentences } from './sentences.js'
import { failure, right, type Stage } from './stage.js'
import { expectGroupCounts, groupCountsOf } from './expect-group-counts.js'
import { raced } from './group-count-races.js'
import { textsInOrder } from './texts.js'

const counted = ({ store, instance, insert }: Stage): void => {
  const filled = async (...values: readonly JsonObject[]): Promise<number> => {
    const place = instance()
    for (const value of values) await insert(place, value)
    return place
  }

  it('nothing where no document has a text', async () => {
    const place = await filled({}, { tags: [] }, { tags: null, kind: 'x' })
    expect(await groupCountsOf(store(), place, 'tags', {})).to.deep.equal([])
    expect(await groupCountsOf(store(), place, 'tags', { kind: 'x' })).to.deep.equal([])
  })

  it('a document once for a text that stands in its list several times', async () => {
    const place = await filled({ tags: ['a', 'b', 'a', 'a'] }, { tags: ['a'] })
    expect(await groupCountsOf(store(), place, 'tags', {})).to.deep.equal([
      { text: 'a', count: 2 },
      { text: 'b', count: 1 },
    ])
  })

  it('no entry that isn’t a text, or is empty, and nothing that is no list', async () => {
    const place = await filled(
      { tags: ['', 1, null, true, ['a'], { a: 'a' }, 'a'] },
      { tags: 'a' },
      { tags: { a: 'a', 0: 'a' } },
    )
    expect(await groupCountsOf(store(), place, 'tags', {})).to.deep.equal([{ text: 'a', count: 1 }])
  })

  it('texts that differ in case, normal form or spaces apart', async () => {
    const place = await filled({ tags: textsInOrder }, { tags: textsInOrder.toReversed() })
    expect(await groupCountsOf(store(), place, 'tags', {})).to.deep.equal(
      textsInOrder.toSorted().map((text) => ({ text, count: 2 })),
    )
  })

  it('the documents with the asked values, where absent, null and the empty text are one', async () => {
    const place = await filled(
      { tags: ['a'], kind: 'x' },
      { tags: ['a', 'b'], kind: 'y', rank: 1, open: true },
      { tags: ['a'], kind: '' },
      { tags: ['a', 'c'], kind: null, rank: 1, open: false },
      { tags: ['a'], kind: ['x'], rank: '1' },
      { tags: ['c'], open: true, rank: 1 },
    )
    const groupCount = (within: JsonObject) => groupCountsOf(store(), place, 'tags', within)
    expect(await groupCount({ kind: 'x' })).to.deep.equal([{ text: 'a', count: 1 }])
    for (const kind of [null, ''])
      expect(await groupCount({ kind })).to.deep.equal([
        { text: 'a', count: 3 },
        { text: 'c', count: 2 },
      ])
    expect(await groupCount({ rank: 1, open: true })).to.deep.equal([
      { text: 'a', count: 1 },
      { text: 'b', count: 1 },
      { text: 'c', count: 1 },
    ])
    expect(await groupCount({ open: false, rank: 1 })).to.deep.equal([
      { text: 'a', count: 1 },
      { text: 'c', count: 1 },
    ])
    for (const wrong of [
      { kind: 'X' },
      { kind: 1 },
      { kind: ['x'] },
      { kind: true },
      { rank: '1', open: true },
    ])
      expect(await groupCount(wrong), JSON.stringify(wrong)).to.deep.equal([])
  })

  it('the documents of its own instance and collection', async () => {
    const [place, elsewhere] = [await filled({ tags: ['a'] }), await filled({ tags: ['a', 'b'] })]
    await insert(place, { tags: ['a', 'c'] }, 'others')
    expect(await groupCountsOf(store(), place, 'tags', {})).to.deep.equal([{ text: 'a', count: 1 }])
    expect(await groupCountsOf(store(), place, 'tags', {}, 'others')).to.deep.equal([
      { text: 'a', count: 1 },
      { text: 'c', count: 1 },
    ])
    await right(store().insert('things', elsewhere, { id: 'z', unique: null, value: { tags: ['z'] } }))
    await right(store().remove('things', elsewhere, 'z', 1))
    expect(await groupCountsOf(store(), elsewhere, 'tags', {})).to.deep.equal([
      { text: 'a', count: 1 },
      { text: 'b', count: 1 },
    ])
  })
}

const list = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', 'é'), { maxLength: 4 }) },
  fc.constantFrom<JsonObject[string]>(null, 'a', [1, 'a'], { a: 'a' }),
)
const value = fc.record(
  {
    tags: list,
    places: list,
    kind: fc.constantFrom('x', 'y', null, ''),
    rank: fc.constantFrom(0, 1, null),
    open: fc.constantFrom(true, false, null),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const write = fc.record({
  kind: fc.constantFrom('put', 'put', 'remove'),
  id: fc.constantFrom('1', '2', '3', '4', '5'),
  value,
})

const followed = ({ store, instance }: Stage): void => {
  it('every insert, replace and remove, whatever they change', () =>
    fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 14 }), async (writes) => {
        const place = instance()
        const held = new Map<string, { readonly version: number; readonly value: JsonObject }>()
        for (const { kind, id, value: next } of writes) {
          const former = held.get(id)
          if (former === undefined) {
            await right(store().insert('things', place, { id, unique: null, value: next }))
            held.set(id, { version: 1, value: next })
          } else if (kind === 'put') {
            const { version } = former
            await right(store().replace('things', place, { id, unique: null, version, value: next }))
            held.set(id, { version: version + 1, value: next })
          } else {
            await right(store().remove('things', place, id, former.version))
            held.delete(id)
          }
        }
        await expectGroupCounts(
          store(),
          place,
          [...held].map(([id, each]) => ({ id, value: each.value })),
        )
      }),
      { numRuns: rounds(15, 60) },
    ))

  it('the write just before it', async () => {
    const place = instance()
    const counts = async () => (await groupCountsOf(store(), place, 'tags', {})).map(({ count }) => count)
    for (let i = 1; i <= 10; i++) {
      await right(store().insert('things', place, { id: `${i}`, unique: null, value: { tags: ['a'] } }))
      expect(await counts()).to.deep.equal([i])
    }
    for (let i = 10; i >= 1; i--) {
      await right(store().remove('things', place, `${i}`, 1))
      expect(await counts()).to.deep.equal(i === 1 ? [] : [i - 1])
    }
  })

  it('no write that was refused', async () => {
    const place = instance()
    const put = (id: string, unique: string, tags: readonly string[]) => ({ id, unique, value: { tags } })
    await right(store().insert('things', place, put('a', 'u', ['a'])))
    await right(store().insert('things', place, put('b', 'v', ['b'])))
    const refused = put('a', 'v', ['c', 'd'])
    expect(await failure(store().insert('things', place, refused))).to.equal('VersionConflict')
    expect(await failure(store().insert('things', place, { ...refused, id: 'c' }))).to.equal('UniqueConflict')
    expect(await failure(store().replace('things', place, { ...refused, version: 1 }))).to.equal(
      'UniqueConflict',
    )
    expect(await failure(store().replace('things', place, { ...refused, version: 2 }))).to.equal(
      'VersionConflict',
    )
    expect(await failure(store().remove('things', place, 'a', 2))).to.equal('VersionConflict')
    expect(await groupCountsOf(store(), place, 'tags', {})).to.deep.equal([
      { text: 'a', count: 1 },
      { text: 'b', count: 1 },
    ])
  })
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const cost = ({ store, instance }: Stage): void => {
  it('the same texts on 3000 documents cost what they cost on 30', async function () {
    this.timeout(120_000)
    const timed = async (documents: number): Promise<number> => {
      const place = instance()
      for (let i = 0; i < documents; i += 100) {
        const batch = Array.from({ length: Math.min(100, documents - i) }, (_, j) => ({
          id: `${i + j}`,
          unique: null,
          value: { tags: [`${j % 10}`, 'all'], kind: 'x' },
        }))
        await Promise.all(batch.map((document) => right(store().insert('things', place, document))))
      }
      const times: number[] = []
      for (let i = 0; i < 21; i++) {
        const start = performance.now()
        const found = await right(store().countGroups('things', place, 'tags', { kind: 'x' }))
        times.push(performance.now() - start)
        expect(found.length).to.equal(11)
      }
      return median(times)
    }
    const few = await timed(30)
    expect(await timed(3000), `median milliseconds; 30 documents took ${few}`).to.be.below(3 * few + 2)
  })
}

/** Declares the tests of group counts. */
export const groupCounts = (stage: Stage, deviations: Deviations<'documentStore'>): void => {
  describe(sentences.groupCount, () => {
    counted(stage)
    followed(stage)
    raced(stage, deviations)
    if (deviations.unevenGroupCounts === undefined) cost(stage)
  })
}
