/** Tests of snapshots. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import type { Document, DocumentStore, Snapshot } from '@publishing-service/ports'
import { type Deviations, testSentence } from '../contract.js'
import { valueOf } from '../task-outcome.js'
import { append } from './appended.js'
import { changes, inserted, removed, replaced } from './changes.js'
import { sentences } from './sentences.js'
import { all, log, type Stage, walk } from './stage.js'

const mostWrites = 300

const collections = ['things', 'others', log.name]

/** All documents, in small pages; `between` is called before each page. */
const documentsOf = async (
  { find }: Pick<Snapshot, 'find'>,
  instance: number,
  between: () => Promise<unknown> = async () => undefined,
): Promise<readonly Document[]> => {
  const documents: Document[] = []
  for (const collection of collections) {
    const pages = await walk(
      (query) => async () => {
        await between()
        return find(collection, instance, query)()
      },
      { ...all, limit: 2 },
    )
    documents.push(...pages.flatMap((page) => page.documents))
  }
  return documents
}

const value = (rank: number) => ({ kind: 'x', rank, tags: ['a'], content: 'long' })

/** A write of two documents that always have the same rank, with a record. */
const move = (store: DocumentStore, instance: number, version: number) =>
  store.write(
    instance,
    ['a', 'b'].map((id) => replaced('things', id, version, value(version))),
    [append(log.name, instance, `record ${version}`, value(version))],
  )

/** Declares the tests of snapshots. */
export const snapshots = (
  { store, newInstance }: Stage,
  { blurredSnapshots }: Deviations<'documentStore'>,
): void => {
  const filled = async (): Promise<number> => {
    const instance = newInstance()
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await valueOf(changes(store()).insert('things', instance, { id, unique: `u${id}`, value: value(0) }))
    await valueOf(store().write(instance, [inserted('others', 'a')], [append(log.name, instance, 'first')]))
    return instance
  }

  describe(sentences.snapshot, () => {
    testSentence('and none that is made while it is read', blurredSnapshots, async () => {
      const instance = await filled()
      const snapshot = await valueOf(store().snapshot())
      try {
        expect(snapshot.isOneMoment).to.equal(true)
        const before = await documentsOf(store(), instance)
        let version = 0
        const during = await documentsOf(snapshot, instance, async () => {
          version += 1
          await valueOf(move(store(), instance, version))
          const id = `new ${version}`
          await valueOf(store().write(instance, [inserted('others', id)], []))
          if (version === 1) await valueOf(store().write(instance, [removed('things', 'e', 1)], []))
        })
        expect(version).to.be.above(3)
        expect(during).to.deep.equal(before)
        for (const id of ['a', 'e', 'nobody'])
          expect(await valueOf(snapshot.get('things', instance, id))).to.deep.equal(
            before.find((each) => each.id === id) ?? null,
          )
      } finally {
        await snapshot.close()
      }
    })

    // A store that deviates can have the documents of one moment by chance.
    if (blurredSnapshots === undefined)
      it('while others write', async () => {
        const instance = await filled()
        let [version, isEnded] = [1, false]
        const writing = (async () => {
          for (; !isEnded && version < mostWrites; version += 1) {
            await valueOf(move(store(), instance, version))
            await nextTurn()
          }
        })()
        try {
          for (let round = 0; round < 20; round += 1) {
            const written = version - 1
            const snapshot = await valueOf(store().snapshot())
            const documents = await documentsOf(snapshot, instance).finally(snapshot.close)
            const ranks = documents.flatMap(({ id, value: { rank } }) =>
              id === 'a' || id === 'b' ? [rank] : [],
            )
            const [a = -1, b = -2] = ranks.map(Number)
            expect(a).to.equal(b)
            expect(a).to.be.at.least(written)
            const records = documents.filter(({ id }) => id.startsWith('record ')).length
            expect(records, 'records of the writes in the snapshot').to.equal(a)
          }
        } finally {
          isEnded = true
          await writing
        }
      })

    it('and has the documents of the store, until it is closed', async () => {
      const instance = await filled()
      const snapshot = await valueOf(store().snapshot())
      expect(snapshot.isOneMoment).to.equal(blurredSnapshots === undefined)
      expect(await documentsOf(snapshot, instance)).to.have.deep.members(await documentsOf(store(), instance))
      await Promise.all([snapshot.close(), snapshot.close()])
      expect(E.isLeft(await snapshot.get('things', instance, 'a')())).to.equal(true)
      expect(E.isLeft(await snapshot.find('things', instance, all)())).to.equal(true)
    })
  })
}
