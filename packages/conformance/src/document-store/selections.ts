/** Tests of counts of what is selected. Random ones are tested with queries. */
import { before, describe, it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain/json'
import { estimatingSample, isSampled, sampleFor, type Selection } from '@publishing-service/ports'
import { changes } from './changes.js'
import { expectedResult, expectedTextCounts } from './query-model.js'
import { sentences } from './sentences.js'
import { type Stage, things } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { textsInOrder } from './texts.js'

const values: readonly JsonObject[] = [
  { tags: ['a', 'b', 'a'], kind: 'x', title: 'a', places: ['1 3'] },
  { tags: ['a'], kind: 'y', rank: 1, open: true },
  { tags: 'a', kind: ['x'], title: '' },
  { tags: ['', 1, null, ['a']], kind: 'x', rank: 2 },
  { tags: ['b'], kind: 'X ', title: 'a' },
  { title: 'x\u0000', tags: textsInOrder, kind: '\ud83d\ude00', rank: '1' },
  {},
]

const selections: readonly (readonly [string, Selection])[] = [
  ['everything', { where: [] }],
  ['a value', { where: [{ key: 'kind', equals: 'x' }] }],
  ['one of several values', { where: [{ key: 'kind', oneOf: ['x', 'y', null] }] }],
  ['a range', { where: [{ key: 'rank', atLeast: 1, atMost: 2 }] }],
  ['a text of a list', { where: [{ key: 'tags', has: 'a' }] }],
  ['none of some texts', { where: [{ key: 'tags', hasNone: ['a'] }] }],
  ['an interval', { where: [{ key: 'places', hasIn: { atLeast: '', below: '2', endsAbove: '2' } }] }],
  ['alternatives', { where: [{ anyOf: [[{ key: 'open', equals: true }], [{ key: 'tags', has: 'b' }]] }] }],
  ['what no document can meet', { where: [{ key: 'kind', equals: 1 }] }],
  ['ids', { where: [], ids: ['0', '2', '4', 'z'] }],
  ['no id', { where: [], ids: [] }],
  ['all but some', { where: [{ key: 'title', equals: 'a' }], notIds: ['0', 'z'] }],
  ['all but none', { where: [], notIds: [] }],
]

const byText = (a: { readonly text: string }, b: { readonly text: string }): number =>
  a.text < b.text ? -1 : 1

const samples = [1, 2, 4, 8, 16, 32, 64] as const

/** Positions of 2023 that are in a sample, and not in that of half as many. */
const positionsOf = (oneIn: number): readonly number[] =>
  Array.from({ length: 1000 }, (_, i) => 1_700_000_000_000_000 + i).filter(
    (position) => isSampled(position, oneIn) && !isSampled(position, 2 * oneIn),
  )

/** Declares the tests of counts. */
export const counts = ({ store, newInstance, insert }: Stage): void => {
  const documents = values.map((value, i) => ({ id: `${i}`, value }))
  let instance = 0
  before(async () => {
    instance = newInstance()
    for (const document of documents)
      await valueOf(changes(store()).insert('things', instance, { ...document, unique: null }))
    await insert(newInstance(), { tags: ['a'], kind: 'x' })
    await insert(instance, { tags: ['a'], kind: 'x' }, 'others')
  })

  describe(sentences.count, () => {
    for (const [name, selection] of selections)
      it(name, async () => {
        const query = { ...selection, order: [], skip: 0, limit: 1000, detail: 'light' } as const
        const { documents: found } = await valueOf(store().find('things', instance, query))
        for (const limit of [1, 2, 3, 100_000])
          expect(await valueOf(store().count('things', instance, selection, limit))).to.equal(
            Math.min(found.length, limit),
          )
      })

    it('after a replace and a removal', async () => {
      const here = newInstance()
      const { id } = await insert(here, { kind: 'x' })
      await insert(here, { kind: 'x' })
      const count = () =>
        valueOf(store().count('things', here, { where: [{ key: 'kind', equals: 'x' }] }, 10))
      expect(await count()).to.equal(2)
      await valueOf(changes(store()).replace('things', here, { id, unique: null, version: 1, value: {} }))
      expect(await count()).to.equal(1)
      await valueOf(changes(store()).remove('things', here, id, 2))
      expect(await count()).to.equal(1)
    })
  })

  const keys = ['tags', 'places', 'kind', 'title']

  describe(sentences.countedTexts, () => {
    for (const [name, selection] of selections)
      it(name, async () => {
        const counted = await valueOf(store().countTexts('things', instance, keys, selection, 1000))
        expect(counted.oneIn).to.equal(1)
        for (const [i, key] of keys.entries())
          expect(counted.texts[i]?.toSorted(byText), key).to.deep.equal(
            expectedTextCounts(things, documents, key, selection),
          )
      })

    it('of no key: the number of documents', async () => {
      const counted = await valueOf(store().countTexts('things', instance, [], { where: [] }, 1000))
      expect(counted).to.deep.equal({ oneIn: 1, documents: values.length, texts: [] })
    })
  })

  it(sentences.sample, async () => {
    const here = newInstance()
    const sampled = samples.flatMap((oneIn) => positionsOf(oneIn).slice(0, 2))
    const stored = sampled.map((position) => ({
      id: `${position}`,
      position,
      value: { kind: position % 2 === 0 ? 'x' : 'y', tags: [`${position % 3}`] },
    }))
    for (const document of stored)
      await valueOf(
        changes(store()).change(
          'things',
          here,
          { kind: 'insert', document: { ...document, unique: null } },
          [],
        ),
      )
    for (const where of [[], [{ key: 'kind', equals: 'x' }], [{ key: 'tags', has: '1' }]]) {
      const found = expectedResult(things, stored, { where, order: [] })
      const inSample = (oneIn: number) => found.filter(({ id }) => isSampled(Number(id), oneIn))
      for (const most of [200, 100, 60, 30, 10, 5, 2]) {
        const oneIn = sampleFor(inSample(estimatingSample).length, most)
        const counted = await valueOf(store().countTexts('things', here, ['tags', 'kind'], { where }, most))
        expect(counted, `at most ${most}`).to.deep.include({ oneIn, documents: inSample(oneIn).length })
        for (const [i, key] of ['tags', 'kind'].entries())
          expect(counted.texts[i]?.toSorted(byText)).to.deep.equal(
            expectedTextCounts(things, inSample(oneIn), key, { where }),
          )
      }
    }
  })
}
