/** Tests that the instances of a store are isolated from each other. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { singleReads } from '@publishing-service/ports'
import { sentences } from './sentences.js'
import { all, failureTag, idsOf, type Stage } from './stage.js'
import { valueOf } from '../task-outcome.js'

/** Declares the tests of the instances' isolation. */
export const instances = ({ store, newInstance }: Stage): void => {
  describe(sentences.apart, () => {
    it('one id and one unique text in two instances', async () => {
      const [here, there] = [newInstance(), newInstance()]
      const write = { id: 'a', unique: 'u' }
      await valueOf(changes(store()).insert('things', here, { ...write, value: { title: 'here' } }))
      const second = await valueOf(
        changes(store()).insert('things', there, { ...write, value: { title: 'there' } }),
      )
      const replaced = await valueOf(
        changes(store()).replace('things', here, { ...write, version: 1, value: { title: 'changed' } }),
      )
      expect(await valueOf(store().get('things', there, 'a'))).to.deep.equal(second)
      await valueOf(changes(store()).remove('things', there, 'a', 1))
      expect(await valueOf(store().get('things', here, 'a'))).to.deep.equal(replaced)
      expect(
        await failureTag(changes(store()).insert('things', here, { ...write, id: 'b', value: {} })),
      ).to.equal('UniqueConflict')
    })

    it('a replace or remove of a document of another instance', async () => {
      const [here, there] = [newInstance(), newInstance()]
      const stored = await valueOf(
        changes(store()).insert('things', here, { id: 'a', unique: null, value: { title: 'here' } }),
      )
      const replacement = { id: 'a', unique: null, version: 1, value: { title: 'there' } }
      expect(await failureTag(changes(store()).replace('things', there, replacement))).to.equal(
        'VersionConflict',
      )
      expect(await failureTag(changes(store()).remove('things', there, 'a', 1))).to.equal('VersionConflict')
      expect(await valueOf(store().get('things', there, 'a'))).to.equal(null)
      expect(await valueOf(store().get('things', here, 'a'))).to.deep.equal(stored)
    })

    it('queries, pages and lists of ids', async () => {
      const [here, there] = [newInstance(), newInstance()]
      for (let i = 0; i < 6; i++) {
        for (const instance of [here, there]) {
          const value = { title: `${i % 2}`, kind: `${instance}`, rank: i }
          await valueOf(
            changes(store()).insert('things', instance, { id: `${instance}-${i}`, unique: `${i}`, value }),
          )
        }
      }
      const ids = Array.from({ length: 6 }, (_, i) => `${here}-${i}`)
      const found = async (query: Partial<typeof all>): Promise<readonly string[]> =>
        idsOf((await valueOf(store().find('things', here, { ...all, ...query }))).documents)
      expect(await found({})).to.deep.equal(ids)
      expect(await found({ order: [{ key: 'rank', direction: 'desc' }] })).to.deep.equal(ids.toReversed())
      expect(await found({ where: [{ key: 'kind', equals: `${there}` }] })).to.deep.equal([])
      expect(await found({ where: [{ key: 'kind', oneOf: [`${there}`, `${here}`] }] })).to.deep.equal(ids)
      expect(await found({ where: [{ key: 'rank', atLeast: 4 }] })).to.deep.equal(ids.slice(4))
      const allIds = [...ids, ...ids.map((id) => id.replace(`${here}-`, `${there}-`))]
      expect(
        idsOf(await valueOf(singleReads(store()).getMany('things', here, allIds, 'full'))),
      ).to.have.members(ids)
      const first = await valueOf(
        store().find('things', here, { ...all, order: [{ key: 'title', direction: 'asc' }], limit: 4 }),
      )
      const rest = await valueOf(
        store().find('things', here, {
          ...all,
          order: [{ key: 'title', direction: 'asc' }],
          after: first.next,
        }),
      )
      expect(idsOf([...first.documents, ...rest.documents])).to.have.members(ids)
    })

    it('ids and unique texts that look like another instance’s', async () => {
      // If a store concatenated instance and name, 7 with «1/a» could equal 71 with «/a».
      const value = { title: 'a' }
      const numbers = [7_000_001, 70_000_011, 700_000_111]
      const texts = ['a', '1a', '11a', '1/a', '11/a', '/a', '-a', '1-a', ':1:a', '1:a', '1|a']
      for (const instance of numbers) {
        for (const text of texts)
          await valueOf(changes(store()).insert('things', instance, { id: text, unique: text, value }))
      }
      for (const instance of numbers) {
        expect(idsOf((await valueOf(store().find('things', instance, all))).documents)).to.deep.equal(texts)
        for (const text of texts) await valueOf(changes(store()).remove('things', instance, text, 1))
      }
    })
  })
}
