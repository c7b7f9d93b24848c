/** Copies and imports that are interrupted at any write, and resumed. */
import { content } from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import {
  contentsOf,
  copied,
  createPublications,
  emptyStores,
  exported,
  imported,
  type MemoryExport,
  type Stores,
} from '../test-support/copied-publication.js'
import { failingAfter } from '../test-support/failing-stores.js'
import { changing, withChanges } from '../test-support/memory-documents.js'
import { right, unavailable } from '../test-support/stage.js'
import { changeObject } from '../engine/write.js'

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3)
  throw unavailable
}

describe('after an interruption', function () {
  this.timeout(60_000)
  let from: Stores
  let everything: Awaited<ReturnType<typeof contentsOf>>
  let made: MemoryExport
  let to: Stores
  before(async () => {
    from = emptyStores()
    await createPublications(from)
    everything = await contentsOf(from)
    made = await exported(from)
  })
  beforeEach(() => {
    to = emptyStores()
  })

  for (const [name, step, run] of [
    ['a copy', 1, (onto: Stores) => copied(from, onto)],
    ['an import', 3, (onto: Stores) => imported(made, onto)],
  ] as const) {
    /** Begins a run and interrupts it. Returns whether it was interrupted. */
    const begin = async (writes: number, lastApplies = false): Promise<boolean> => {
      const result = await run(failingAfter(to, writes, lastApplies))
      if (E.isLeft(result)) expect(result.left).to.deep.equal(unavailable)
      return E.isLeft(result)
    }

    it(`${name} by any of its writes, some of them applied nevertheless, continues to the same result`, async () => {
      // Two of four, since each second write may be of another kind.
      const applies = (writes: number): boolean => writes % 4 < 2
      let writes = 0
      for (; await begin(writes, applies(writes)); writes += step) {
        const result = await run(to)
        // If the last write was applied, the copy is complete and an ordinary store.
        if (E.isLeft(result)) expect(result.left).to.deep.equal({ _tag: 'TargetNotEmpty', part: 'documents' })
        expect(await contentsOf(to), `after ${writes} writes`).to.deep.equal(everything)
        to = emptyStores()
      }
      expect(writes).to.be.greaterThan(60)
    })

    it(`${name} completes after repeated interruptions`, async () => {
      let runs = 1
      while (await begin(20)) runs += 1
      expect(runs).to.be.greaterThan(3)
      expect(await contentsOf(to)).to.deep.equal(everything)
    })

    it(`${name} writes no document twice`, async () => {
      await begin(40)
      const held = new Set((await contentsOf(to)).documents.map(({ place, id }) => `${place}/${id}`))
      const inserted: string[] = []
      const { documents } = to
      const watched = withChanges({
        ...documents,
        write: (instance, changes, appended) => {
          for (const change of changes)
            if (change.kind === 'insert')
              inserted.push(`${instance}/${change.collection}/${change.document.id}`)
          return documents.write(instance, changes, appended)
        },
      })
      expect(E.isRight(await run({ ...to, documents: watched }))).to.equal(true)
      expect(inserted).to.have.length.above(20)
      expect(inserted.filter((each) => held.has(each))).to.deep.equal([])
      expect(await contentsOf(to)).to.deep.equal(everything)
    })

    it(`${name} names the document that the target rejects`, async () => {
      const { documents } = to
      const strict = changing(documents, 'insert', 'tags', () =>
        TE.left({ _tag: 'DocumentTooLarge', limit: 1000 }),
      )
      const tag = everything.documents.find(({ place }) => place === '1/tags')
      expect(await run({ ...to, documents: strict })).to.deep.equal(
        E.left({ _tag: 'DocumentRejected', instance: 1, collection: 'tags', id: tag?.id, limit: 1000 }),
      )
    })

    it(`${name} into the same stores by two processes is complete, or names a document`, async () => {
      const results = await Promise.all([run(to), run(to)])
      for (const result of results)
        if (E.isLeft(result)) expect(result.left._tag).to.equal('ConcurrentWriter')
      if (results.every(E.isLeft)) await run(to)
      expect(await contentsOf(to)).to.deep.equal(everything)
    })
  }

  it('a copy whose source has changed since is corrected in one run', async () => {
    const source = emptyStores()
    const stage = await createPublications(source)
    const whole = await copied(source, failingAfter(to, 86, false))
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
    const query = { where: [], order: [], skip: 0, limit: 100, detail: 'light' } as const
    const files = await right(source.documents.find('files', 1, query))
    for (const { id, version } of files.documents)
      await right(source.documents.remove('files', 1, id, version))
    await source.blobs.remove(stray)()
    const result = await copied(source, to)
    expect(result).to.have.nested.include({ _tag: 'Right', 'right.resumed': true, 'right.instances': 3 })
    expect(await contentsOf(to)).to.deep.equal(await contentsOf(source))
  })

  it('a copy gives a unique text to the document that has it in the source now', async () => {
    const source = emptyStores()
    const stage = await createPublications(source)
    await copied(source, failingAfter(to, 86, false))
    const stories = (await contentsOf(source)).documents.filter(({ place }) => place === '1/content')
    const [first, second] = [stories[0]?.id ?? '', stories[5]?.id ?? '']
    const urlname = String(stories[5]?.value['urlname'])
    const rename = (id: string, to_: string) =>
      right(stage.run(changeObject(content), stage.as('admin'), { id, body: { urlname: to_ } }))
    await rename(second, 'moved')
    await rename(first, urlname)
    expect(E.isRight(await copied(source, to))).to.equal(true)
    expect(await contentsOf(to)).to.deep.equal(await contentsOf(source))
  })

  it('is resumed from the same source only, and is no source', async () => {
    await copied(from, failingAfter(to, 20, false))
    const begun = await contentsOf(to)
    expect(await imported(made, to)).to.deep.equal(E.left({ _tag: 'OtherCopy', source: 'the source' }))
    expect(await copied(to, emptyStores())).to.deep.equal(
      E.left({ _tag: 'SourceUnfinished', source: 'the source' }),
    )
    expect(await contentsOf(to)).to.deep.equal(begun)
  })

  it('of the data of the source, reports why it ended early', async () => {
    const read: BlobStore['read'] = () => TE.right({ bytes: 100, chunks: breakingOff() })
    expect(await copied({ ...from, blobs: { ...from.blobs, read } }, to)).to.deep.equal(E.left(unavailable))
    expect(E.isRight(await copied(from, to))).to.equal(true)
    expect(await contentsOf(to)).to.deep.equal(everything)
  })
})
