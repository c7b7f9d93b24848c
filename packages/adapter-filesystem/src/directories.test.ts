import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { E } from '@publishing-service/domain/fp'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { filesystemBlobStore } from './filesystem-blob-store.js'

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

describe('the directories of filesystemBlobStore', function () {
  this.timeout(30_000)
  let directory: string
  let store: BlobStore
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'blobs-'))
    store = await filesystemBlobStore({ directory })
  })
  afterEach(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })

  const write = (key: string) => store.write(key, once(key), 1000)()
  const listed = async (): Promise<readonly string[]> => {
    const keys: string[] = []
    for await (const { key } of store.list('')) keys.push(key)
    return keys.toSorted()
  }
  const below = async (): Promise<readonly string[]> =>
    (await readdir(join(directory, 'blobs'), { recursive: true })).toSorted()

  it('are removed with the last blob below them', async () => {
    for (const key of ['1/a/x', '1/a/y', '2/b/x']) expect(E.isRight(await write(key))).to.equal(true)
    await store.remove('1/a/x')()
    expect(await below()).to.deep.equal(['1', '1/a', '1/a/y@', '2', '2/b', '2/b/x@'])
    await store.remove('1/a/y')()
    await store.remove('2/b')()
    expect(await below()).to.deep.equal([])
  })

  it('are removed by a listing if they are empty', async () => {
    await write('1/a/x')
    for (const path of ['1/b/c/d', '2/e', '3'])
      await mkdir(join(directory, 'blobs', path), { recursive: true })
    expect(await listed()).to.deep.equal(['1/a/x'])
    expect(await below()).to.deep.equal(['1', '1/a', '1/a/x@'])
  })

  it('can be removed while a blob is written into them, without harm to the blob', async () => {
    let writing = true
    const listing = async (): Promise<void> => {
      while (writing) await listed()
    }
    const removing = async (): Promise<void> => {
      while (writing) await store.remove('1/a/removed')()
    }
    const rounds = async (worker: number): Promise<void> => {
      for (let round = 0; round < 40; round += 1) {
        const key = `1/a/${worker}/${round}`
        expect(E.isRight(await write(key)), key).to.equal(true)
        await write('1/a/removed')
        expect(await store.size(key)()).to.deep.include({ right: key.length })
        await store.remove(`1/a/${worker}`)()
      }
    }
    const others = [listing(), removing()]
    await Promise.all([0, 1, 2].map(rounds)).finally(() => {
      writing = false
    })
    await Promise.all(others)
  })

  it('keep the reserved disk space free', async () => {
    await write('1/a/x')
    const { bavail, bsize } = await statfs(directory)
    const withReserve = await filesystemBlobStore({ directory, reservedBytes: bavail * bsize * 2 })
    for (const use of [withReserve.write('1/a/y', once('y'), 1000), withReserve.check()]) {
      const outcome = await use()
      expect(outcome).to.have.property('left').that.includes({ _tag: 'PortFailure', storageFull: true })
    }
    expect(await readdir(join(directory, 'incoming'))).to.deep.equal([])
    expect(E.isRight(await withReserve.remove('1/a/x')())).to.equal(true)
    expect(await listed()).to.deep.equal([])
    await withReserve.close()
  })
})
