/** Tests of counts of what is selected. Random ones are tested with queries. */
import { before, describe, it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Selection } from '@publishing-service/ports'
import { changes } from './changes.js'
import { expectedTextCounts } from './query-model.js'
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

  describe(sentences.countedTexts, () => {
    for (const [name, selection] of selections)
      it(name, async () => {
        for (const key of ['tags', 'places', 'kind', 'title']) {
          const found = await valueOf(store().countTexts('things', instance, key, selection))
          expect(found.toSorted(byText), key).to.deep.equal(
            expectedTextCounts(things, documents, key, selection),
          )
        }
      })
  })
}
