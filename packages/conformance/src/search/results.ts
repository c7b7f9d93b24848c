/** Tests of what a search returns: levels, filters and orders, current texts, long texts. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { changes, nextPosition } from '../document-store/changes.js'
import { searchSentences } from '../document-store/sentences.js'
import { all, idsOf, soon } from '../document-store/stage.js'
import { sampleFrom, sampleTitle } from '../extent.js'
import { valueOf } from '../task-outcome.js'
import type { Filter } from '@publishing-service/ports'
import type { SearchLevel, SearchTerm } from '@publishing-service/domain/search'
import type { JsonObject } from '@publishing-service/domain/json'
import { phrase, prefix, word, type SearchStage } from './stage.js'

const filters: readonly (readonly Filter[])[] = [
  [],
  [{ key: 'kind', equals: 'b' }],
  [{ key: 'rank', atLeast: 4 }],
  [{ key: 'tags', has: 't2' }],
  [
    { key: 'kind', oneOf: ['a', 'c'] },
    { key: 'rank', below: 8 },
  ],
  [{ anyOf: [[{ key: 'kind', equals: 'a' }], [{ key: 'tags', has: 't1' }]] }],
]

/** Terms, and a text that the documents with them contain. */
const searches: readonly (readonly [terms: readonly SearchTerm[], text: string])[] = [
  [[word('number')], 'number'],
  [[word('third')], 'third'],
  [[prefix('num'), word('even')], 'even'],
]

export const resultTests = (stage: SearchStage): void => {
  const { find, insert, newInstance, store } = stage

  describe(searchSentences.levels, () => {
    it('titles, descriptions, bodies', async () => {
      const instance = newInstance()
      const body = await insert(instance, { title: 'x', content: 'tram' })
      const title = await insert(instance, { title: 'tram', content: 'tram' })
      const both = await insert(instance, { title: 'old tram', description: 'new bus' })
      const names = await insert(instance, { title: 'x', names: ['tram', 'bus'] })
      const at = (level: SearchLevel, ...terms: readonly SearchTerm[]) =>
        find(instance, [], { words: { terms, best: level }, insertion: 'desc' })
      expect(await at('title', word('tram'))).to.deep.equal([both, title])
      expect(await at('description', word('tram'))).to.deep.equal([names])
      expect(await at('body', word('tram'))).to.deep.equal([body])
      expect(await at('title', word('tram'), prefix('b'))).to.deep.equal([])
      expect(await at('description', word('tram'), prefix('b'))).to.deep.equal([names, both])
      expect(await at('description', phrase('new', 'bus'))).to.deep.equal([both])
      expect(await at('title', phrase('old', 'tram'))).to.deep.equal([both])
      expect(await at('body', phrase('old', 'tram'))).to.deep.equal([])
    })
  })

  describe(searchSentences.combined, () => {
    it('the order of insertion, that of the calls', async () => {
      const instance = newInstance()
      const inserted = await Promise.all(
        Array.from({ length: 20 }, (_, i) => insert(instance, { title: `concurrent c${instance}x${i}` })),
      )
      expect(await find(instance, [word('concurrent')])).to.deep.equal(inserted)
    })

    const combinations = filters.flatMap((where) => searches.map((search) => ({ where, search })))
    const size = 6
    it(`filters, orders and pages${sampleTitle(size, combinations.length)}`, async () => {
      const instance = newInstance()
      const values = Array.from({ length: 30 }, (_, i) => ({
        title: i % 2 === 0 ? 'even' : 'odd',
        content: i % 3 === 0 ? 'third number' : 'number',
        kind: 'abc'.charAt(i % 4),
        rank: (i * 7) % 10,
        tags: [`t${i % 5}`],
      }))
      const inserted: string[] = []
      for (const value of values) inserted.push(await insert(instance, value))
      const limit = 10
      for (const { where, search } of sampleFrom(combinations, size)) {
        const [terms, text] = search
        const isFound = (id: string): boolean => {
          const value = values[inserted.indexOf(id)]
          return value !== undefined && `${value.title} ${value.content}`.includes(text)
        }
        const met = async (query: Partial<typeof all>) =>
          idsOf(
            (await valueOf(store().find('articles', instance, { ...all, where, ...query }))).documents,
          ).filter(isFound)
        const expected = await met({})
        expect(await find(instance, terms, { where, limit })).to.deep.equal(expected)
        expect(await find(instance, terms, { where, limit, insertion: 'desc' })).to.deep.equal(
          expected.toReversed(),
        )
        for (const direction of ['asc', 'desc'] as const) {
          const order = [{ key: 'rank', direction }]
          const sorted = await met({ order })
          expect(await find(instance, terms, { where, order, limit })).to.deep.equal(sorted)
          const skipped = { ...all, words: { terms }, where, order, skip: 3 }
          expect(idsOf((await valueOf(store().find('articles', instance, skipped))).documents)).to.deep.equal(
            sorted.slice(3),
          )
        }
      }
    })
  })

  describe(searchSentences.current, () => {
    it('an insert and two replaces', async () => {
      const instance = newInstance()
      const id = await insert(instance, { title: 'first', content: '<p>body</p>', rank: 1 })
      const replace = async (version: number, value: JsonObject) =>
        valueOf(changes(store()).replace('articles', instance, { id, unique: null, version, value }))
      expect(await find(instance, [word('first')])).to.deep.equal([id])
      await replace(1, { title: 'second', content: '<p>body</p>', rank: 2 })
      expect(await find(instance, [word('first')])).to.deep.equal([])
      expect(await find(instance, [word('second'), word('body')])).to.deep.equal([id])
      await replace(2, { title: 'second', rank: 3 })
      expect(await find(instance, [word('body')])).to.deep.equal([])
      expect(await find(instance, [prefix('seco')])).to.deep.equal([id])
    })

    it('a removed id that is inserted again, with other words', async () => {
      const instance = newInstance()
      const id = await insert(instance, { title: 'first', content: '<p>before</p>' })
      await valueOf(changes(store()).remove('articles', instance, id, 1))
      await insert(instance, { title: 'second' }, id)
      for (const [term, expected] of [
        [word('second'), [id]],
        [word('first'), []],
        [prefix('bef'), []],
      ] as const)
        expect(await find(instance, [term]), JSON.stringify(term)).to.deep.equal(expected)
    })

    it('a document that is appended with a change of another', async () => {
      const instance = newInstance()
      const id = await insert(instance, { title: 'changed' })
      const document = {
        id: 'appended',
        position: nextPosition(),
        unique: null,
        value: { title: 'appended' },
      }
      const change = { kind: 'remove', id, version: 1 } as const
      const appended = [{ collection: 'articles', instance, document }]
      await valueOf(changes(store()).change('articles', instance, change, appended))
      await soon(async () => expect(await find(instance, [word('appended')])).to.deep.equal(['appended']))
      expect(await find(instance, [word('changed')])).to.deep.equal([])
    })

    it('a write that fails', async () => {
      const instance = newInstance()
      const id = await insert(instance, { title: 'kept' })
      await changes(store()).replace('articles', instance, {
        id,
        unique: null,
        version: 9,
        value: { title: 'lost' },
      })()
      await changes(store()).insert('articles', instance, { id, unique: null, value: { title: 'lost' } })()
      expect(await find(instance, [word('kept')])).to.deep.equal([id])
      expect(await find(instance, [prefix('lost')])).to.deep.equal([])
    })
  })

  describe(searchSentences.removed, () => {
    it('a removal, and the same words in several instances', async () => {
      const [here, there] = [newInstance(), newInstance()]
      const id = await insert(here, { title: 'island' }, 'same')
      await insert(there, { title: 'island' }, 'same')
      await valueOf(changes(store()).remove('articles', there, 'same', 1))
      expect(await find(there, [word('island')])).to.deep.equal([])
      expect(await find(here, [prefix('isl')])).to.deep.equal([id])
      // If a store concatenated instance and word, 7 with «1x» could equal 71 with «x».
      for (const instance of [7_000_001, 70_000_011]) await insert(instance, { title: '1x 11x x' })
      for (const instance of [7_000_001, 70_000_011, 7_000_00])
        expect(await find(instance, [word('1x')])).to.have.length(instance === 7_000_00 ? 0 : 1)
    })
  })

  describe(searchSentences.hostile, () => {
    it('operators, names and long words', async () => {
      const instance = newInstance()
      const id = await insert(instance, { title: 'or and not near tokens rowid 0 NULL' })
      for (const each of ['or', 'and', 'not', 'near', 'tokens', 'rowid', '0', 'null'])
        expect(await find(instance, [word(each), prefix(each)]), each).to.deep.equal([id])
      expect(await find(instance, [word('x'.repeat(40))])).to.deep.equal([])
      const many = Array.from({ length: 32 }, (_, i) => word(`x${i}`))
      expect(await find(instance, many)).to.deep.equal([])
    })
  })

  // Last, because a store that reads all documents for each query would read this one in the tests after it.
  describe(searchSentences.long, () => {
    it('the first, one in the middle, and the last', async () => {
      const instance = newInstance()
      const count = 4000
      const words = Array.from({ length: count }, (_, i) => `w${i}`)
      const id = await insert(instance, { content: `<p>${words.join(' ')}</p>` })
      for (const each of ['w0', `w${count / 2}`, `w${count - 1}`])
        expect(await find(instance, [word(each)])).to.deep.equal([id])
      expect(await find(instance, [phrase(`w${count / 2 - 1}`, `w${count / 2}`)])).to.deep.equal([id])
      expect(await find(instance, [word(`w${count}`)])).to.deep.equal([])
    })
  })
}
