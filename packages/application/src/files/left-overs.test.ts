import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { file, type JsonObject } from '@publishing-service/domain'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { bytesOf } from '../test-support/ascii.js'
import { storeInHand, type StoreInHand } from '../test-support/document-store-in-hand.js'
import { createStage, outOfReach, right, type Stage } from '../test-support/stage.js'

async function* body(): AsyncGenerator<Uint8Array> {
  yield bytesOf('data')
}

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('left-overs', () => {
  let documents: StoreInHand
  let blobs: BlobStore
  let stage: Stage
  let later: number
  beforeEach(async () => {
    documents = storeInHand(memoryDocumentStore(collections))
    blobs = memoryBlobStore()
    stage = await createStage({ documents, blobs })
    // The memory store dates blobs by the system's clock.
    later = Date.now() + 60_000
  })

  const upload = async (id: string): Promise<JsonObject> => {
    const request = { contentType: 'text/plain', length: undefined, body: body() }
    return right(stage.useCases.uploadFile(await stage.as('editor'), id, request))
  }
  const create = (): Promise<string> => stage.create(file, { title: 'A file', filename: 'f' })
  const leave = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await blobs.write(key, body(), 100)()
  }
  const keys = async (): Promise<readonly string[]> => {
    const found: string[] = []
    for await (const { key } of blobs.list('')) found.push(key)
    return found.toSorted()
  }

  it('are the uploads that no file names, with all that was made from them', async () => {
    const id = await create()
    const named = String((await upload(id))['blob'])
    await leave(`1/${id}/cut-short/original`, `1/${id}/cut-short/40x30-x`, '1/gone/upload/original')
    await leave('7/gone/upload/original', `${named}/40x30-x`)
    const found = await stage.useCases.leftOvers.find(later)
    expect(found.map(({ path }) => path).toSorted()).to.deep.equal([
      `1/${id}/cut-short`,
      '1/gone/upload',
      '7/gone/upload',
    ])
    expect(await stage.useCases.leftOvers.remove(found)).to.equal(3)
    expect(await keys()).to.deep.equal([`${named}/40x30-x`, `${named}/original`])
  })

  it('of another instance’s file with the same id are told apart', async () => {
    const id = await create()
    const named = String((await upload(id))['blob'])
    await leave(named.replace(/^1\//, '2/').concat('/original'))
    expect(await stage.useCases.leftOvers.find(later)).to.have.lengthOf(1)
  })

  it('are looked for among old blobs only', async () => {
    await leave('1/gone/upload/original')
    expect(await stage.useCases.leftOvers.find(Date.now() - 60_000)).to.deep.equal([])
  })

  it('are none any more when a file names them at the second look', async () => {
    const id = await create()
    const held = documents.hold('replace', 'files')
    const uploading = upload(id)
    await held.reached
    const found = await stage.anotherProcess().leftOvers.find(later)
    expect(found).to.have.lengthOf(1)
    held.release()
    const { blob } = await uploading
    expect(await stage.anotherProcess().leftOvers.remove(found)).to.equal(0)
    expect(await keys()).to.deep.equal([`${String(blob)}/original`])
  })

  it('aren’t what lies outside the places of uploads', async () => {
    await leave('other/place/of/something', '1/too-short')
    expect(await stage.useCases.leftOvers.find(later)).to.deep.equal([])
  })

  it('are found among thousands', async () => {
    const named: string[] = []
    for (let count = 0; count < 40; count += 1) named.push(String((await upload(await create()))['blob']))
    for (let count = 0; count < 1200; count += 1) await leave(`1/gone-${count}/upload/original`)
    const found = await stage.useCases.leftOvers.find(later)
    expect(found).to.have.lengthOf(1200)
    expect(await stage.useCases.leftOvers.remove(found)).to.equal(1200)
    expect(await keys()).to.deep.equal(named.map((path) => `${path}/original`).toSorted())
  })

  it('stay where a store fails', async () => {
    await leave('1/gone/upload/original')
    documents.fail('getMany', 'files')
    expect(await rejection(stage.useCases.leftOvers.find(later))).to.deep.equal(outOfReach)
    const found = await stage.useCases.leftOvers.find(later)
    documents.fail('getMany', 'files')
    expect(await rejection(stage.useCases.leftOvers.remove(found))).to.deep.equal(outOfReach)
    expect(await keys()).to.have.lengthOf(1)
  })
})
