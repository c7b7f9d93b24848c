/** Tests of group counts. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Deviations } from '../contract.js'
import { sentences } from './sentences.js'
import { failureTag, type Stage } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { expectGroupCounts, groupCountsOf } from './expect-group-counts.js'
import { groupCountRaces } from './group-count-races.js'
import { textsInOrder } from './texts.js'

const countedDocuments = ({ store, newInstance, insert }: Stage): void => {
  const filled = async (...values: readonly JsonObject[]): Promise<number> => {
    const instance = newInstance()
    for (const value of values) await insert(instance, value)
    return instance
  }

  it('nothing if no document has a text', async () => {
    const instance = await filled({}, { tags: [] }, { tags: null, kind: 'x' })
    expect(await groupCountsOf(store(), instance, 'tags', {})).to.deep.equal([])
    expect(await groupCountsOf(store(), instance, 'tags', { kind: 'x' })).to.deep.equal([])
  })

  it('a document once for a text that is in its list several times', async () => {
    const instance = await filled({ tags: ['a', 'b', 'a', 'a'] }, { tags: ['a'] })
    expect(await groupCountsOf(store(), instance, 'tags', {})).to.deep.equal([
      { text: 'a', count: 2 },
      { text: 'b', count: 1 },
    ])
  })

  it('no entry that is empty or not a text, and no value that is not a list', async () => {
    const instance = await filled(
      { tags: ['', 1, null, true, ['a'], { a: 'a' }, 'a'] },
      { tags: 'a' },
      { tags: { a: 'a', 0: 'a' } },
    )
    expect(await groupCountsOf(store(), instance, 'tags', {})).to.deep.equal([{ text: 'a', count: 1 }])
  })

  it('texts that differ in case, normal form or spaces separately', async () => {
    const instance = await filled({ tags: textsInOrder }, { tags: textsInOrder.toReversed() })
    expect(await groupCountsOf(store(), instance, 'tags', {})).to.deep.equal(
      textsInOrder.toSorted().map((text) => ({ text, count: 2 })),
    )
  })

  it('the documents with the requested values; absent, null and the empty text are equal', async () => {
    const instance = await filled(
      { tags: ['a'], kind: 'x' },
      { tags: ['a', 'b'], kind: 'y', rank: 1, open: true },
      { tags: ['a'], kind: '' },
      { tags: ['a', 'c'], kind: null, rank: 1, open: false },
      { tags: ['a'], kind: ['x'], rank: '1' },
      { tags: ['c'], open: true, rank: 1 },
    )
    const groupCount = (within: JsonObject) => groupCountsOf(store(), instance, 'tags', within)
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

  it('only documents of the instance and collection', async () => {
    const [instance, elsewhere] = [await filled({ tags: ['a'] }), await filled({ tags: ['a', 'b'] })]
    await insert(instance, { tags: ['a', 'c'] }, 'others')
    expect(await groupCountsOf(store(), instance, 'tags', {})).to.deep.equal([{ text: 'a', count: 1 }])
    expect(await groupCountsOf(store(), instance, 'tags', {}, 'others')).to.deep.equal([
      { text: 'a', count: 1 },
      { text: 'c', count: 1 },
    ])
    await valueOf(
      changes(store()).insert('things', elsewhere, { id: 'z', unique: null, value: { tags: ['z'] } }),
    )
    await valueOf(changes(store()).remove('things', elsewhere, 'z', 1))
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

const countsAfterWrites = ({ store, newInstance }: Stage): void => {
  it('every insert, replace and remove', () =>
    fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 14 }), async (writes) => {
        const instance = newInstance()
        const expected = new Map<string, { readonly version: number; readonly value: JsonObject }>()
        for (const { kind, id, value: next } of writes) {
          const former = expected.get(id)
          if (former === undefined) {
            await valueOf(changes(store()).insert('things', instance, { id, unique: null, value: next }))
            expected.set(id, { version: 1, value: next })
          } else if (kind === 'put') {
            const { version } = former
            await valueOf(
              changes(store()).replace('things', instance, { id, unique: null, version, value: next }),
            )
            expected.set(id, { version: version + 1, value: next })
          } else {
            await valueOf(changes(store()).remove('things', instance, id, former.version))
            expected.delete(id)
          }
        }
        await expectGroupCounts(
          store(),
          instance,
          [...expected].map(([id, each]) => ({ id, value: each.value })),
        )
      }),
      { numRuns: 15 },
    ))

  it('the latest write', async () => {
    const instance = newInstance()
    const counts = async () => (await groupCountsOf(store(), instance, 'tags', {})).map(({ count }) => count)
    for (let i = 1; i <= 10; i++) {
      await valueOf(
        changes(store()).insert('things', instance, { id: `${i}`, unique: null, value: { tags: ['a'] } }),
      )
      expect(await counts()).to.deep.equal([i])
    }
    for (let i = 10; i >= 1; i--) {
      await valueOf(changes(store()).remove('things', instance, `${i}`, 1))
      expect(await counts()).to.deep.equal(i === 1 ? [] : [i - 1])
    }
  })

  it('no write that failed', async () => {
    const instance = newInstance()
    const put = (id: string, unique: string, tags: readonly string[]) => ({ id, unique, value: { tags } })
    await valueOf(changes(store()).insert('things', instance, put('a', 'u', ['a'])))
    await valueOf(changes(store()).insert('things', instance, put('b', 'v', ['b'])))
    const conflicting = put('a', 'v', ['c', 'd'])
    expect(await failureTag(changes(store()).insert('things', instance, conflicting))).to.equal(
      'VersionConflict',
    )
    expect(
      await failureTag(changes(store()).insert('things', instance, { ...conflicting, id: 'c' })),
    ).to.equal('UniqueConflict')
    expect(
      await failureTag(changes(store()).replace('things', instance, { ...conflicting, version: 1 })),
    ).to.equal('UniqueConflict')
    expect(
      await failureTag(changes(store()).replace('things', instance, { ...conflicting, version: 2 })),
    ).to.equal('VersionConflict')
    expect(await failureTag(changes(store()).remove('things', instance, 'a', 2))).to.equal('VersionConflict')
    expect(await groupCountsOf(store(), instance, 'tags', {})).to.deep.equal([
      { text: 'a', count: 1 },
      { text: 'b', count: 1 },
    ])
  })
}

/** Declares the tests of group counts. */
export const groupCounts = (stage: Stage, deviations: Deviations<'documentStore'>): void => {
  describe(sentences.groupCount, () => {
    countedDocuments(stage)
    countsAfterWrites(stage)
    groupCountRaces(stage, deviations)
  })
}
