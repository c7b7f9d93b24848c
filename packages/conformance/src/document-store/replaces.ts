/** Tests that a replace does nothing that only an insert does. */
import { it } from 'mocha'
import { expect } from 'chai'
import { all, failing, idsOf, right, type Stage } from './stage.js'

/** Declares the tests of replaces that carry what belongs to an insert. */
export const replaces = ({ store, instance }: Stage): void => {
  it('a replace with version 0, as if before an insert, of a document that is not there', async () => {
    const place = instance()
    const replacement = { id: 'a', unique: 'u', version: 0, value: { title: 'a' } }
    expect(await failing(store().replace('things', place, replacement))).to.deep.equal({
      _tag: 'VersionConflict',
    })
    expect(await right(store().find('things', place, all))).to.deep.equal({ documents: [], next: null })
    await right(store().insert('things', place, { ...replacement, id: 'b' }))
  })

  it('a replace that has the attributes of an insertion with it', async () => {
    const place = instance()
    for (const id of ['a', 'b'])
      await right(store().insert('things', place, { id, unique: id, value: { title: id } }))
    const replacement = {
      id: 'a',
      unique: 'a',
      version: 1,
      value: { title: 'c' },
      sequence: 1000,
      instance: instance(),
      collection: 'others',
    }
    expect(await right(store().replace('things', place, replacement))).to.deep.equal({
      id: 'a',
      version: 2,
      value: { title: 'c' },
    })
    const { documents } = await right(store().find('things', place, all))
    expect(idsOf(documents)).to.deep.equal(['a', 'b'])
    expect(documents[0]).to.deep.equal({ id: 'a', version: 2, value: { title: 'c' } })
    for (const collection of ['things', 'others'])
      expect(await right(store().get(collection, replacement.instance, 'a'))).to.equal(null)
  })
}
