/** Tests of writes that compete: for a version, for an id, for a unique text. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { E } from '@publishing-service/domain'
import type { Deviations } from '../contract.js'
import { replaces } from './replaces.js'
import { sentences } from './sentences.js'
import { all, failure, idsOf, outcomes, right, type Stage } from './stage.js'
import { swaps } from './swaps.js'

const count = (tags: readonly (string | null)[], tag: string | null): number =>
  tags.filter((each) => each === tag).length

const versions = ({ store, instance }: Stage): void => {
  const value = { title: 'a' }

  it('two replaces of one version at once', async () => {
    const place = instance()
    await right(store().insert('things', place, { id: 'a', unique: null, value }))
    const both = await Promise.all(
      ['b', 'c'].map((title) =>
        store().replace('things', place, { id: 'a', unique: null, version: 1, value: { title } })(),
      ),
    )
    const [winner, ...more] = both.flatMap((outcome) => (E.isRight(outcome) ? [outcome.right] : []))
    expect(more).to.deep.equal([])
    expect(both.flatMap((outcome) => (E.isLeft(outcome) ? [outcome.left] : []))).to.deep.equal([
      { _tag: 'VersionConflict' },
    ])
    expect(await right(store().get('things', place, 'a'))).to.deep.equal(winner)
    expect(winner?.version).to.equal(2)
  })

  it('a replace and a remove of one version at once', async () => {
    for (let round = 0; round < 10; round++) {
      const place = instance()
      await right(store().insert('things', place, { id: 'a', unique: 'u', value }))
      const replace = store().replace('things', place, {
        id: 'a',
        unique: 'u',
        version: 1,
        value: { title: 'b' },
      })
      const remove = store().remove('things', place, 'a', 1)
      const tags = await Promise.all([outcomes([replace]), outcomes([remove])])
      expect(tags.flat()).to.have.members(['VersionConflict', null])
      const left = await right(store().get('things', place, 'a'))
      expect(left?.value ?? null).to.deep.equal(tags[0][0] === null ? { title: 'b' } : null)
    }
  })

  it('50 inserts of one id at once', async () => {
    const place = instance()
    const tasks = Array.from({ length: 50 }, (_, i) =>
      store().insert('things', place, { id: 'a', unique: `u${i}`, value: { rank: i } }),
    )
    const tags = await outcomes(tasks)
    expect([count(tags, null), count(tags, 'VersionConflict')]).to.deep.equal([1, 49])
    const winner = tags.indexOf(null)
    expect((await right(store().find('things', place, all))).documents).to.deep.equal([
      { id: 'a', version: 1, value: { rank: winner } },
    ])
    const free = tasks.map((_, i) => `u${i}`).filter((_, i) => i !== winner)
    expect(
      count(
        await outcomes(free.map((unique) => store().insert('things', place, { id: unique, unique, value }))),
        null,
      ),
    ).to.equal(49)
  })

  it('a replace or remove with another version than the document’s', async () => {
    const place = instance()
    await right(store().insert('things', place, { id: 'a', unique: 'u', value }))
    await right(store().replace('things', place, { id: 'a', unique: 'u', version: 1, value: { title: 'b' } }))
    for (const version of [0, 1, 3, -1]) {
      const stale = { id: 'a', unique: 'v', version, value: { title: 'c' } }
      expect(await failure(store().replace('things', place, stale))).to.equal('VersionConflict')
      expect(await failure(store().remove('things', place, 'a', version))).to.equal('VersionConflict')
    }
    expect(await right(store().get('things', place, 'a'))).to.deep.equal({
      id: 'a',
      version: 2,
      value: { title: 'b' },
    })
    await right(store().insert('things', place, { id: 'b', unique: 'v', value }))
  })

  it('a replace or remove of a document that is gone, and its id is free again', async () => {
    const place = instance()
    const gone = { id: 'a', unique: null, version: 1, value }
    expect(await failure(store().replace('things', place, gone))).to.equal('VersionConflict')
    expect(await failure(store().remove('things', place, 'a', 1))).to.equal('VersionConflict')
    await right(store().insert('things', place, gone))
    await right(store().remove('things', place, 'a', 1))
    expect(await right(store().get('things', place, 'a'))).to.equal(null)
    expect(await failure(store().replace('things', place, gone))).to.equal('VersionConflict')
    expect(await failure(store().remove('things', place, 'a', 1))).to.equal('VersionConflict')
    expect(await right(store().insert('things', place, gone))).to.include({ version: 1 })
  })

  it('no step is lost when many read, change and write one document', async () => {
    const place = instance()
    await right(store().insert('things', place, { id: 'a', unique: null, value: { rank: 0 } }))
    const step = async (): Promise<void> => {
      const read = await right(store().get('things', place, 'a'))
      const rank = Number(read?.value['rank']) + 1
      const write = store().replace('things', place, {
        id: 'a',
        unique: null,
        version: read?.version ?? 0,
        value: { rank },
      })
      const [tag] = await outcomes([write])
      if (tag === 'VersionConflict') return step()
      expect(tag).to.equal(null)
    }
    await Promise.all(Array.from({ length: 12 }, step))
    expect(await right(store().get('things', place, 'a'))).to.deep.equal({
      id: 'a',
      version: 13,
      value: { rank: 12 },
    })
  })
}

const uniqueTexts = ({ store, instance }: Stage): void => {
  const value = { title: 'a' }

  it('50 inserts of one unique text at once', async () => {
    const place = instance()
    const tasks = Array.from({ length: 50 }, (_, i) =>
      store().insert('things', place, { id: `${i}`, unique: 'u', value }),
    )
    const tags = await outcomes(tasks)
    expect([count(tags, null), count(tags, 'UniqueConflict')]).to.deep.equal([1, 49])
    expect(idsOf((await right(store().find('things', place, all))).documents)).to.deep.equal([
      `${tags.indexOf(null)}`,
    ])
  })

  it('20 replaces that reach for one unique text at once', async () => {
    const place = instance()
    const ids = Array.from({ length: 20 }, (_, i) => `${i}`)
    await Promise.all(ids.map((id) => right(store().insert('things', place, { id, unique: id, value }))))
    const tags = await outcomes(
      ids.map((id) =>
        store().replace('things', place, { id, unique: 'u', version: 1, value: { title: id } }),
      ),
    )
    expect([count(tags, null), count(tags, 'UniqueConflict')]).to.deep.equal([1, 19])
    for (const [i, id] of ids.entries()) {
      const expected = tags[i] === null ? { id, version: 2, value: { title: id } } : { id, version: 1, value }
      expect(await right(store().get('things', place, id))).to.deep.equal(expected)
      const taken = await outcomes([store().insert('things', place, { id: `new ${id}`, unique: id, value })])
      expect(taken).to.deep.equal([tags[i] === null ? null : 'UniqueConflict'])
    }
  })

  it('an insert or replace with a text that is taken', async () => {
    const place = instance()
    await right(store().insert('things', place, { id: 'a', unique: 'u', value }))
    await right(store().insert('things', place, { id: 'b', unique: 'v', value }))
    expect(await failure(store().insert('things', place, { id: 'c', unique: 'u', value }))).to.equal(
      'UniqueConflict',
    )
    const reach = { id: 'b', unique: 'u', version: 1, value: { title: 'changed' } }
    expect(await failure(store().replace('things', place, reach))).to.equal('UniqueConflict')
    expect(await right(store().get('things', place, 'b'))).to.deep.equal({ id: 'b', version: 1, value })
    expect(await failure(store().insert('things', place, { id: 'c', unique: 'v', value }))).to.equal(
      'UniqueConflict',
    )
    expect(await right(store().get('things', place, 'c'))).to.equal(null)
  })

  it('a replace keeps its own text', async () => {
    const place = instance()
    await right(store().insert('things', place, { id: 'a', unique: 'u', value }))
    await right(store().replace('things', place, { id: 'a', unique: 'u', version: 1, value }))
    expect(await failure(store().insert('things', place, { id: 'b', unique: 'u', value }))).to.equal(
      'UniqueConflict',
    )
  })

  it('a removed document frees its text, a replaced one its former text', async () => {
    const place = instance()
    await right(store().insert('things', place, { id: 'a', unique: 'u', value }))
    await right(store().remove('things', place, 'a', 1))
    await right(store().insert('things', place, { id: 'b', unique: 'u', value }))
    await right(store().replace('things', place, { id: 'b', unique: 'v', version: 1, value }))
    await right(store().insert('things', place, { id: 'c', unique: 'u', value }))
    await right(store().replace('things', place, { id: 'c', unique: null, version: 1, value }))
    await right(store().insert('things', place, { id: 'd', unique: 'u', value }))
    expect(await failure(store().insert('things', place, { id: 'e', unique: 'v', value }))).to.equal(
      'UniqueConflict',
    )
  })

  it('texts that differ in case, normal form or trailing space differ; ids are no texts', async () => {
    const place = instance()
    const texts = ['a', 'A', 'a ', ' a', 'é', 'e\u0301', 'null', '\uffff', '😀', '']
    await right(store().insert('things', place, { id: 'null', unique: null, value }))
    await right(store().insert('things', place, { id: 'a', unique: null, value }))
    for (const [i, unique] of texts.entries())
      await right(store().insert('things', place, { id: `${i}`, unique, value }))
    for (const unique of texts) {
      expect(await failure(store().insert('things', place, { id: 'z', unique, value }))).to.equal(
        'UniqueConflict',
      )
    }
  })

  it('null is no text: any number of documents have none', async () => {
    const place = instance()
    const tasks = Array.from({ length: 20 }, (_, i) =>
      store().insert('things', place, { id: `${i}`, unique: null, value }),
    )
    expect(count(await outcomes(tasks), null)).to.equal(20)
  })

  it('documents of another collection are not in the way', async () => {
    const place = instance()
    await right(store().insert('things', place, { id: 'a', unique: 'u', value }))
    await right(store().insert('others', place, { id: 'a', unique: 'u', value }))
    await right(store().remove('others', place, 'a', 1))
    expect(await right(store().get('things', place, 'a'))).to.deep.equal({ id: 'a', version: 1, value })
  })
}

/** Declares the tests of competing writes. */
export const conflicts = (stage: Stage, deviations: Deviations<'documentStore'>): void => {
  describe(sentences.version, () => versions(stage))
  describe(sentences.unique, () => {
    uniqueTexts(stage)
    swaps(stage, deviations)
  })
  describe(sentences.replaces, () => replaces(stage))
}
