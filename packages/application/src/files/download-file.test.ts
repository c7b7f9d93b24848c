import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { E, file, notFound, pipe, TE, type Box } from '@publishing-service/domain'
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
const small = (width: number, height: number): string => textOf(picture(width, height))

/** What is done behind an answer is done: the stores in memory need no more than this. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 500; turn += 1) await Promise.resolve()
}

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
      [{ w: 40, h: null }, small(40, 30)],
      [{ w: null, h: 150 }, small(200, 150)],
      [{ w: 100, h: 30 }, small(40, 30)],
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
    expect(new Set(together)).to.deep.equal(new Set([small(40, 30)]))
    expect(stage.imaging.scaled()).to.equal(1)
    await settled()
    expect(await dataOf(download({ w: null, h: 30 }, stage.anotherProcess()))).to.equal(small(40, 30))
    expect(stage.imaging.scaled()).to.equal(1)
  })

  it('two processes that make the same derivative at once do no harm', async () => {
    const box = { w: 40, h: null }
    const release = stage.imaging.hold()
    const both = [stage.useCases, stage.anotherProcess()].map((useCases) => dataOf(download(box, useCases)))
    await settled()
    release()
    expect(await Promise.all(both)).to.deep.equal([small(40, 30), small(40, 30)])
    expect(await kept()).to.deep.equal(['40x30-test-1', 'original'])
    expect(await dataOf(download(box, stage.anotherProcess()))).to.equal(small(40, 30))
    expect(stage.imaging.scaled()).to.equal(2)
  })

  it('sends a derivative that can’t be kept all the same, says so in the log, and makes it anew', async () => {
    let failing = true
    const sick: BlobStore = {
      ...blobs,
      write: (...call) => (failing ? TE.left(outOfReach) : blobs.write(...call)),
    }
    const useCases = stage.anotherProcess({ blobs: sick })
    const box = { w: 40, h: null }
    expect(await dataOf(download(box, useCases))).to.equal(small(40, 30))
    await settled()
    expect(stage.log.entries().map(({ event }) => event)).to.include('scaled image not kept')
    failing = false
    expect(await dataOf(download(box, useCases))).to.equal(small(40, 30))
    expect(stage.imaging.scaled()).to.equal(2)
  })

  it('a derivative that failed is made by the next who asks', async () => {
    let failing = true
    const sick: BlobStore = {
      ...blobs,
      read: (...call) => (failing ? TE.left(outOfReach) : blobs.read(...call)),
    }
    const useCases = stage.anotherProcess({ blobs: sick })
    const box = { w: 40, h: null }
    const together = await Promise.all([left(download(box, useCases)), left(download(box, useCases))])
    expect(together).to.deep.equal([outOfReach, outOfReach])
    failing = false
    expect(await dataOf(download(box, useCases))).to.equal(small(40, 30))
  })

  const kept = async (): Promise<readonly string[]> => {
    await settled()
    const names: string[] = []
    for await (const { key } of blobs.list('')) names.push(key.split('/').at(-1) ?? '')
    return names.toSorted()
  }

  it('keeps a bounded number of derivatives, and lets go of those that were used least recently', async () => {
    const dated: BlobStore = {
      ...blobs,
      // The memory store dates blobs by the system's clock.
      list: async function* (path) {
        for await (const entry of blobs.list(path)) yield { ...entry, written: 0 }
      },
    }
    const useCases = stage.anotherProcess({ blobs: dated })
    const ask = async (w: number): Promise<void> => {
      stage.clock.advance(1000)
      await dataOf(download({ w, h: null }, useCases))
      await settled()
    }
    for (const w of [40, 80, 120]) await ask(w)
    expect(await kept()).to.deep.equal(['120x90-test-1', '40x30-test-1', '80x60-test-1', 'original'])
    await ask(40)
    await ask(160)
    expect(await kept()).to.deep.equal(['120x90-test-1', '160x120-test-1', '40x30-test-1', 'original'])
    for (let w = 1; w <= 60; w += 1) await ask(w)
    expect(await kept()).to.have.lengthOf(4)
    await ask(40)
    expect(await dataOf(download({ w: 40, h: null }, useCases))).to.equal(small(40, 30))
  })

  it('makes a derivative again that had to go between two looks', async () => {
    const { read } = await right(download({ w: 40, h: null }))
    await settled()
    const again = await right(download({ w: 40, h: null }))
    await right(
      pipe(
        blobs.remove((await keyOf('40x30-test-1')) ?? ''),
        TE.mapLeft(() => notFound),
      ),
    )
    expect(await textFrom(await right(again.read({ start: 0, end: 5 })))).to.equal('GIF89a')
    expect(await textFrom(await right(read()))).to.equal(small(40, 30))
    expect(stage.imaging.scaled()).to.equal(2)
  })

  const keyOf = async (name: string): Promise<string | undefined> => {
    for await (const { key } of blobs.list('')) if (key.endsWith(name)) return key
    return undefined
  }

  it('leaves nothing of a file that is deleted while it is scaled', async () => {
    const release = stage.imaging.hold()
    const running = dataOf(download({ w: 40, h: null }))
    await settled()
    await right(stage.useCases.removeObject(file, await stage.as('admin'), id))
    release()
    expect(await running).to.equal(small(40, 30))
    expect(await kept()).to.deep.equal([])
  })

  it('scales so many at a time and lets so many wait; others are told to come again', async () => {
    const release = stage.imaging.hold()
    const sizes = [40, 80, 120, 160, 200]
    const asked = sizes.map((w) => download({ w, h: null })())
    await settled()
    expect(stage.imaging.scaled()).to.equal(1)
    release()
    const answers = await Promise.all(asked)
    const refusals = answers.filter(E.isLeft).map(({ left: failure }) => failure)
    expect(refusals).to.deep.equal([
      { _tag: 'Unavailable', retryAfter: 5 },
      { _tag: 'Unavailable', retryAfter: 5 },
    ])
    expect(stage.log.entries().filter(({ level }) => level === 'error')).to.deep.equal([])
    expect(await dataOf(download({ w: 200, h: null }))).to.equal(small(200, 150))
  })

  it('tells those to come again who have waited for too long when their turn comes', async () => {
    const release = stage.imaging.hold()
    const asked = [40, 80].map((w) => download({ w, h: null })())
    await settled()
    stage.clock.advance(60_001)
    release()
    const [first, second] = await Promise.all(asked)
    expect(first).to.have.property('_tag', 'Right')
    expect(second).to.deep.equal(E.left({ _tag: 'Unavailable', retryAfter: 5 }))
    expect(stage.imaging.scaled()).to.equal(1)
  })

  it('names the limit of pixels, and still gives the bytes of what is larger', async () => {
    uploaded = await upload(textOf(picture(2000, 501)))
    expect(await faultsOf(download({ w: 10, h: null }))).to.deep.equal({
      w: 'The image has 2000 × 501 pixels; the limit is 1 megapixels.',
    })
    expect(await dataOf(download())).to.have.lengthOf(10 + 'picture 2000x501'.length)
    expect(stage.imaging.scaled()).to.equal(0)
  })

  it('sends a derivative as what its data are, whatever they were declared as', async () => {
    expect((await right(download())).mimetype).to.equal('image/png')
    expect((await right(download({ w: 40, h: null }))).mimetype).to.equal('image/gif')
  })

  it('reads size and format out of the data where the metadata don’t have them', async () => {
    const found = await stage.documents.get('files', 1, id)()
    if (E.isLeft(found) || found.right === null) throw new Error('no file')
    const { image_format: _, ...value } = found.right.value
    await stage.documents.replace('files', 1, { id, version: found.right.version, unique: null, value })()
    expect(await dataOf(download({ w: 40, h: null }))).to.equal(small(40, 30))
  })

  it('tells both sides that were sent for what isn’t an image', async () => {
    uploaded = await upload('text', 'text/plain')
    expect(await faultsOf(download({ w: 10, h: 10 }))).to.have.keys(['w', 'h'])
    expect(await faultsOf(download({ w: null, h: 10 }))).to.have.keys(['h'])
    expect(await dataOf(download())).to.equal('text')
  })

  it('tells why an image can’t be read, and still gives its bytes', async () => {
    uploaded = await upload('no picture')
    expect((await faultsOf(download({ w: 10, h: null })))['w']).to.contain('not an image in a known format')
    expect(await dataOf(download())).to.equal('no picture')
    uploaded = await upload(textOf(picture(40, 30, '')))
    expect(await faultsOf(download({ w: 10, h: null }))).to.deep.equal({ w: 'is no picture' })
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
