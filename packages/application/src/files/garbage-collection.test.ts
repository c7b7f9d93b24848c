import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { file } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { bytesOf } from '../test-support/ascii.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { createStage, unavailable, right, type Stage } from '../test-support/stage.js'
import { uploadFile } from './upload-file.js'

const hour = 3_600_000
const day = 24 * hour

async function* body(text = 'data'): AsyncGenerator<Uint8Array> {
  yield bytesOf(text)
}

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('garbage collection', () => {
  let documents: ControllableStore
  let blobs: BlobStore
  let stage: Stage
  /** The memory store dates blobs by the system's clock. */
  let written: number
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    blobs = memoryBlobStore()
    stage = await createStage({ documents, blobs })
    written = Date.now()
    stage.clock.set(written)
  })

  const upload = async (id: string): Promise<JsonObject> => {
    const input = { id, contentType: 'text/plain', length: undefined, body: body() }
    return right(stage.run(uploadFile, stage.as('editor'), input))
  }
  const create = (): Promise<string> => stage.create(file, { title: 'A file', filename: 'f' })
  const leave = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await right(blobs.write(key, body(), 100))
  }
  const keys = async (): Promise<readonly string[]> => {
    const found: string[] = []
    for await (const { key } of blobs.list('')) found.push(key)
    return found.toSorted()
  }
  const fill = async (count: number): Promise<readonly string[]> => {
    const paths: string[] = []
    for (let number = 0; number < count; number += 1)
      paths.push(String((await upload(await create()))['blob']))
    return paths.map((path) => `${path}/original`)
  }
  const collect = () => stage.useCases.garbageCollection.collect()
  const quarantined = async (): Promise<readonly string[]> =>
    (await stage.useCases.garbageCollection.list()).map(({ path }) => path).toSorted()
  const errors = () => right(stage.useCases.garbageCollection.errors())
  const errorsLogged = () => stage.log.entries().filter(({ level }) => level === 'error')
  const after = (time: number): void => stage.clock.set(written + hour + time)

  it('quarantines the uploads that no file refers to, with their derivatives', async () => {
    const id = await create()
    const named = String((await upload(id))['blob'])
    await fill(30)
    await leave(`1/${id}/cut-short/original`, `1/${id}/cut-short/40x30-x`, '1/gone/upload/original')
    await leave('7/gone/upload/original', `${named}/40x30-x`)
    after(day)
    expect(await collect()).to.deep.equal({ quarantined: 3, deleted: 0 })
    expect(await quarantined()).to.deep.equal(
      [`1/${id}/cut-short`, '1/gone/upload', '7/gone/upload'].toSorted(),
    )
    expect(await collect()).to.deep.equal({ quarantined: 0, deleted: 0 })
    const first = (await stage.useCases.garbageCollection.list()).find(({ path }) => path.includes('cut'))
    const found = stage.clock.now()
    expect(first).to.deep.include({ bytes: 8, found, deletesAfter: found + 7 * day })
  })

  it('deletes them after the quarantine, and nothing else', async () => {
    const kept = await fill(30)
    await leave('1/gone/upload/original', '1/gone/upload/40x30-x', 'store/identity-of-something')
    after(day)
    await collect()
    after(8 * day - 1)
    expect(await collect()).to.deep.equal({ quarantined: 0, deleted: 0 })
    expect(await keys()).to.include('1/gone/upload/original')
    after(8 * day)
    expect(await collect()).to.deep.equal({ quarantined: 0, deleted: 1 })
    expect(await keys()).to.deep.equal([...kept, 'store/identity-of-something'].toSorted())
    expect(await quarantined()).to.deep.equal([])
  })

  it('does not delete blobs younger than a day', async () => {
    await fill(30)
    await leave('1/gone/upload/original')
    after(day - 2 * hour)
    expect(await collect()).to.deep.equal({ quarantined: 0, deleted: 0 })
    expect(await stage.useCases.garbageCollection.deleteAll()).to.deep.equal([])
    after(day)
    await collect()
    // Something that was quarantined is written again.
    let late = 0
    const dated: BlobStore = {
      ...blobs,
      list: async function* (path) {
        for await (const entry of blobs.list(path)) yield { ...entry, written: entry.written + late }
      },
    }
    const useCases = stage.anotherProcess({ blobs: dated })
    late = 8 * day
    after(8 * day)
    expect(await useCases.garbageCollection.deleteAll()).to.deep.equal([])
    expect(await useCases.garbageCollection.collect()).to.deep.equal({ quarantined: 0, deleted: 0 })
    expect(await keys()).to.include('1/gone/upload/original')
  })

  it('removes the record of an upload that is referred to again, or no longer exists', async () => {
    const [restored = ''] = await fill(30)
    const path = restored.replace('/original', '')
    const id = path.split('/')[1] ?? ''
    await leave('1/gone/upload/original')
    const before = await documents.get('files', 1, id)()
    if (E.isLeft(before) || before.right === null) throw new Error('no file')
    const { version, value } = before.right
    await right(documents.remove('files', 1, id, version))
    after(day)
    await collect()
    expect(await quarantined()).to.deep.equal([path, '1/gone/upload'].toSorted())
    await right(documents.insert('files', 1, { id, unique: null, value }))
    await right(blobs.remove('1/gone'))
    after(9 * day)
    expect(await collect()).to.deep.equal({ quarantined: 0, deleted: 0 })
    expect(await quarantined()).to.deep.equal([])
    expect(await keys()).to.include(restored)
  })

  it('checks again before it deletes', async () => {
    await fill(30)
    await leave('1/gone/upload/original')
    after(day)
    await collect()
    after(9 * day)
    // The last look-up of files belongs to the deletion.
    const named = { id: 'gone', unique: null, value: { blob: '1/gone/upload' } }
    const lists: string[] = []
    const slow: BlobStore = {
      ...blobs,
      list: async function* (path) {
        lists.push(path)
        if (lists.filter((each) => each === '1/gone/upload').length === 2)
          await right(documents.insert('files', 1, named))
        yield* blobs.list(path)
      },
    }
    const useCases = stage.anotherProcess({ blobs: slow })
    expect(await useCases.garbageCollection.collect()).to.deep.equal({ quarantined: 0, deleted: 0 })
    expect(await keys()).to.include('1/gone/upload/original')
  })

  it('deletes nothing and reports an error while more than a tenth of all uploads is orphaned', async () => {
    await fill(9)
    await leave('1/gone/upload/original')
    after(day)
    await collect()
    expect(await errors()).to.deep.equal([])
    expect(errorsLogged()).to.deep.equal([])
    await leave('1/gone/other/original')
    after(9 * day)
    expect(await collect()).to.deep.equal({ quarantined: 1, deleted: 0 })
    expect(await keys()).to.include('1/gone/upload/original')
    expect(errorsLogged()).to.have.lengthOf(1)
    expect(await errors()).to.have.lengthOf(1)
    expect((await right(stage.useCases.checkReadiness())).errors).to.have.lengthOf(1)
    await fill(9)
    expect(await collect()).to.deep.equal({ quarantined: 0, deleted: 1 })
    expect(await errors()).to.deep.equal([])
  })

  it('deletes all orphans if an operator requests it, which resolves the error', async () => {
    const kept = await fill(1)
    await leave('1/gone/upload/original', '1/gone/other/original')
    after(day)
    await collect()
    expect(await errors()).to.have.lengthOf(1)
    const deleted = await stage.anotherProcess().garbageCollection.deleteAll()
    expect(deleted.map(({ path }) => path).toSorted()).to.deep.equal(['1/gone/other', '1/gone/upload'])
    expect(await keys()).to.deep.equal(kept)
    expect(await errors()).to.deep.equal([])
  })

  it('deletes nothing if documents and blobs have different identities', async () => {
    await right(stage.useCases.storeIdentity.establish({ adopt: false, sample: async () => [] }))
    await fill(30)
    await leave('1/gone/upload/original')
    after(day)
    await collect()
    after(9 * day)
    await right(blobs.write('store/identity', body('{"id":"another"}'), 100))
    expect(await collect()).to.deep.equal({ quarantined: 0, deleted: 0 })
    expect(await keys()).to.include('1/gone/upload/original')
    expect(await errors()).to.have.lengthOf(1)
    await right(stage.useCases.storeIdentity.establish({ adopt: true, sample: async () => [] }))
    expect(await errors()).to.deep.equal([])
    expect(await collect()).to.deep.equal({ quarantined: 0, deleted: 1 })
  })

  it('finds orphans among thousands', async () => {
    const kept = await fill(40)
    for (let count = 0; count < 1200; count += 1) await leave(`1/gone-${count}/upload/original`)
    after(day)
    expect(await collect()).to.deep.equal({ quarantined: 1200, deleted: 0 })
    expect(await stage.useCases.garbageCollection.deleteAll()).to.have.lengthOf(1200)
    expect(await keys()).to.deep.equal(kept.toSorted())
  })

  it('can run in two processes concurrently', async () => {
    const kept = await fill(30)
    await leave('1/gone/upload/original', '1/gone/other/original')
    const both = () => Promise.all([collect(), stage.anotherProcess().garbageCollection.collect()])
    after(day)
    expect((await both()).reduce((sum, each) => sum + each.quarantined, 0)).to.equal(2)
    after(9 * day)
    await both()
    expect(await keys()).to.deep.equal(kept.toSorted())
  })

  it('deletes nothing if a store fails', async () => {
    await leave('1/gone/upload/original')
    after(day)
    documents.fail('getRelated', 'files')
    expect(await rejection(collect())).to.deep.equal(unavailable)
    documents.fail('insert', 'orphans')
    expect(await rejection(collect())).to.deep.equal(unavailable)
    await collect()
    documents.fail('getRelated', 'files')
    expect(await rejection(stage.useCases.garbageCollection.deleteAll())).to.deep.equal(unavailable)
    expect(await keys()).to.have.lengthOf(1)
  })
})
