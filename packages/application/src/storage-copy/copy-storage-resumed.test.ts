/** Copies that are interrupted at any write, and resumed. */
import { content } from '@publishing-service/domain'
import { E, TE, type TaskEither } from '@publishing-service/domain/fp'
import type { BlobStore, PortFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import {
  createPublications,
  emptyStores,
  contentsOf,
  requestFor,
  type Stores,
} from '../test-support/copied-publication.js'
import { changing, withChanges } from '../test-support/memory-documents.js'
import { unavailable, right } from '../test-support/stage.js'
import { changeObject } from '../engine/write.js'
import { copyStorage, type CopyRequest } from './copy-storage.js'

/**
 * Stores that execute this many writes and then fail; the last write may be applied although it fails.
 */
const failingAfter = (stores: Stores, writes: number, lastApplies: boolean): Stores => {
  let left = writes
  const bounded =
    <F, A>(task: TaskEither<F, A>): TaskEither<F | PortFailure, A> =>
    async () => {
      left -= 1
      if (left >= 0) return task()
      if (left === -1 && lastApplies) await task()
      return E.left(unavailable)
    }
  const { documents, blobs } = stores
  return {
    documents: withChanges({ ...documents, write: (...asked) => bounded(documents.write(...asked)) }),
    blobs: { ...blobs, write: (...asked) => bounded(blobs.write(...asked)) },
  }
}

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3)
  throw unavailable
}

describe('copyStorage after an interruption', function () {
  this.timeout(60_000)
  let from: Stores
  let everything: Awaited<ReturnType<typeof contentsOf>>
  let to: Stores
  before(async () => {
    from = emptyStores()
    await createPublications(from)
    everything = await contentsOf(from)
  })
  beforeEach(() => {
    to = emptyStores()
  })

  const run = (onto: Stores, more: Partial<CopyRequest> = {}) => copyStorage(requestFor(from, onto, more))()

  /** Begins a copy and interrupts it. */
  const begin = async (writes: number, lastApplies = false): Promise<boolean> => {
    const result = await run(failingAfter(to, writes, lastApplies))
    if (E.isLeft(result)) expect(result.left).to.deep.equal(unavailable)
    return E.isLeft(result)
  }

  it('by any of its writes, some of them applied nevertheless, continues to the same result', async () => {
    // Two of four, since each second write may be of another kind.
    const applies = (writes: number): boolean => writes % 4 < 2
    let writes = 0
    for (; await begin(writes, applies(writes)); writes += 1) {
      const result = await run(to)
      // If the last write was applied, the copy is complete and an ordinary store.
      if (E.isLeft(result)) expect(result.left).to.deep.equal({ _tag: 'TargetNotEmpty', part: 'documents' })
      expect(await contentsOf(to), `after ${writes} writes`).to.deep.equal(everything)
      to = emptyStores()
    }
    expect(writes).to.be.greaterThan(60)
  })

  it('completes after repeated interruptions', async () => {
    let runs = 1
    while (await begin(20)) runs += 1
    expect(runs).to.be.greaterThan(3)
    expect(await contentsOf(to)).to.deep.equal(everything)
  })

  it('does not copy recorded documents again', async () => {
    await begin(30)
    const inserted: string[] = []
    const { documents } = to
    const watched = changing(documents, 'insert', (collection, instance, ...change) => {
      inserted.push(`${instance}/${collection}`)
      return documents.write(collection, instance, ...change)
    })
    expect(E.isRight(await run({ ...to, documents: watched }))).to.equal(true)
    expect(inserted).not.to.include('0/instances')
    expect(inserted.filter((place) => place === '1/content').length).to.be.within(1, 28)
    expect(await contentsOf(to)).to.deep.equal(everything)
  })

  it('empties a collection that the source has emptied since, in one run', async () => {
    const source = emptyStores()
    await createPublications(source)
    // The blobs are copied after all documents.
    const { blobs } = to
    const write: BlobStore['write'] = () => TE.left(unavailable)
    const first = await copyStorage(requestFor(source, { ...to, blobs: { ...blobs, write } }))()
    expect(first).to.deep.equal(E.left(unavailable))
    const { documents } = source
    const query = { where: [], order: [], skip: 0, limit: 100, detail: 'light' } as const
    const files = await right(documents.find('files', 1, query))
    expect(files.documents).not.to.deep.equal([])
    for (const { id, version } of files.documents) await right(documents.remove('files', 1, id, version))
    expect(await copyStorage(requestFor(source, to))()).to.deep.include({ _tag: 'Right' })
    expect(await contentsOf(to)).to.deep.equal(await contentsOf(source))
  })

  it('copies changes of the source again, in one run', async () => {
    const source = emptyStores()
    const stage = await createPublications(source)
    const whole = await copyStorage(requestFor(source, failingAfter(to, 100, false)))()
    expect(E.isLeft(whole)).to.equal(true)
    const held = await contentsOf(source)
    const blobs = Object.keys((await contentsOf(to)).blobs)
    const stray = blobs.find((key) => key.endsWith('40x30-test')) ?? ''
    expect(stray).not.to.equal('')
    const story = held.documents.find(({ place }) => place === '1/content')?.id ?? ''
    const change = { id: story, body: { title: 'Changed since' } }
    await right(stage.run(changeObject(content), stage.as('admin'), change))
    await right(stage.useCases.administerInstances.create({ title: 'Late', timezone: 'UTC' }))
    await right(stage.useCases.administerKeys.create({ instance: 3, role: 'reader' }))
    await source.blobs.remove(stray)()
    const result = await copyStorage(requestFor(source, to))()
    expect(result).to.have.nested.include({ _tag: 'Right', 'right.resumed': true, 'right.instances': 3 })
    expect(await contentsOf(to)).to.deep.equal(await contentsOf(source))
  })

  it('is resumed from the same source only', async () => {
    await begin(20)
    const begun = await contentsOf(to)
    expect(await run(to, { source: 'another source' })).to.deep.equal(
      E.left({ _tag: 'OtherCopy', source: 'the source' }),
    )
    expect(await contentsOf(to)).to.deep.equal(begun)
  })

  it('is rejected as a source', async () => {
    await begin(20)
    const onward = emptyStores()
    expect(await copyStorage(requestFor(to, onward))()).to.deep.equal(
      E.left({ _tag: 'SourceUnfinished', source: 'the source' }),
    )
  })

  it('stops if another process copies into the same stores', async () => {
    let others: Promise<unknown> | null = null
    const { documents } = to
    const overtaken = changing(documents, 'insert', (collection, ...change) => async () => {
      if (collection === 'content') await (others ??= run(to))
      return documents.write(collection, ...change)()
    })
    const result = await run({ ...to, documents: overtaken })
    expect(result).to.deep.equal(E.left({ _tag: 'ConcurrentWriter' }))
    expect(await contentsOf(to)).to.deep.equal(everything)
  })

  it('names the document that the target rejects', async () => {
    const { documents } = to
    const strict = changing(documents, 'insert', (collection, ...change) =>
      collection === 'tags'
        ? TE.left({ _tag: 'DocumentTooLarge', limit: 1000 })
        : documents.write(collection, ...change),
    )
    const tag = everything.documents.find(({ place }) => place === '1/tags')
    expect(await run({ ...to, documents: strict })).to.deep.equal(
      E.left({ _tag: 'DocumentRejected', instance: 1, collection: 'tags', id: tag?.id, limit: 1000 }),
    )
  })

  it('reports why the data of the source ended early', async () => {
    const read: BlobStore['read'] = () => TE.right({ bytes: 100, chunks: breakingOff() })
    const result = await copyStorage(requestFor({ ...from, blobs: { ...from.blobs, read } }, to))()
    expect(result).to.deep.equal(E.left(unavailable))
    expect(E.isRight(await run(to))).to.equal(true)
    expect(await contentsOf(to)).to.deep.equal(everything)
  })
})
