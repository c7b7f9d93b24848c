import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { E } from '@publishing-service/domain/fp'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { newBackupKey } from './backup-place.js'
import { encryptedPlace } from './encrypted-place.js'

const name = 'backups/a/list'
const limit = 1_000_000

const bytesOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => index % 251))

async function* pieces(data: Buffer): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < data.length; from += 10_000) yield data.subarray(from, from + 10_000)
}

const read = async (place: BlobStore): Promise<Buffer> => {
  const opened = await place.read(name)()
  if (E.isLeft(opened)) throw new Error(opened.left._tag)
  const found: Uint8Array[] = []
  for await (const chunk of opened.right.chunks) found.push(chunk)
  return Buffer.concat(found)
}

describe('an encrypted place', () => {
  let stored: BlobStore
  let place: BlobStore
  beforeEach(async () => {
    stored = memoryBlobStore()
    place = await encryptedPlace(stored, await newBackupKey())
  })

  it('returns data and sizes as they were written, and stores nothing that can be read', async () => {
    for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
      const data = bytesOf(length)
      const written = await place.write(name, pieces(data), limit)()
      expect(written).to.have.nested.property('right.bytes', length)
      expect(await read(place)).to.deep.equal(data)
      expect(await place.size(name)()).to.deep.equal(E.right(length))
      for await (const { bytes } of place.list('')) expect(bytes).to.equal(length)
      const encrypted = await read(stored)
      expect(encrypted.subarray(0, 21).toString()).to.equal('age-encryption.org/v1')
      if (length > 100) expect(encrypted.includes(data.subarray(0, 100))).to.equal(false)
    }
    expect(await place.size('backups/b/list')()).to.deep.equal(E.right(null))
  })

  it('limits the plain data', async () => {
    const written = await place.write(name, pieces(bytesOf(100_001)), 100_000)()
    expect(written).to.deep.equal(E.left({ _tag: 'BlobTooLarge', limit: 100_000 }))
    expect(E.isRight(await place.write(name, pieces(bytesOf(100_000)), 100_000)())).to.equal(true)
  })

  it('says that data was encrypted with another key, or not at all, or is damaged', async () => {
    await place.write(name, pieces(bytesOf(100_000)), limit)()
    const other = await encryptedPlace(stored, await newBackupKey())
    const problemOf = (from: BlobStore): Promise<unknown> =>
      read(from).then(
        () => null,
        (problem: unknown) => problem,
      )
    expect(await problemOf(other)).to.have.property('_tag', 'ExportDamaged')
    const encrypted = await read(stored)
    encrypted[50_000] = (encrypted[50_000] ?? 0) ^ 1
    await stored.write(name, pieces(encrypted), limit)()
    expect(await problemOf(place)).to.have.property('_tag', 'ExportDamaged')
    await stored.write(name, pieces(bytesOf(100)), limit)()
    expect(await problemOf(place)).to.have.property('_tag', 'ExportDamaged')
    expect(await place.size(name)()).to.deep.equal(E.right(100))
  })
})
