import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { file, notFound, pipe, TE, type Box } from '@publishing-service/domain'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { Outcome } from '../failure.js'
import { bytesOf, textFrom, textOf } from '../test-support/ascii.js'
import { picture } from '../test-support/picture-imaging.js'
import { createStage, faultsOf, left, outOfReach, right, type Stage } from '../test-support/stage.js'
import type { UseCases } from '../use-cases.js'
import type { Download } from './download-file.js'

async function* body(text: string): AsyncGenerator<Uint8Array> {
  yield bytesOf(text)
}

const large = textOf(picture(400, 300))

describe('downloading a file', () => {
  let blobs: BlobStore
  let stage: Stage
  let id: string
  let uploaded: number
  beforeEach(async () => {
    blobs = memoryBlobStore()
    stage = await createStage({ blobs })
    id = await stage.create(file, { title: 'A picture', filename: 'p.png' })
    uploaded = await upload(large)
  })

  const upload = async (text: string, contentType = 'image/png'): Promise<number> => {
    const request = { contentType, length: undefined, body: body(text) }
    return Number((await right(stage.useCases.uploadFile(await stage.as('editor'), id, request)))['upload'])
  }

  const download = (box: Box | null = null, useCases: UseCases = stage.useCases): Outcome<Download> =>
    useCases.downloadFile({ instance: 1, fileId: id, upload: uploaded, box })

  const dataOf = async (outcome: Outcome<Download>): Promise<string> => {
    const { read, bytes } = await right(outcome)
    const text = await textFrom(await right(read()))
    expect(text).to.have.lengthOf(bytes)
    return text
  }

  it('gives the bytes, their type and name, and a tag that only equal bytes have', async () => {
    const first = await right(download())
    expect(first).to.include({ mimetype: 'image/png', filename: 'p.png', bytes: large.length })
    expect(await dataOf(download())).to.equal(large)
    uploaded = await upload('other')
    expect((await right(download())).tag).not.to.equal(first.tag)
    uploaded = await upload(large)
    expect((await right(download())).tag).to.equal(first.tag)
  })

  it('fails as the store does where it goes away in the middle of an image that is to be scaled', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytesOf(large.slice(0, 5))
      throw outOfReach
    }
    const useCases = stage.anotherProcess({ blobs: { ...blobs, read: () => TE.right(broken()) } })
    expect(await left(download({ w: 100, h: null }, useCases))).to.deep.equal(outOfReach)
  })

  it('gives a range of the bytes', async () => {
    const { read } = await right(download())
    expect(await textFrom(await right(read({ start: 2, end: 5 })))).to.equal(large.slice(2, 6))
  })

  it('finds nothing for a file without data, an unknown file, another instance or an outdated number', async () => {
    const empty = await stage.create(file, { title: 'Empty', filename: 'e' })
    const request = { instance: 1, fileId: id, upload: uploaded, box: null }
    for (const wrong of [{ fileId: empty }, { fileId: 'none' }, { instance: 2 }])
      expect(await left(stage.useCases.downloadFile({ ...request, ...wrong }))).to.deep.equal(notFound)
    const outdated = await left(stage.useCases.downloadFile({ ...request, upload: uploaded - 1 }))
    expect(outdated).to.have.property('_tag', 'NotFound')
    expect(outdated).to.have.property('hint').that.includes('metadata')
  })

  it('scales a picture down into the box, and tells the derivative apart by its tag', async () => {
    const boxes: readonly (readonly [Box, string])[] = [
      [{ w: 40, h: null }, 'picture 40x30'],
      [{ w: null, h: 150 }, 'picture 200x150'],
      [{ w: 100, h: 30 }, 'picture 40x30'],
    ]
    for (const [box, expected] of boxes) expect(await dataOf(download(box))).to.equal(expected)
    const tags = await Promise.all(boxes.map(async ([box]) => (await right(download(box))).tag))
    expect(new Set([...tags, (await right(download())).tag]).size).to.equal(3)
  })

  it('never enlarges: the original is sent untouched', async () => {
    for (const box of [
      { w: 400, h: null },
      { w: 10_000, h: 10_000 },
      { w: null, h: 300 },
    ]) {
      expect(await right(download(box))).to.have.property('tag', (await right(download())).tag)
      expect(await dataOf(download(box))).to.equal(large)
    }
    expect(stage.imaging.scaled()).to.equal(0)
  })

  it('makes each derivative once and serves it from the blob store from then on', async () => {
    const box = { w: 40, h: null }
    const together = await Promise.all(Array.from({ length: 20 }, () => dataOf(download(box))))
    expect(new Set(together)).to.deep.equal(new Set(['picture 40x30']))
    expect(stage.imaging.scaled()).to.equal(1)
    expect(await dataOf(download({ w: null, h: 30 }, stage.anotherProcess()))).to.equal('picture 40x30')
    expect(stage.imaging.scaled()).to.equal(1)
  })

  it('a derivative that failed is made by the next who asks', async () => {
    let failing = true
    const sick: BlobStore = {
      ...blobs,
      write: (...call) => (failing ? TE.left(outOfReach) : blobs.write(...call)),
    }
    const useCases = stage.anotherProcess({ blobs: sick })
    const box = { w: 40, h: null }
    const together = await Promise.all([left(download(box, useCases)), left(download(box, useCases))])
    expect(together).to.deep.equal([outOfReach, outOfReach])
    failing = false
    expect(await dataOf(download(box, useCases))).to.equal('picture 40x30')
  })

  it('tells both sides that were sent for what isn’t an image', async () => {
    uploaded = await upload('text', 'text/plain')
    expect(await faultsOf(download({ w: 10, h: 10 }))).to.have.keys(['w', 'h'])
    expect(await faultsOf(download({ w: null, h: 10 }))).to.have.keys(['h'])
    expect(await dataOf(download())).to.equal('text')
  })

  it('tells why an image can’t be read, and still gives its bytes', async () => {
    uploaded = await upload('no picture')
    expect(await faultsOf(download({ w: 10, h: null }))).to.deep.equal({ w: 'is no picture' })
    expect(await dataOf(download())).to.equal('no picture')
  })

  it('says the address is outdated where the data went between two looks, and fails with its stores', async () => {
    const path = `1/${id}`
    const { read } = await right(download())
    await pipe(
      blobs.remove(path),
      TE.mapLeft(() => notFound),
      right,
    )
    expect(await left(read())).to.have.property('hint')
    expect(await left(download({ w: 10, h: null }))).to.have.property('hint')
    const useCases = stage.anotherProcess({
      blobs: { ...blobs, read: () => TE.left(outOfReach), size: () => TE.left(outOfReach) },
    })
    expect(await left(download({ w: 10, h: null }, useCases))).to.deep.equal(outOfReach)
    expect(await left((await right(download(null, useCases))).read())).to.deep.equal(outOfReach)
  })
})
