/** Tests that writes are durable, and visible to every other store on the same data. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { type DocumentStore, singleReads } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { schemaMigration } from './schema-migration.js'
import { olderProcesses } from './older-processes.js'
import { sentences } from './sentences.js'
import { all, idsOf, type OpenSubject, others, failureTags, type Stage, things } from './stage.js'
import { valueOf } from '../task-outcome.js'

const visibleImmediately = ({ store, newInstance }: Stage): void => {
  it('by get, getMany and find', async () => {
    const instance = newInstance()
    const read = async () => [
      await valueOf(store().get('things', instance, 'a')),
      (await valueOf(singleReads(store()).getMany('things', instance, ['a'], 'full')))[0] ?? null,
      (await valueOf(store().find('things', instance, { ...all, where: [{ key: 'kind', equals: 'x' }] })))
        .documents[0] ?? null,
    ]
    for (let round = 0; round < 5; round++) {
      const first = await valueOf(
        changes(store()).insert('things', instance, {
          id: 'a',
          unique: 'u',
          value: { kind: 'x', rank: round },
        }),
      )
      expect(await read()).to.deep.equal([first, first, first])
      const second = await valueOf(
        changes(store()).replace('things', instance, {
          id: 'a',
          unique: 'u',
          version: 1,
          value: { kind: 'x' },
        }),
      )
      expect(await read()).to.deep.equal([second, second, second])
      await valueOf(changes(store()).remove('things', instance, 'a', 2))
      expect(await read()).to.deep.equal([null, null, null])
    }
  })
}

const betweenStores = (stage: Stage, open: OpenSubject): void => {
  const withSecond = async (use: (second: DocumentStore) => Promise<void>): Promise<void> => {
    const second = await stage.subject().reopen([things, others])
    try {
      await use(second)
    } finally {
      await second.close()
    }
  }
  const value = { title: 'a', content: 'long' }

  it('by a store that is opened later', async () => {
    const instance = stage.newInstance()
    await valueOf(changes(stage.store()).insert('things', instance, { id: 'a', unique: 'u', value }))
    const replaced = await valueOf(
      changes(stage.store()).replace('things', instance, {
        id: 'a',
        unique: 'u',
        version: 1,
        value: { title: 'b' },
      }),
    )
    await withSecond(async (second) => {
      expect(await valueOf(second.get('things', instance, 'a'))).to.deep.equal(replaced)
    })
  })

  it('by a store that was already open, in both directions', async () => {
    await withSecond(async (second) => {
      const instance = stage.newInstance()
      const stores = [stage.store(), second] as const
      for (let i = 0; i < 10; i++) {
        const [writer, reader] = i % 2 === 0 ? stores : ([stores[1], stores[0]] as const)
        const written = await valueOf(
          changes(writer).insert('things', instance, { id: `${i}`, unique: null, value }),
        )
        expect(await valueOf(reader.get('things', instance, `${i}`))).to.deep.equal(written)
        expect((await valueOf(reader.find('things', instance, all))).documents.length).to.equal(i + 1)
        expect(
          await valueOf(
            changes(reader).replace('things', instance, { id: `${i}`, unique: null, version: 1, value }),
          ),
        ).to.include({ version: 2 })
        expect(await valueOf(writer.get('things', instance, `${i}`))).to.include({ version: 2 })
      }
    })
  })

  it('of concurrent writes in two stores, one succeeds', async () => {
    await withSecond(async (second) => {
      const instance = stage.newInstance()
      const stores = [stage.store(), second]
      const inserts = Array.from({ length: 40 }, (_, i) =>
        changes(stores[i % 2] ?? second).insert('things', instance, { id: `${i}`, unique: 'u', value }),
      )
      expect((await failureTags(inserts)).filter((tag) => tag === null)).to.deep.equal([null])
      const winner = idsOf((await valueOf(second.find('things', instance, all))).documents)[0] ?? ''
      const replaces = stores.map((store) =>
        changes(store).replace('things', instance, { id: winner, unique: 'u', version: 1, value }),
      )
      expect(await failureTags(replaces)).to.have.members(['VersionConflict', null])
    })
  })

  it('by a store that is opened after the writer has closed', async () => {
    const subject = await open([things])
    try {
      const tasks = Array.from({ length: 20 }, (_, i) =>
        changes(subject.store).insert('things', 1, { id: `${i}`, unique: null, value }),
      )
      const written = failureTags(tasks)
      await subject.store.close()
      const acknowledged = (await written).flatMap((tag, i) => (tag === null ? [`${i}`] : []))
      const later = await subject.reopen([things])
      expect(idsOf((await valueOf(later.find('things', 1, all))).documents)).to.have.members(acknowledged)
      await later.close()
    } finally {
      await subject.dispose()
    }
  })
}

/** Declares the tests of durability, and of several stores on the same data. */
export const sharing = (stage: Stage, open: OpenSubject, { volatile }: Deviations<'documentStore'>): void => {
  describe(sentences.durable, () => {
    visibleImmediately(stage)
    if (volatile !== undefined) return
    betweenStores(stage, open)
    schemaMigration(open)
  })
  if (volatile === undefined) describe(sentences.older, () => olderProcesses(open))
}
