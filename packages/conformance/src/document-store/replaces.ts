/** Tests that a replace never acts as an insert. */
import { changes } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import { all, idsOf, type Stage } from './stage.js'
import { failureOf, valueOf } from '../task-outcome.js'

/** Declares the tests of replaces that contain attributes of an insert. */
export const replaces = ({ store, newInstance }: Stage): void => {
  it('a replace with version 0 of a document that does not exist', async () => {
    const instance = newInstance()
    const replacement = { id: 'a', unique: 'u', version: 0, value: { title: 'a' } }
    expect(await failureOf(changes(store()).replace('things', instance, replacement))).to.deep.equal({
      _tag: 'VersionConflict',
      change: 0,
    })
    expect(await valueOf(store().find('things', instance, all))).to.deep.equal({ documents: [], next: null })
    await valueOf(changes(store()).insert('things', instance, { ...replacement, id: 'b' }))
  })

  it('a replace that contains the attributes of an insert', async () => {
    const instance = newInstance()
    const [first] = await Promise.all(
      ['a', 'b'].map((id) =>
        valueOf(changes(store()).insert('things', instance, { id, unique: id, value: { title: id } })),
      ),
    )
    const replacement = {
      id: 'a',
      unique: 'a',
      version: 1,
      value: { title: 'c' },
      position: 1000,
      instance: newInstance(),
      collection: 'others',
    }
    const expected = { ...first, version: 2, value: { title: 'c' } }
    expect(await valueOf(changes(store()).replace('things', instance, replacement))).to.deep.equal(expected)
    const { documents } = await valueOf(store().find('things', instance, all))
    expect(idsOf(documents)).to.deep.equal(['a', 'b'])
    expect(documents[0]).to.deep.equal(expected)
    for (const collection of ['things', 'others'])
      expect(await valueOf(store().get(collection, replacement.instance, 'a'))).to.equal(null)
  })
}
