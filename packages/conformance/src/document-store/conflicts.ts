/** Tests of conflicting writes: the same version, id or unique text. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { E } from '@publishing-service/domain/fp'
import type { Deviations } from '../contract.js'
import { replaces } from './replaces.js'
import { sentences } from './sentences.js'
import { all, failureTag, idsOf, failureTags, type Stage } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { swaps } from './swaps.js'

const count = (tags: readonly (string | null)[], tag: string | null): number =>
  tags.filter((each) => each === tag).length

const versions = ({ store, newInstance }: Stage): void => {
  const value = { title: 'a' }

  it('two concurrent replaces of one version', async () => {
    const instance = newInstance()
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: null, value }))
    const both = await Promise.all(
      ['b', 'c'].map((title) =>
        changes(store()).replace('things', instance, {
          id: 'a',
          unique: null,
          version: 1,
          value: { title },
        })(),
      ),
    )
    const [winner, ...more] = both.flatMap((outcome) => (E.isRight(outcome) ? [outcome.right] : []))
    expect(more).to.deep.equal([])
    expect(both.flatMap((outcome) => (E.isLeft(outcome) ? [outcome.left] : []))).to.deep.equal([
      { _tag: 'VersionConflict', change: 0 },
    ])
    expect(await valueOf(store().get('things', instance, 'a'))).to.deep.equal(winner)
    expect(winner?.version).to.equal(2)
  })

  it('a concurrent replace and remove of one version', async () => {
    for (let round = 0; round < 10; round++) {
      const instance = newInstance()
      await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: 'u', value }))
      const replace = changes(store()).replace('things', instance, {
        id: 'a',
        unique: 'u',
        version: 1,
        value: { title: 'b' },
      })
      const remove = changes(store()).remove('things', instance, 'a', 1)
      const tags = await Promise.all([failureTags([replace]), failureTags([remove])])
      expect(tags.flat()).to.have.members(['VersionConflict', null])
      const left = await valueOf(store().get('things', instance, 'a'))
      expect(left?.value ?? null).to.deep.equal(tags[0][0] === null ? { title: 'b' } : null)
    }
  })

  it('50 concurrent inserts of one id', async () => {
    const instance = newInstance()
    const tasks = Array.from({ length: 50 }, (_, i) =>
      changes(store()).insert('things', instance, { id: 'a', unique: `u${i}`, value: { rank: i } }),
    )
    const tags = await failureTags(tasks)
    expect([count(tags, null), count(tags, 'VersionConflict')]).to.deep.equal([1, 49])
    const winner = tags.indexOf(null)
    const { documents } = await valueOf(store().find('things', instance, all))
    expect(documents.map(({ version, value: found }) => [version, found])).to.deep.equal([
      [1, { rank: winner }],
    ])
    const free = tasks.map((_, i) => `u${i}`).filter((_, i) => i !== winner)
    expect(
      count(
        await failureTags(
          free.map((unique) => changes(store()).insert('things', instance, { id: unique, unique, value })),
        ),
        null,
      ),
    ).to.equal(49)
  })

  it('a replace or remove with another version than the document’s', async () => {
    const instance = newInstance()
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: 'u', value }))
    const current = await valueOf(
      changes(store()).replace('things', instance, {
        id: 'a',
        unique: 'u',
        version: 1,
        value: { title: 'b' },
      }),
    )
    for (const version of [0, 1, 3, -1]) {
      const stale = { id: 'a', unique: 'v', version, value: { title: 'c' } }
      expect(await failureTag(changes(store()).replace('things', instance, stale))).to.equal(
        'VersionConflict',
      )
      expect(await failureTag(changes(store()).remove('things', instance, 'a', version))).to.equal(
        'VersionConflict',
      )
    }
    expect(await valueOf(store().get('things', instance, 'a'))).to.deep.equal(current)
    await valueOf(changes(store()).insert('things', instance, { id: 'b', unique: 'v', value }))
  })

  it('a replace or remove of a document that does not exist; the id of a removed document is free again', async () => {
    const instance = newInstance()
    const document = { id: 'a', unique: null, version: 1, value }
    expect(await failureTag(changes(store()).replace('things', instance, document))).to.equal(
      'VersionConflict',
    )
    expect(await failureTag(changes(store()).remove('things', instance, 'a', 1))).to.equal('VersionConflict')
    await valueOf(changes(store()).insert('things', instance, document))
    await valueOf(changes(store()).remove('things', instance, 'a', 1))
    expect(await valueOf(store().get('things', instance, 'a'))).to.equal(null)
    expect(await failureTag(changes(store()).replace('things', instance, document))).to.equal(
      'VersionConflict',
    )
    expect(await failureTag(changes(store()).remove('things', instance, 'a', 1))).to.equal('VersionConflict')
    expect(await valueOf(changes(store()).insert('things', instance, document))).to.include({ version: 1 })
  })

  it('no update is lost when many writers read, change and write one document', async () => {
    const instance = newInstance()
    const first = await valueOf(
      changes(store()).insert('things', instance, { id: 'a', unique: null, value: { rank: 0 } }),
    )
    const increment = async (): Promise<void> => {
      const read = await valueOf(store().get('things', instance, 'a'))
      const rank = Number(read?.value['rank']) + 1
      const write = changes(store()).replace('things', instance, {
        id: 'a',
        unique: null,
        version: read?.version ?? 0,
        value: { rank },
      })
      const [tag] = await failureTags([write])
      if (tag === 'VersionConflict') return increment()
      expect(tag).to.equal(null)
    }
    await Promise.all(Array.from({ length: 12 }, increment))
    expect(await valueOf(store().get('things', instance, 'a'))).to.deep.equal({
      ...first,
      version: 13,
      value: { rank: 12 },
    })
  })
}

const uniqueTexts = ({ store, newInstance }: Stage): void => {
  const value = { title: 'a' }

  it('50 concurrent inserts of one unique text', async () => {
    const instance = newInstance()
    const tasks = Array.from({ length: 50 }, (_, i) =>
      changes(store()).insert('things', instance, { id: `${i}`, unique: 'u', value }),
    )
    const tags = await failureTags(tasks)
    expect([count(tags, null), count(tags, 'UniqueConflict')]).to.deep.equal([1, 49])
    expect(idsOf((await valueOf(store().find('things', instance, all))).documents)).to.deep.equal([
      `${tags.indexOf(null)}`,
    ])
  })

  it('20 concurrent replaces with one unique text', async () => {
    const instance = newInstance()
    const ids = Array.from({ length: 20 }, (_, i) => `${i}`)
    const inserted = await Promise.all(
      ids.map((id) => valueOf(changes(store()).insert('things', instance, { id, unique: id, value }))),
    )
    const tags = await failureTags(
      ids.map((id) =>
        changes(store()).replace('things', instance, { id, unique: 'u', version: 1, value: { title: id } }),
      ),
    )
    expect([count(tags, null), count(tags, 'UniqueConflict')]).to.deep.equal([1, 19])
    for (const [i, id] of ids.entries()) {
      const replaced = tags[i] === null ? { version: 2, value: { title: id } } : {}
      expect(await valueOf(store().get('things', instance, id))).to.deep.equal({
        ...inserted[i],
        ...replaced,
      })
      const further = await failureTags([
        changes(store()).insert('things', instance, { id: `new ${id}`, unique: id, value }),
      ])
      expect(further).to.deep.equal([tags[i] === null ? null : 'UniqueConflict'])
    }
  })

  it('an insert or replace with a text of another document', async () => {
    const instance = newInstance()
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: 'u', value }))
    const second = await valueOf(changes(store()).insert('things', instance, { id: 'b', unique: 'v', value }))
    expect(
      await failureTag(changes(store()).insert('things', instance, { id: 'c', unique: 'u', value })),
    ).to.equal('UniqueConflict')
    const replacement = { id: 'b', unique: 'u', version: 1, value: { title: 'changed' } }
    expect(await failureTag(changes(store()).replace('things', instance, replacement))).to.equal(
      'UniqueConflict',
    )
    expect(await valueOf(store().get('things', instance, 'b'))).to.deep.equal(second)
    expect(
      await failureTag(changes(store()).insert('things', instance, { id: 'c', unique: 'v', value })),
    ).to.equal('UniqueConflict')
    expect(await valueOf(store().get('things', instance, 'c'))).to.equal(null)
  })

  it('a replace may keep the text of the document', async () => {
    const instance = newInstance()
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: 'u', value }))
    await valueOf(changes(store()).replace('things', instance, { id: 'a', unique: 'u', version: 1, value }))
    expect(
      await failureTag(changes(store()).insert('things', instance, { id: 'b', unique: 'u', value })),
    ).to.equal('UniqueConflict')
  })

  it('a removed document frees its text, a replaced document its former text', async () => {
    const instance = newInstance()
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: 'u', value }))
    await valueOf(changes(store()).remove('things', instance, 'a', 1))
    await valueOf(changes(store()).insert('things', instance, { id: 'b', unique: 'u', value }))
    await valueOf(changes(store()).replace('things', instance, { id: 'b', unique: 'v', version: 1, value }))
    await valueOf(changes(store()).insert('things', instance, { id: 'c', unique: 'u', value }))
    await valueOf(changes(store()).replace('things', instance, { id: 'c', unique: null, version: 1, value }))
    await valueOf(changes(store()).insert('things', instance, { id: 'd', unique: 'u', value }))
    expect(
      await failureTag(changes(store()).insert('things', instance, { id: 'e', unique: 'v', value })),
    ).to.equal('UniqueConflict')
  })

  it('texts that differ in case, normal form or trailing space are different; ids are not unique texts', async () => {
    const instance = newInstance()
    const texts = ['a', 'A', 'a ', ' a', 'é', 'e\u0301', 'null', '\uffff', '😀', '']
    await valueOf(changes(store()).insert('things', instance, { id: 'null', unique: null, value }))
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: null, value }))
    for (const [i, unique] of texts.entries())
      await valueOf(changes(store()).insert('things', instance, { id: `${i}`, unique, value }))
    for (const unique of texts) {
      expect(
        await failureTag(changes(store()).insert('things', instance, { id: 'z', unique, value })),
      ).to.equal('UniqueConflict')
    }
  })

  it('null is not a text: any number of documents may have none', async () => {
    const instance = newInstance()
    const tasks = Array.from({ length: 20 }, (_, i) =>
      changes(store()).insert('things', instance, { id: `${i}`, unique: null, value }),
    )
    expect(count(await failureTags(tasks), null)).to.equal(20)
  })

  it('documents of another collection do not conflict', async () => {
    const instance = newInstance()
    const thing = await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: 'u', value }))
    await valueOf(changes(store()).insert('others', instance, { id: 'a', unique: 'u', value }))
    await valueOf(changes(store()).remove('others', instance, 'a', 1))
    expect(await valueOf(store().get('things', instance, 'a'))).to.deep.equal(thing)
  })
}

const firstVersions = ({ store, newInstance }: Stage): void => {
  it('a document that is inserted with a version has it, and the next after a replace', async () => {
    const instance = newInstance()
    const { insert, replace } = changes(store())
    const document = { id: 'a', unique: null, version: 7, value: { title: 'b' } }
    expect(await valueOf(insert('things', instance, document))).to.include({ version: 7 })
    expect(await failureTag(replace('things', instance, { ...document, version: 1 }))).to.equal(
      'VersionConflict',
    )
    expect(await valueOf(replace('things', instance, document))).to.include({ version: 8 })
    expect(await valueOf(store().get('things', instance, 'a'))).to.include({ version: 8 })
  })
}

/** Declares the tests of versions and of conflicting writes. */
export const conflicts = (stage: Stage, deviations: Deviations<'documentStore'>): void => {
  describe(sentences.first, () => firstVersions(stage))
  describe(sentences.version, () => versions(stage))
  describe(sentences.unique, () => {
    uniqueTexts(stage)
    swaps(stage, deviations)
  })
  describe(sentences.replaces, () => replaces(stage))
}
