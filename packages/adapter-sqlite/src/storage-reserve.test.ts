/** The storage reserve on a disk whose free bytes the test sets. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { storageReserve, type StorageReserve } from './storage-reserve.js'

const bytes = 1024 * 1024

describe('the storage reserve', () => {
  let folder: string
  /** Free bytes with an empty reserve. */
  let space: number
  let reserve: StorageReserve
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storage-reserve-'))
    const file = join(folder, 'documents.sqlite')
    space = 2 * bytes
    reserve = storageReserve(file, bytes, () => space - storageReserve(file, bytes).size())
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is taken as a whole, with a quarter of it left, where there is none', async () => {
    space = 1.2 * bytes
    expect([reserve.take(), reserve.size()]).to.deep.equal([false, 0])
    space = 1.25 * bytes
    expect([reserve.take(), reserve.size()]).to.deep.equal([true, bytes])
    expect((await stat(join(folder, 'documents.sqlite-reserve'))).mode & 0o777).to.equal(0o600)
  })

  it('is given in parts, until nothing is left, and only on a full disk', () => {
    expect(reserve.take()).to.equal(true)
    expect([reserve.give(1000), reserve.size()], 'the disk is not full').to.deep.equal([false, bytes])
    space = bytes
    expect([reserve.give(1000), reserve.size()]).to.deep.equal([true, bytes - 1000])
    expect([reserve.give(bytes), reserve.size()]).to.deep.equal([true, 0])
    space = 0
    expect(reserve.give(1)).to.equal(false)
  })

  it('is taken again as far as there is space, and is whole only with a quarter of it left', () => {
    expect(reserve.take()).to.equal(true)
    space = bytes
    reserve.give(bytes / 2)
    space = 0.75 * bytes
    expect(reserve.take()).to.equal(false)
    expect(reserve.size()).to.be.within(0.7 * bytes, 0.75 * bytes)
    space = 1.2 * bytes
    expect(reserve.take(), 'the next writes would fill the disk').to.equal(false)
    space = 1.25 * bytes
    expect([reserve.take(), reserve.size()]).to.deep.equal([true, bytes])
  })
})
