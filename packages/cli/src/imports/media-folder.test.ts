import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { mediaInFolder } from './media-folder.js'

describe('mediaInFolder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-'))
    await mkdir(join(folder, 'uploads/2020'), { recursive: true })
    await writeFile(join(folder, 'uploads/2020/a b.jpg'), 'picture')
    await writeFile(join(folder, 'secret.txt'), 'secret')
    await symlink(join(folder, 'secret.txt'), join(folder, 'uploads/link.jpg'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const read = async (address: string): Promise<string> => {
    const media = await (await mediaInFolder(join(folder, 'uploads')))({ address, type: null })
    if (E.isLeft(media)) return 'missing'
    const pieces: Uint8Array[] = []
    for await (const piece of media.right.body) pieces.push(piece)
    expect(media.right.length).to.equal(Buffer.concat(pieces).length)
    return Buffer.concat(pieces).toString()
  }

  it('finds a file at an end of the path of its address', async () => {
    for (const address of [
      'https://example.org/wp-content/uploads/2020/a%20b.jpg?x=1',
      '/uploads/2020/a b.jpg',
      '2020/a b.jpg',
    ])
      expect(await read(address), address).to.equal('picture')
    expect(await read('https://example.org/2021/a%20b.jpg')).to.equal('missing')
  })

  it('reads nothing outside of the folder', async () => {
    for (const address of [
      '../secret.txt',
      '%2e%2e/secret.txt',
      'link.jpg',
      '2020',
      '/',
      '',
      '..\\secret.txt',
    ])
      expect(await read(address), address).to.equal('missing')
  })
})
