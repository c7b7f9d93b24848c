/**
 * A check that a document store on a server gives up within its deadline when the server is cut off or silent, works
 * again without a restart, and loses nothing that it has acknowledged.
 */
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { E, type TaskEither } from '@publishing-service/domain'
import type { Collection, DocumentStore } from '@publishing-service/ports'
import { all, right, things } from './document-store/stage.js'
import type { UnreliableConnection } from './unreliable-connection.js'

/** A store on empty data whose connections pass through an `unreliableConnection`. */
export type OutageSubject = {
  readonly store: DocumentStore
  readonly line: Pick<UnreliableConnection, 'cut' | 'stall' | 'reset' | 'restore'>
  /** Closes the store if it is still open, and removes its data. */
  readonly dispose: () => Promise<void>
  /** Kills the server and starts it again on its data; not given for servers that can't be killed. */
  readonly restartServer?: () => Promise<void>
}

export type DocumentStoreOutages = {
  /** Names the adapter in the report. */
  readonly name: string
  readonly open: (collections: readonly Collection[]) => Promise<OutageSubject>
  /** Milliseconds in which every use of the store fails where its server is silent. */
  readonly deadline: number
  /** Milliseconds in which the store works again once its server does; 15 000 where not given. */
  readonly recovery?: number
  /** Milliseconds for one test; a minute where not given. */
  readonly timeout?: number
}

const insertion = (id: string) => ({ id, unique: id, value: { title: id, tags: ['x'] } })

/** Writes only documents of its own: a write that failed because nothing was heard of it may still be applied. */
const everyUse = (store: DocumentStore): readonly TaskEither<{ readonly _tag: string }, unknown>[] => [
  store.get('things', 1, 'a'),
  store.getMany('things', 1, ['a'], 'light'),
  store.find('things', 1, all),
  store.countGroups('things', 1, 'tags', {}),
  store.insert('things', 1, insertion('new')),
  store.replace('things', 1, { ...insertion('changed'), version: 1 }),
  store.remove('things', 1, 'removed', 1),
  store.check(),
]

/** Declares the check. Call it at the top of a test file or within a `describe`. */
export const documentStoreOutages = (options: DocumentStoreOutages): void => {
  const { name, open, deadline, recovery = 15_000, timeout = 60_000 } = options
  describe(`${name}, when its server goes away`, function () {
    this.timeout(timeout)
    let subject: OutageSubject | undefined
    const opened = (): OutageSubject => subject ?? expect.fail('the store is not open')
    beforeEach(async () => {
      subject = await open([things])
    })
    afterEach(async () => {
      subject?.line.restore()
      await subject?.dispose()
      subject = undefined
    })

    /** All uses at once fail within the deadline, and some more for a busy machine. */
    const expectFailures = async (): Promise<void> => {
      const start = performance.now()
      const outcomes = await Promise.all(everyUse(opened().store).map((use) => use()))
      for (const outcome of outcomes)
        expect(E.isLeft(outcome) ? outcome.left._tag : 'success').to.equal('PortFailure')
      expect(performance.now() - start, 'milliseconds until every use had failed').to.be.below(
        deadline * 2 + 5000,
      )
    }

    const recovered = async (): Promise<void> => {
      const start = performance.now()
      while (E.isLeft(await opened().store.check()())) {
        expect(performance.now() - start, 'milliseconds without recovery').to.be.below(recovery)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }

    it('cut off: every use fails within the deadline, and works again without a restart', async () => {
      const { store, line } = opened()
      await right(store.insert('things', 1, insertion('a')))
      line.cut()
      await expectFailures()
      line.restore()
      await recovered()
      expect(await right(store.get('things', 1, 'a'))).to.include({ id: 'a', version: 1 })
      await right(store.insert('things', 1, insertion('b')))
    })

    it('silent: every use fails within the deadline, and works again without a restart', async () => {
      const { store, line } = opened()
      await right(store.insert('things', 1, insertion('a')))
      line.stall()
      await expectFailures()
      await expectFailures()
      line.restore()
      await recovered()
      await right(store.insert('things', 1, insertion('c')))
    })

    it('connections reset: what is in progress fails or succeeds, and what was acknowledged is there', async () => {
      const { store, line } = opened()
      for (let round = 0; round < 5; round++) {
        const ids = Array.from({ length: 20 }, (_, i) => `${round}-${i}`)
        const outcomes = Promise.all(ids.map((id) => store.insert('things', 1, insertion(id))()))
        line.reset()
        const acknowledged = (await outcomes).flatMap((outcome, i) =>
          E.isRight(outcome) ? [ids[i] ?? ''] : [],
        )
        await recovered()
        const read = await right(store.getMany('things', 1, acknowledged, 'full'))
        expect(read.length).to.equal(acknowledged.length)
      }
    })

    it('silent while the store closes: it ends', async () => {
      const { store, line } = opened()
      line.stall()
      const write = store.insert('things', 1, insertion('a'))()
      const start = performance.now()
      await store.close()
      expect(performance.now() - start, 'milliseconds of closing').to.be.below(4 * deadline + 5000)
      expect((await write)._tag).to.equal('Left')
    })

    it('killed under load: nothing that was acknowledged is lost', async function () {
      const { store, restartServer } = opened()
      if (restartServer === undefined) return this.skip()
      const acknowledged: string[] = []
      let writing = true
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; writing; i++) {
          const id = `${writer}-${i}`
          if (E.isRight(await store.insert('things', 2, insertion(id))())) acknowledged.push(id)
          else await new Promise((resolve) => setTimeout(resolve, 10))
        }
      })
      const acknowledges = async (count: number): Promise<void> => {
        while (acknowledged.length < count) await new Promise(setImmediate)
      }
      await acknowledges(40)
      await restartServer()
      await acknowledges(acknowledged.length + 40)
      writing = false
      await Promise.all(writers)
      const some = acknowledged.slice(0, 1000)
      expect(await right(store.getMany('things', 2, some, 'light'))).to.have.lengthOf(some.length)
    })
  })
}
