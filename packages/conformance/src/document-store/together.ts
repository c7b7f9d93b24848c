/** Tests of writes with several changes and expectations. */
import { append } from './appended.js'
import { changes, expected, inserted, removed, replaced } from './changes.js'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { type Change, type DocumentStore, maxChanges, singleReads } from '@publishing-service/ports'
import { expectGroupCounts } from './expect-group-counts.js'
import { sentences } from './sentences.js'
import { all, failureTag, failureTags, idsOf, soon, type Stage } from './stage.js'
import { failureOf, valueOf } from '../task-outcome.js'

const none = (collection: string, kind: string, notIds: readonly string[] = []): Change => ({
  collection,
  kind: 'expect none',
  selection: { where: [{ key: 'kind', equals: kind }], notIds },
})

const tagged = { kind: 'x', rank: 1, tags: ['a', 'b'], content: 'long' }

/** All documents of two collections of an instance. */
const everything = async (store: DocumentStore, instance: number) => ({
  things: (await valueOf(store.find('things', instance, all))).documents,
  others: (await valueOf(store.find('others', instance, all))).documents,
})

const insertAll = async ({ store }: Stage, instance: number, ids: readonly string[]): Promise<void> => {
  for (const id of ids)
    await valueOf(changes(store()).insert('things', instance, { id, unique: `u${id}`, value: tagged }))
}

const whole = (stage: Stage): void => {
  const { store, newInstance } = stage

  it('several changes in several collections, in any sequence', async () => {
    const instance = newInstance()
    await insertAll(stage, instance, ['a', 'b', 'c'])
    const before = await everything(store(), instance)
    const value = { kind: 'y', tags: ['c'], content: 'new' }
    const written = await valueOf(
      store().write(
        instance,
        [
          replaced('things', 'c', 1, value, 'new c'),
          inserted('others', 'a', value),
          removed('things', 'a', 1),
          expected('things', 'b', 1),
          inserted('things', 'd', value),
          none('things', 'z'),
        ],
        [append('others', instance, 'appended', { title: 'appended' })],
      ),
    )
    expect(written.map((each) => each && [each.id, each.version])).to.deep.equal([
      ['c', 2],
      ['a', 1],
      null,
      null,
      ['d', 1],
      null,
    ])
    await soon(async () =>
      expect(idsOf((await everything(store(), instance)).others)).to.have.members(['a', 'appended']),
    )
    const after = await everything(store(), instance)
    expect(after.things).to.have.deep.members([before.things[1], written[0], written[4]])
    await expectGroupCounts(store(), instance, after.things)
    // The unique texts are free, or taken.
    await valueOf(changes(store()).insert('things', instance, { id: 'e', unique: 'ua', value: {} }))
    expect(
      await failureTag(changes(store()).insert('things', instance, { id: 'f', unique: 'new c', value: {} })),
    ).to.equal('UniqueConflict')
  })

  it('nothing of a write in which one change conflicts, wherever it is', async () => {
    const instance = newInstance()
    await insertAll(stage, instance, ['a', 'b', 'c', 'd'])
    const before = await everything(store(), instance)
    const valid = [
      replaced('things', 'b', 1, { kind: 'y', tags: ['new'] }, 'new'),
      removed('things', 'c', 1),
      inserted('others', 'e', { tags: ['new'] }),
      inserted('things', 'e', { tags: ['new'] }, 'ue'),
      expected('things', 'd'),
    ]
    const conflicts: readonly (readonly [tag: string, change: Change])[] = [
      ['VersionConflict', inserted('things', 'a')],
      ['VersionConflict', replaced('things', 'a', 2)],
      ['VersionConflict', replaced('things', 'nobody', 1)],
      ['VersionConflict', removed('things', 'a', 2)],
      ['VersionConflict', removed('others', 'a', 1)],
      ['VersionConflict', expected('things', 'a', 2)],
      ['VersionConflict', expected('things', 'nobody')],
      ['VersionConflict', none('things', 'x')],
      ['UniqueConflict', inserted('things', 'f', {}, 'ua')],
      ['UniqueConflict', replaced('things', 'a', 1, {}, 'ud')],
    ]
    for (const [tag, change] of conflicts)
      for (const at of [0, 2, valid.length]) {
        const failed = await failureOf<{ readonly _tag: string }>(
          store().write(
            instance,
            [...valid.slice(0, at), change, ...valid.slice(at)],
            [append('others', instance, 'appended')],
          ),
        )
        expect(failed).to.deep.equal({ _tag: tag, change: at })
      }
    expect(await everything(store(), instance)).to.deep.equal(before)
    await expectGroupCounts(store(), instance, before.things)
    await valueOf(store().write(instance, valid, []))
  })

  it('as many changes as a write may have', async () => {
    const instance = newInstance()
    const ids = Array.from({ length: maxChanges }, (_, i) => `${i}`)
    await valueOf(
      store().write(
        instance,
        ids.map((id) => inserted('things', id, { kind: 'x', tags: ['a'] })),
        [],
      ),
    )
    expect(await valueOf(store().count('things', instance, { where: [] }, 1000))).to.equal(maxChanges)
    const last = ids.map((id) => removed('things', id, id === '250' ? 2 : 1))
    expect(await failureOf(store().write(instance, last, []))).to.deep.equal({
      _tag: 'VersionConflict',
      change: 250,
    })
    expect(await valueOf(store().count('things', instance, { where: [] }, 1000))).to.equal(maxChanges)
    await valueOf(
      store().write(
        instance,
        ids.map((id) => removed('things', id, 1)),
        [],
      ),
    )
    expect(await valueOf(singleReads(store()).countGroups('things', instance, 'tags', {}))).to.deep.equal([])
  })

  // Writes that lock in the sequence of their changes wait in nearly each round until the server finds a deadlock.
  it('one of two writes that name the same documents in opposite sequences', async () => {
    const instance = newInstance()
    await insertAll(stage, instance, ['a', 'b'])
    for (let version = 1; version <= 60; version++) {
      const writes = [0, 1].map((n) => {
        const written = ['a', 'b'].map((id) => replaced('things', id, version, { rank: n }))
        return store().write(instance, n % 2 === 0 ? written : written.toReversed(), [])
      })
      const made = (await failureTags(writes)).indexOf(null)
      const { things } = await everything(store(), instance)
      expect(things.map((thing) => [thing.version, thing.value])).to.deep.equal([
        [version + 1, { rank: made }],
        [version + 1, { rank: made }],
      ])
    }
  })

  it('concurrent writes that move amounts between the same documents, whose sum stays', async () => {
    const instance = newInstance()
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const id of ids)
      await valueOf(changes(store()).insert('things', instance, { id, unique: null, value: { rank: 100 } }))
    const move = async (from: string, to: string): Promise<void> => {
      for (;;) {
        const found = await valueOf(singleReads(store()).getMany('things', instance, [from, to], 'full'))
        const written = await store().write(
          instance,
          // Writes in both directions name the same documents in opposite sequences.
          [from, to].flatMap((wanted) =>
            found.flatMap(({ id, version, value }) =>
              id === wanted
                ? replaced('things', id, version, { rank: Number(value['rank']) + (id === from ? -1 : 1) })
                : [],
            ),
          ),
          [],
        )()
        if (E.isRight(written)) return
        expect(written.left).to.include({ _tag: 'VersionConflict' })
      }
    }
    const moves = ids.flatMap((from, i) => ids.flatMap((to, k) => (i === k ? [] : [move(from, to)])))
    await Promise.all(moves)
    const { things } = await everything(store(), instance)
    expect(things.map(({ value }) => value['rank'])).to.deep.equal(ids.map(() => 100))
    expect(things.reduce((sum, { version }) => sum + version, 0)).to.equal(ids.length + 2 * moves.length)
  })
}

const rounds = 20

const uniqueTexts = ({ store, newInstance }: Stage): void => {
  it('several documents of concurrent writes with one unique text, of which one takes effect', async () => {
    const instance = newInstance()
    for (let round = 0; round < rounds; round++) {
      const [id, unique] = [`${round}`, `unique ${round}`]
      await valueOf(changes(store()).insert('things', instance, { id, unique: `old ${id}`, value: {} }))
      const writes = [
        store().write(instance, [replaced('things', id, 1, {}, unique), inserted('others', `${id}a`)], []),
        store().write(instance, [inserted('things', `${id}b`, {}, unique), inserted('others', `${id}b`)], []),
        store().write(instance, [inserted('things', `${id}c`, {}, unique)], []),
      ]
      const at = round % writes.length
      const tags = await failureTags([...writes.slice(at), ...writes.slice(0, at)])
      expect(tags).to.have.members(['UniqueConflict', 'UniqueConflict', null])
    }
  })
}

const expectations = ({ store, newInstance }: Stage): void => {
  it('a write that expects a document that another changes, in both directions: one takes effect', async () => {
    const instance = newInstance()
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [`a${round}`, `b${round}`]
      for (const id of [a, b])
        await valueOf(changes(store()).insert('things', instance, { id, unique: null, value: {} }))
      const write = (one: string, other: string) =>
        store().write(instance, [replaced('things', one, 1), expected('things', other, 1)], [])
      const tags = await failureTags([write(a, b), write(b, a)])
      expect(tags.filter((tag) => tag === null).length, 'writes that took effect').to.be.at.most(1)
      expect(tags).to.include('VersionConflict')
      const changed = (
        await valueOf(singleReads(store()).getMany('things', instance, [a, b], 'light'))
      ).filter(({ version }) => version === 2)
      expect(changed).to.have.length(tags.filter((tag) => tag === null).length)
    }
  })

  it('many writes that expect the same document, all of which take effect', async () => {
    const instance = newInstance()
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: null, value: {} }))
    const writes = Array.from({ length: rounds }, (_, i) =>
      store().write(instance, [inserted('others', `${i}`), expected('things', 'a')], []),
    )
    expect(await failureTags(writes)).to.deep.equal(writes.map(() => null))
  })
}

const noneSelected = ({ store, newInstance }: Stage): void => {
  it('not the documents that the write removes or changes, or that are excepted', async () => {
    const instance = newInstance()
    for (const id of ['a', 'b', 'c'])
      await valueOf(changes(store()).insert('things', instance, { id, unique: null, value: { kind: 'x' } }))
    const write = (...more: readonly Change[]) =>
      store().write(instance, [removed('things', 'a', 1), none('things', 'x', ['c']), ...more], [])
    expect(await failureOf(write())).to.deep.equal({ _tag: 'VersionConflict', change: 1 })
    await valueOf(write(replaced('things', 'b', 1, { kind: 'y' })))
  })

  it('one that the write inserts, or changes so that it is selected', async () => {
    const instance = newInstance()
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: null, value: {} }))
    for (const change of [inserted('things', 'b', { kind: 'x' }), replaced('things', 'a', 1, { kind: 'x' })])
      expect(await failureOf(store().write(instance, [change, none('things', 'x')], []))).to.deep.equal({
        _tag: 'VersionConflict',
        change: 1,
      })
  })

  it('no document that refers to one that is removed at the same time', async () => {
    const instance = newInstance()
    for (let round = 0; round < rounds; round++) {
      const parent = `parent ${round}`
      await valueOf(changes(store()).insert('things', instance, { id: parent, unique: null, value: {} }))
      const referring = Array.from({ length: 3 }, (_, i) =>
        store().write(
          instance,
          [inserted('others', `${round} ${i}`, { kind: parent }), expected('things', parent)],
          [],
        ),
      )
      const removal = store().write(instance, [removed('things', parent, 1), none('others', parent)], [])
      const at = round % (referring.length + 1)
      await failureTags([...referring.slice(0, at), removal, ...referring.slice(at)])
      const isThere = (await valueOf(store().get('things', instance, parent))) !== null
      const left = await valueOf(
        store().count('others', instance, { where: [{ key: 'kind', equals: parent }] }, 10),
      )
      expect(isThere || left === 0, `documents that refer to a removed one: ${left}`).to.equal(true)
    }
  })
}

/** Declares the tests of writes with several changes. */
export const together = (stage: Stage): void => {
  describe(sentences.whole, () => whole(stage))
  describe(sentences.unique, () => uniqueTexts(stage))
  describe(sentences.expectations, () => expectations(stage))
  describe(sentences.noneSelected, () => noneSelected(stage))
}
