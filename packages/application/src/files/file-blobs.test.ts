import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { file } from '@publishing-service/domain'
import { TE } from '@publishing-service/domain/fp'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readObject } from '../engine/read-one.js'
import { removeObject } from '../engine/remove.js'
import { bodyOf } from '../test-support/ascii.js'
import { createStage, left, unavailable, right, type Stage } from '../test-support/stage.js'
import { uploadFile } from './upload-file.js'

describe('removing the data of a deleted file', () => {
  const metadata = { title: 'A file', filename: 'f.txt' }

  const upload = async ({ run, as }: Stage, id: string, text: string): Promise<string> => {
    const input = { id, contentType: 'text/plain', length: undefined, body: bodyOf(text) }
    return String((await right(run(uploadFile, as('editor'), input)))['blob'])
  }

  const keysIn = async (blobs: BlobStore): Promise<readonly string[]> => {
    const keys: string[] = []
    for await (const { key } of blobs.list('')) keys.push(key)
    return keys
  }

  it('removes its derivatives too, and no data of other files', async () => {
    const stage = await createStage()
    const [id, other] = [await stage.create(file, metadata), await stage.create(file, metadata)]
    const path = await upload(stage, id, 'data')
    const kept = await upload(stage, other, 'data')
    await stage.blobs.write(`${path}/40x30-test`, bodyOf('smaller'), 100)()
    await right(stage.run(removeObject(file), stage.as('editor'), { id }))
    expect(await keysIn(stage.blobs)).to.deep.equal([`${kept}/original`])
  })

  it('accepts a file without data', async () => {
    const stage = await createStage()
    const id = await stage.create(file, metadata)
    await right(stage.run(removeObject(file), stage.as('editor'), { id }))
  })

  it('does not remove data that was uploaded later under the same id', async () => {
    let reached = (): void => undefined
    let release = (): void => undefined
    const removing = new Promise<void>((resolve) => {
      reached = resolve
    })
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const blobs = memoryBlobStore()
    const slow: BlobStore = {
      ...blobs,
      remove: (path) => async () => {
        reached()
        await released
        return blobs.remove(path)()
      },
    }
    const stage = await createStage({ blobs })
    const id = await stage.create(file, metadata)
    await upload(stage, id, 'of before')
    const deleting = right(
      stage.anotherProcess({ blobs: slow }).run(removeObject(file), stage.as('editor'), { id }),
    )
    await removing
    await stage.create(file, metadata, id)
    const path = await upload(stage, id, 'of now')
    release()
    await deleting
    expect(await keysIn(blobs)).to.deep.equal([`${path}/original`])
  })

  it('does not fail the deletion if it fails, and logs the remaining data', async () => {
    const blobs = memoryBlobStore()
    const stage = await createStage({ blobs: { ...blobs, remove: () => TE.left(unavailable) } })
    const id = await stage.create(file, metadata)
    const path = await upload(stage, id, 'data')
    await right(stage.run(removeObject(file), stage.as('editor'), { id }))
    const gone = await left(stage.run(readObject(file), stage.as('editor'), { id, parameters: {} }))
    expect(gone).to.deep.equal({ _tag: 'NotFound' })
    const [entry] = stage.log.entries()
    expect(entry).to.deep.include({ level: 'warn', event: 'blobs not removed' })
    expect(entry?.fields['path']).to.equal(path)
  })
})
