/** Tests that instances share a store and nothing else. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { sentences } from './sentences.js'
import { all, failure, idsOf, right, type Stage } from './stage.js'

/** Declares the tests of the instances' isolation. */
export const instances = ({ store, instance }: Stage): void => {
  describe(sentences.apart, () => {
    it('one id and one unique text in two instances', async () => {
      const [here, there] = [instance(), instance()]
      const write = { id: 'a', unique: 'u' }
      await right(store().insert('things', here, { ...write, value: { title: 'here' } }))
      await right(store().insert('things', there, { ...write, value: { title: 'there' } }))
      await right(store().replace('things', here, { ...write, version: 1, value: { title: 'changed' } }))
      expect(await right(store().get('things', there, 'a'))).to.deep.equal({
        id: 'a',
        version: 1,
        value: { title: 'there' },
      })
      await right(store().remove('things', there, 'a', 1))
      expect(await right(store().get('things', here, 'a'))).to.deep.equal({
        id: 'a',
        version: 2,
        value: { title: 'changed' },
      })
      expect(await failure(store().insert('things', here, { ...write, id: 'b', value: {} }))).to.equal(
        'UniqueConflict',
      )
    })

    it('a replace or remove names a document of another instance', async () => {
      const [here, there] = [instance(), instance()]
      await right(store().insert('things', here, { id: 'a', unique: null, value: { title: 'here' } }))
      const reach = { id: 'a', unique: null, version: 1, value: { title: 'there' } }
      expect(await failure(store().replace('things', there, reach))).to.equal('VersionConflict')
      expect(await failure(store().remove('things', there, 'a', 1))).to.equal('VersionConflict')
      expect(await right(store().get('things', there, 'a'))).to.equal(null)
      expect(await right(store().get('things', here, 'a'))).to.deep.equal({
        id: 'a',
        version: 1,
        value: { title: 'here' },
      })
    })

    it('queries, walks and lists of ids', async () => {
      const [here, there] = [instance(), instance()]
      for (let i = 0; i < 6; i++) {
        for (const place of [here, there]) {
          const value = { title: `${i % 2}`, kind: `${place}`, rank: i }
          await right(store().insert('things', place, { id: `${place}-${i}`, unique: `${i}`, value }))
        }
      }
      const own = Array.from({ length: 6 }, (_, i) => `${here}-${i}`)
      const found = async (query: Partial<typeof all>): Promise<readonly string[]> =>
        idsOf((await right(store().find('things', here, { ...all, ...query }))).documents)
      expect(await found({})).to.deep.equal(own)
      expect(await found({ order: [{ key: 'rank', direction: 'desc' }] })).to.deep.equal(own.toReversed())
      expect(await found({ where: [{ key: 'kind', equals: `${there}` }] })).to.deep.equal([])
      expect(await found({ where: [{ key: 'kind', oneOf: [`${there}`, `${here}`] }] })).to.deep.equal(own)
      expect(await found({ where: [{ key: 'rank', atLeast: 4 }] })).to.deep.equal(own.slice(4))
      const ids = [...own, ...own.map((id) => id.replace(`${here}-`, `${there}-`))]
      expect(idsOf(await right(store().getMany('things', here, ids, 'full')))).to.have.members(own)
      const first = await right(
        store().find('things', here, { ...all, order: [{ key: 'title', direction: 'asc' }], limit: 4 }),
      )
      const rest = await right(
        store().find('things', here, {
          ...all,
          order: [{ key: 'title', direction: 'asc' }],
          after: first.next,
        }),
      )
      expect(idsOf([...first.documents, ...rest.documents])).to.have.members(own)
    })

    it('ids and unique texts that look like another instance’s', async () => {
      // Were the names glued together, 7 with «1/a» and 71 with «/a» could meet.
      const value = { title: 'a' }
      const places = [7_000_001, 70_000_011, 700_000_111]
      const texts = ['a', '1a', '11a', '1/a', '11/a', '/a', '-a', '1-a', ':1:a', '1:a', '1|a']
      for (const place of places) {
        for (const text of texts)
          await right(store().insert('things', place, { id: text, unique: text, value }))
      }
      for (const place of places) {
        expect(idsOf((await right(store().find('things', place, all))).documents)).to.deep.equal(texts)
        for (const text of texts) await right(store().remove('things', place, text, 1))
      }
    })
  })
}
