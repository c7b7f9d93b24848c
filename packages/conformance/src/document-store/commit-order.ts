/** Tests of collections in commit order. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Appended, DocumentStore, Query } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { valueOf } from '../task-outcome.js'
import { changes, nextPosition } from './changes.js'
import { sentences } from './sentences.js'
import { all, idsOf, log, soon, type Stage } from './stage.js'

/** A document at the next position; `atLeast` is the number for a store that does not know which positions it had. */
const next = (instance: number, id: string, atLeast: number, kind = 'x'): Appended => ({
  collection: log.name,
  instance,
  document: { id, position: { atLeast }, unique: null, value: { kind, content: id } },
})

/** Inserts a thing with these documents, or replaces this version of it. */
const write = (
  store: DocumentStore,
  instance: number,
  id: string,
  appended: readonly Appended[],
  version = 0,
) => {
  const document = { id, unique: null, value: { rank: version } }
  return valueOf(
    changes(store).change(
      'things',
      instance,
      version === 0
        ? { kind: 'insert', document: { ...document, position: nextPosition() } }
        : { kind: 'replace', document: { ...document, version } },
      appended,
    ),
  )
}

const found = async (store: DocumentStore, instance: number, query: Partial<Query> = {}) =>
  (await valueOf(store.find(log.name, instance, { ...all, ...query }))).documents

/** Reads what is new until it has this number of documents, as one who only ever reads on. */
const readAll = async (store: DocumentStore, instance: number, count: number): Promise<readonly string[]> => {
  const ids: string[] = []
  let from = 0
  await soon(async () => {
    for (;;) {
      const documents = await found(store, instance, { from, limit: 7, detail: 'light' })
      const last = documents.at(-1)
      if (last === undefined) break
      ids.push(...idsOf(documents))
      from = last.position + 1
    }
    expect(ids.length, 'documents that were read').to.be.at.least(count)
    // A store without indexes takes long to find what eight writers have appended.
  }, 120_000)
  return ids
}

const positionsAndPages = ({ store, newInstance }: Stage): void => {
  it('with writes one after the other, whatever numbers they have, and from a position on', async () => {
    const instance = newInstance()
    const ids = Array.from({ length: 6 }, (_, i) => `${i}`)
    for (const id of ids)
      await write(store(), instance, id, [
        next(instance, id, nextPosition() - Number(id) * 1_000_000, Number(id) % 2 === 0 ? 'even' : 'odd'),
      ])
    await soon(async () => expect(idsOf(await found(store(), instance))).to.deep.equal(ids))
    const documents = await found(store(), instance)
    const [, , third] = documents
    const from = third?.position ?? 0
    expect(idsOf(await found(store(), instance, { from }))).to.deep.equal(ids.slice(2))
    expect(idsOf(await found(store(), instance, { from: from + 1 }))).to.deep.equal(ids.slice(3))
    const where = [{ key: 'kind', equals: 'even' }]
    expect(idsOf(await found(store(), instance, { from, where }))).to.deep.equal(['2', '4'])
    expect(idsOf(await found(store(), instance, { from, insertion: 'desc', limit: 3 }))).to.deep.equal([
      '5',
      '4',
      '3',
    ])
    expect(await valueOf(store().get(log.name, instance, '2'))).to.deep.equal(third)
  })

  it('with a document that was inserted at a position, and several with one change', async () => {
    const instance = newInstance()
    const position = nextPosition()
    const document = { id: 'first', position, unique: null, value: { kind: 'x' } }
    const inserted = await valueOf(
      changes(store()).change(log.name, instance, { kind: 'insert', document }, []),
    )
    expect(inserted).to.include({ position })
    const atLeast = position - 10
    const change = { ...document, id: 'second', position: { atLeast } }
    const second = await valueOf(
      changes(store()).change(log.name, instance, { kind: 'insert', document: change }, [
        next(instance, 'third', atLeast),
        next(instance, 'fourth', atLeast),
      ]),
    )
    await soon(async () =>
      expect(idsOf(await found(store(), instance))).to.deep.equal(['first', 'second', 'third', 'fourth']),
    )
    expect(await valueOf(store().get(log.name, instance, 'second'))).to.deep.equal(second)
    expect((await found(store(), instance))[1]).to.deep.equal(second)
  })
}

const afterRemovals = ({ store, newInstance }: Stage): void => {
  it('after the newest was removed: none has its position again', async () => {
    const instance = newInstance()
    const { remove } = changes(store())
    /** Inserts a document, and returns its position. */
    const insert = async (id: string, atLeast: number): Promise<number> => {
      const document = { id, position: { atLeast }, unique: null, value: {} }
      const inserted = await valueOf(
        changes(store()).change(log.name, instance, { kind: 'insert', document }, []),
      )
      return inserted?.position ?? expect.fail('it was not inserted')
    }
    const first = await insert('first', nextPosition())
    await valueOf(remove(log.name, instance, 'first', 1))
    const second = await insert('second', first + 1)
    expect(second).to.be.above(first)
    const third = await insert('third', first - 1000)
    expect(third).to.be.above(second)
    await soon(async () =>
      expect(idsOf(await found(store(), instance, { from: first + 1 }))).to.deep.equal(['second', 'third']),
    )
  })
}

const slowWriter = ({ store, newInstance }: Stage): void => {
  it('while a write takes long, and others that begin later return earlier', async () => {
    const instance = newInstance()
    const slow = {
      id: 'slow',
      position: nextPosition(),
      unique: null,
      value: { tags: Array.from({ length: 1500 }, (_, i) => `${i}`) },
    }
    let isWriting = true
    const writing = valueOf(
      changes(store()).change('things', instance, { kind: 'insert', document: slow }, [
        next(instance, 'slow', nextPosition()),
      ]),
    ).finally(() => {
      isWriting = false
    })
    const [ids, read] = [['slow'], new Set<string>()]
    let from = 0
    const readOn = async (): Promise<void> => {
      for (const { id, position } of await found(store(), instance, { from, detail: 'light' })) {
        read.add(id)
        from = position + 1
      }
    }
    for (let i = 0; isWriting; i += 1) {
      // A store in this process may need a turn of the event loop.
      await nextTurn()
      const id = `${i}`
      ids.push(id)
      await write(store(), instance, id, [next(instance, id, nextPosition())])
      await readOn()
    }
    await writing
    await soon(async () => {
      await readOn()
      expect([...read]).to.have.members(ids)
    })
  })
}

const concurrentWriters = (stage: Stage, isVolatile: boolean): void => {
  it('while eight write at the same time, and a reader finds all, those of each document in sequence', async () => {
    const { store, newInstance } = stage
    const instance = newInstance()
    const second = isVolatile ? null : await stage.subject().reopen([...stage.collections])
    try {
      const writers = Array.from({ length: 8 }, (_, i) => i)
      const [each, start] = [12, nextPosition()]
      const reading = readAll(store(), instance, writers.length * each * 2)
      await Promise.all(
        writers.map(async (writer) => {
          const at = writer % 2 === 0 ? store() : (second ?? store())
          for (let i = 0; i < each; i++) {
            const id = `${writer}-${i}`
            // Clocks differ.
            const atLeast = start + i - writer * 1000
            const appended = [next(instance, `${id}a`, atLeast), next(instance, `${id}b`, atLeast)]
            await write(at, instance, `${writer}`, appended, i)
          }
        }),
      )
      const read = await reading
      const expected = (writer: number) =>
        Array.from({ length: each }, (_, i) => [`${writer}-${i}a`, `${writer}-${i}b`]).flat()
      expect(read).to.have.length(writers.length * each * 2)
      for (const writer of writers)
        expect(read.filter((id) => id.startsWith(`${writer}-`))).to.deep.equal(expected(writer))
      expect(read).to.deep.equal(idsOf(await found(second ?? store(), instance)))
    } finally {
      await second?.close()
    }
  })
}

export const commitOrder = (stage: Stage, { volatile }: Deviations<'documentStore'>): void => {
  describe(sentences.commitOrder, () => {
    positionsAndPages(stage)
    afterRemovals(stage)
    slowWriter(stage)
    concurrentWriters(stage, volatile !== undefined)
  })
}
