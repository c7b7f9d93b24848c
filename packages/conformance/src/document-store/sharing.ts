/** Tests that writes outlive their store and reach every other store on the same data. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { DocumentStore } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { declaredLater } from './declared-later.js'
import { olderProcesses } from './older-processes.js'
import { sentences } from './sentences.js'
import { all, idsOf, type OpenSubject, others, outcomes, right, type Stage, things } from './stage.js'

const seenAtOnce = ({ store, instance }: Stage): void => {
  it('by the get, getMany and find behind it', async () => {
    const place = instance()
    const read = async () => [
      await right(store().get('things', place, 'a')),
      (await right(store().getMany('things', place, ['a'], 'full')))[0] ?? null,
      (await right(store().find('things', place, { ...all, where: [{ key: 'kind', equals: 'x' }] })))
        .documents[0] ?? null,
    ]
    for (let round = 0; round < 5; round++) {
      const first = await right(
        store().insert('things', place, { id: 'a', unique: 'u', value: { kind: 'x', rank: round } }),
      )
      expect(await read()).to.deep.equal([first, first, first])
      const second = await right(
        store().replace('things', place, { id: 'a', unique: 'u', version: 1, value: { kind: 'x' } }),
      )
      expect(await read()).to.deep.equal([second, second, second])
      await right(store().remove('things', place, 'a', 2))
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
    const place = stage.instance()
    await right(stage.store().insert('things', place, { id: 'a', unique: 'u', value }))
    await right(
      stage.store().replace('things', place, { id: 'a', unique: 'u', version: 1, value: { title: 'b' } }),
    )
    await withSecond(async (second) => {
      expect(await right(second.get('things', place, 'a'))).to.deep.equal({
        id: 'a',
        version: 2,
        value: { title: 'b' },
      })
    })
  })

  it('by a store that was open before, both ways', async () => {
    await withSecond(async (second) => {
      const place = stage.instance()
      const stores = [stage.store(), second] as const
      for (let i = 0; i < 10; i++) {
        const [writer, reader] = i % 2 === 0 ? stores : ([stores[1], stores[0]] as const)
        const written = await right(writer.insert('things', place, { id: `${i}`, unique: null, value }))
        expect(await right(reader.get('things', place, `${i}`))).to.deep.equal(written)
        expect((await right(reader.find('things', place, all))).documents.length).to.equal(i + 1)
        expect(
          await right(reader.replace('things', place, { id: `${i}`, unique: null, version: 1, value })),
        ).to.include({ version: 2 })
        expect(await right(writer.get('things', place, `${i}`))).to.include({ version: 2 })
      }
    })
  })

  it('and two stores that compete let one win', async () => {
    await withSecond(async (second) => {
      const place = stage.instance()
      const stores = [stage.store(), second]
      const compete = Array.from({ length: 40 }, (_, i) =>
        (stores[i % 2] ?? second).insert('things', place, { id: `${i}`, unique: 'u', value }),
      )
      expect((await outcomes(compete)).filter((tag) => tag === null)).to.deep.equal([null])
      const winner = idsOf((await right(second.find('things', place, all))).documents)[0] ?? ''
      const replaces = stores.map((store) =>
        store.replace('things', place, { id: winner, unique: 'u', version: 1, value }),
      )
      expect(await outcomes(replaces)).to.have.members(['VersionConflict', null])
    })
  })

  it('by a store that is opened after the writer has closed', async () => {
    const subject = await open([things])
    try {
      const tasks = Array.from({ length: 20 }, (_, i) =>
        subject.store.insert('things', 1, { id: `${i}`, unique: null, value }),
      )
      const written = outcomes(tasks)
      await subject.store.close()
      const kept = (await written).flatMap((tag, i) => (tag === null ? [`${i}`] : []))
      const later = await subject.reopen([things])
      expect(idsOf((await right(later.find('things', 1, all))).documents)).to.have.members(kept)
      await later.close()
    } finally {
      await subject.dispose()
    }
  })
}

/** Declares the tests of durability, and of several stores on one set of data. */
export const sharing = (stage: Stage, open: OpenSubject, { volatile }: Deviations<'documentStore'>): void => {
  describe(sentences.durable, () => {
    seenAtOnce(stage)
    if (volatile !== undefined) return
    betweenStores(stage, open)
    declaredLater(open)
  })
  if (volatile === undefined) describe(sentences.older, () => olderProcesses(open))
}
