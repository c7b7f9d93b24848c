import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { file, notFound } from '@publishing-service/domain'
import { E, pipe, TE } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { type Replaced } from '@publishing-service/domain/files'
import {
  defaultImageLimits,
  type Box,
  type MadeFormat,
  type SentImageRequest,
} from '@publishing-service/domain/images'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { principalWith } from '../access/principals.js'
import { attempt } from '../attempt.js'
import { changeSettings } from '../access/settings.js'
import type { InstanceRequest } from '../operation-request.js'
import type { Outcome } from '../failure.js'
import { removeObject } from '../engine/remove.js'
import { changeObject } from '../engine/write.js'
import { bodyOf, bytesOf, textFrom, textOf } from '../test-support/ascii.js'
import { picture, renderedPicture } from '../test-support/picture-imaging.js'
import { imageOf, plainDownload } from '../test-support/plain-download.js'
import {
  createStage,
  deployment,
  faultsOf,
  left,
  processOver,
  right,
  unavailable,
  type Process,
  type Stage,
} from '../test-support/stage.js'
import { downloadFile, readDefaultThumbnail, type Download } from './download-file.js'
import { uploadFile } from './upload-file.js'

const large = textOf(picture(400, 300))
const small = (width: number, height: number): string => textOf(picture(width, height))

const sidesOf = ({ w, h }: Box): SentImageRequest =>
  imageOf({
    ...(w === null ? {} : { w: String(w) }),
    ...(h === null ? {} : { h: String(h) }),
  })

describe('downloading a file', () => {
  let blobs: BlobStore
  let stage: Stage

  /**
   * Lets running tasks continue until they wait for something that the test blocks: reads run one at a time.
   */
  const settled = async (): Promise<void> => {
    for (let round = 0; round < 5; round += 1) {
      for (let step = 0; step < 200; step += 1) await Promise.resolve()
      await stage.clock.turn()
    }
  }

  let id: string
  let uploaded: number
  beforeEach(async () => {
    blobs = memoryBlobStore()
    stage = await createStage({ blobs })
    id = await stage.create(file, { title: 'A picture', filename: 'p.png' })
    uploaded = await upload(large)
  })

  const upload = async (text: string, contentType = 'image/png'): Promise<number> => {
    const input = { id, contentType, length: undefined, body: bodyOf(text) }
    return Number((await right(stage.run(uploadFile, stage.as('editor'), input)))['upload'])
  }

  /** A request of the reader with this name. */
  const readerNamed = (name: string): InstanceRequest => ({
    ...stage.as('reader'),
    identity: E.right(
      principalWith(
        { id: name, user: name, key: name },
        { operator: false, roles: [{ instance: 1, roles: ['reader'] }] },
      ),
    ),
  })

  const dataIn = (output: Download | Replaced): Download => {
    if ('_tag' in output) throw new Error('replaced')
    return output
  }

  const download = (
    box: Box | null = null,
    { execute }: Pick<Process, 'execute'> = stage.useCases,
    request: InstanceRequest = stage.as('reader'),
  ): Outcome<Download> =>
    pipe(
      execute(
        downloadFile,
        request,
        TE.right({
          fileId: id,
          upload: String(uploaded),
          image: sidesOf(box ?? { w: null, h: null }),
          accepted: [],
        }),
      ),
      TE.map(({ output }) => dataIn(output)),
    )

  const dataOf = async (outcome: Outcome<Download>): Promise<string> => {
    const { read, bytes } = await right(outcome)
    const text = await textFrom(await read())
    expect(text).to.have.lengthOf(bytes)
    return text
  }

  it('returns the bytes, their type and name, and a tag that only equal bytes have', async () => {
    const first = await right(download())
    expect(first).to.include({ mimetype: 'image/png', filename: 'p.png', bytes: large.length })
    expect(await dataOf(download())).to.equal(large)
    uploaded = await upload('other')
    expect((await right(download())).tag).not.to.equal(first.tag)
    uploaded = await upload(large)
    expect((await right(download())).tag).to.equal(first.tag)
  })

  it('fails like the store if it fails during the read of an image to scale', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytesOf(large.slice(0, 5))
      throw unavailable
    }
    const useCases = stage.anotherProcess({
      blobs: { ...blobs, read: () => TE.right({ bytes: large.length, chunks: broken() }) },
    })
    expect(await left(download({ w: 100, h: null }, useCases))).to.deep.equal(unavailable)
  })

  it('returns a range of the bytes', async () => {
    const { read } = await right(download())
    expect(await textFrom(await read({ start: 2, end: 5 }))).to.equal(large.slice(2, 6))
  })

  it('finds nothing for a file without data, an unknown file, another instance or an outdated number', async () => {
    const empty = await stage.create(file, { title: 'Empty', filename: 'e' })
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    const input = { fileId: id, upload: String(uploaded), ...plainDownload }
    for (const [instance, wrong] of [
      [1, { fileId: empty }],
      [1, { fileId: 'none' }],
      [2, {}],
    ] as const) {
      const missing = stage.run(downloadFile, stage.as('reader', instance), { ...input, ...wrong })
      expect(await left(missing)).to.deep.equal(notFound)
    }
    const outdated = await left(
      stage.run(downloadFile, stage.as('reader'), { ...input, upload: String(uploaded - 1) }),
    )
    expect(outdated).to.have.property('_tag', 'NotFound')
    expect(outdated).to.have.property('hint').that.includes('metadata')
  })

  it('scales an image down to fit the box; the scaled image has a separate tag', async () => {
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

  it('sends an image in a format that imaging does not scale untouched', async () => {
    const header = [0x42, 0x4d, ...Array<number>(8).fill(0), 54, 0, 0, 0, 40, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0]
    const bmp = textOf(Uint8Array.from([...header, 1, 0, 24, 0, ...Array<number>(48).fill(0)]))
    uploaded = await upload(bmp, 'image/bmp')
    expect(await dataOf(download({ w: 2, h: null }))).to.equal(bmp)
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
    expect(await storedNames()).to.deep.equal(['40x30-test-1', 'original'])
    expect(await dataOf(download(box, stage.anotherProcess()))).to.equal(small(40, 30))
    expect(stage.imaging.scaled()).to.equal(2)
  })

  it('sends a derivative that can’t be stored, logs it, and makes it again', async () => {
    let failing = true
    const sick: BlobStore = {
      ...blobs,
      write: (...call) => (failing ? TE.left(unavailable) : blobs.write(...call)),
    }
    const useCases = stage.anotherProcess({ blobs: sick })
    const box = { w: 40, h: null }
    expect(await dataOf(download(box, useCases))).to.equal(small(40, 30))
    await settled()
    expect(stage.log.entries().map(({ event }) => event)).to.include('scaled image not stored')
    failing = false
    expect(await dataOf(download(box, useCases))).to.equal(small(40, 30))
    expect(stage.imaging.scaled()).to.equal(2)
  })

  it('a derivative that failed is made for the next request', async () => {
    let failing = true
    const sick: BlobStore = {
      ...blobs,
      read: (...call) => (failing ? TE.left(unavailable) : blobs.read(...call)),
    }
    const useCases = stage.anotherProcess({ blobs: sick })
    const box = { w: 40, h: null }
    const together = await Promise.all([left(download(box, useCases)), left(download(box, useCases))])
    expect(together).to.deep.equal([unavailable, unavailable])
    failing = false
    expect(await dataOf(download(box, useCases))).to.equal(small(40, 30))
  })

  const storedNames = async (): Promise<readonly string[]> => {
    await settled()
    const names: string[] = []
    for await (const { key } of blobs.list('')) names.push(key.split('/').at(-1) ?? '')
    return names.toSorted()
  }

  it('stores a limited number of scaled images, and deletes the least recently used', async () => {
    const dated: BlobStore = {
      ...blobs,
      // The memory store dates blobs by the system's clock.
      list: async function* (path) {
        for await (const entry of blobs.list(path)) yield { ...entry, written: 0 }
      },
    }
    const useCases = stage.anotherProcess({ blobs: dated })
    const downloadAt = async (w: number): Promise<void> => {
      stage.clock.advance(1000)
      await dataOf(download({ w, h: null }, useCases))
      await settled()
    }
    for (const w of [40, 80, 120]) await downloadAt(w)
    expect(await storedNames()).to.deep.equal(['120x90-test-1', '40x30-test-1', '80x60-test-1', 'original'])
    await downloadAt(40)
    await downloadAt(160)
    expect(await storedNames()).to.deep.equal(['120x90-test-1', '160x120-test-1', '40x30-test-1', 'original'])
    for (let w = 1; w <= 60; w += 1) await downloadAt(w)
    expect(await storedNames()).to.have.lengthOf(4)
    await downloadAt(40)
    expect(await dataOf(download({ w: 40, h: null }, useCases))).to.equal(small(40, 30))
  })

  it('creates a scaled image again that was deleted between two reads', async () => {
    const { read } = await right(download({ w: 40, h: null }))
    await settled()
    const again = await right(download({ w: 40, h: null }))
    await right(
      pipe(
        blobs.remove((await keyOf('40x30-test-1')) ?? ''),
        TE.mapLeft(() => notFound),
      ),
    )
    expect(await textFrom(await again.read({ start: 0, end: 5 }))).to.equal('GIF89a')
    expect(await textFrom(await read())).to.equal(small(40, 30))
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
    await right(stage.run(removeObject(file), stage.as('admin'), { id }))
    release()
    expect(await running).to.equal(small(40, 30))
    expect(await storedNames()).to.deep.equal([])
  })

  it('scales one at a time, lets a client over its share wait, and rejects others if the queue is full', async () => {
    const release = stage.imaging.hold()
    const requests = [
      ['one', 40],
      ['one', 80],
      ['one', 120],
      ['two', 160],
      ['two', 190],
      ['three', 200],
    ] as const
    const running = requests.map(([name, w]) => download({ w, h: null }, stage.useCases, readerNamed(name))())
    await settled()
    expect(stage.imaging.scaled()).to.equal(1)
    release()
    const answers = await Promise.all(running)
    const failures = answers.map((answer) => (E.isLeft(answer) ? answer.left : null))
    const full = { _tag: 'Unavailable', retryAfter: 5 }
    expect(failures).to.deep.equal([null, null, null, null, null, full])
    expect(stage.log.entries().filter(({ level }) => level === 'error')).to.deep.equal([])
    expect(await dataOf(download({ w: 200, h: null }))).to.equal(small(200, 150))
  })

  it('serves another client after one job, however many sizes one client requests on 80 connections', async () => {
    const { imaging } = stage
    const useCases = processOver(stage, { ...deployment, imageLimits: defaultImageLimits })
    const release = imaging.hold()
    const greedy = Array.from({ length: 80 }, (_, index) => download({ w: index + 1, h: null }, useCases)())
    await settled()
    let jobs = 0
    const other = download({ w: 200, h: null }, useCases, readerNamed('other'))().then((answer) => {
      jobs = imaging.scaled()
      return answer
    })
    await settled()
    release()
    expect(await other).to.have.property('_tag', 'Right')
    expect(jobs).to.be.at.most(3)
    expect((await Promise.all(greedy)).every(E.isRight)).to.equal(true)
  })

  it('serves another client that wants the last size of a greedy one before the rest of these, with one job for both', async () => {
    const { imaging } = stage
    const useCases = processOver(stage, { ...deployment, imageLimits: defaultImageLimits })
    const release = imaging.hold()
    const widths = Array.from({ length: 17 }, (_, index) => index + 1)
    const greedy = widths.map((w) => download({ w, h: null }, useCases)())
    await settled()
    let jobs = 0
    const other = download({ w: 17, h: null }, useCases, readerNamed('other'))().then((answer) => {
      jobs = imaging.scaled()
      return answer
    })
    await settled()
    release()
    expect(await other).to.have.property('_tag', 'Right')
    expect(jobs).to.be.at.most(3)
    expect((await Promise.all(greedy)).every(E.isRight)).to.equal(true)
    expect(imaging.scaled()).to.equal(17)
  })

  it('sends a stored scaled image while the queue is full', async () => {
    await right(download({ w: 40, h: null }))
    await settled()
    const release = stage.imaging.hold()
    const waiting = ['one', 'two', 'three'].map((name, index) =>
      download({ w: 100 + index, h: null }, stage.useCases, readerNamed(name))(),
    )
    await settled()
    expect(await left(download({ w: 200, h: null }))).to.have.property('_tag', 'Unavailable')
    expect(await dataOf(download({ w: 40, h: null }))).to.equal(small(40, 30))
    release()
    await Promise.all(waiting)
  })

  it('rounds the box of a client without a token up, and never enlarges', async () => {
    await right(stage.run(changeSettings, stage.as('admin'), { body: { public_downloads: true } }))
    const anonymous = { ...stage.as('reader'), identity: null }
    const sizes: readonly (readonly [Box, string])[] = [
      [{ w: 41, h: null }, small(80, 60)],
      [{ w: 80, h: null }, small(80, 60)],
      [{ w: null, h: 50 }, small(107, 80)],
      [{ w: 200, h: 70 }, small(107, 80)],
      [{ w: 399, h: 299 }, large],
    ]
    for (const [box, expected] of sizes)
      expect(await dataOf(download(box, stage.useCases, anonymous))).to.equal(expected)
    for (let w = 1; w < 400; w += 1) await dataOf(download({ w, h: null }, stage.useCases, anonymous))
    // 40, 80, 120, 160, 240 and 320 pixels wide, and the one that is 80 high.
    expect(stage.imaging.scaled()).to.equal(7)
    expect(await dataOf(download({ w: 41, h: null }))).to.equal(small(41, 31))
  })

  it('rejects requests that have waited too long when they are next', async () => {
    const release = stage.imaging.hold()
    const running = [40, 80].map((w) => download({ w, h: null })())
    await settled()
    stage.clock.advance(60_001)
    release()
    const [first, second] = await Promise.all(running)
    expect(first).to.have.property('_tag', 'Right')
    expect(second).to.deep.equal(E.left({ _tag: 'Unavailable', retryAfter: 5 }))
    expect(stage.imaging.scaled()).to.equal(1)
  })

  it('reports the limit of pixels, and still returns the bytes of a larger image', async () => {
    uploaded = await upload(textOf(picture(2000, 501)))
    expect(await faultsOf(download({ w: 10, h: null }))).to.deep.equal({
      w: 'The image has 2000 × 501 pixels; the limit is 1 megapixels.',
    })
    expect(await dataOf(download())).to.have.lengthOf(10 + 'picture 2000x501'.length)
    expect(stage.imaging.scaled()).to.equal(0)
  })

  it('sends a scaled image with the type of its data, not the declared type', async () => {
    expect((await right(download())).mimetype).to.equal('image/png')
    expect((await right(download({ w: 40, h: null }))).mimetype).to.equal('image/gif')
  })

  it('reads size and format out of the data if the metadata don’t have them', async () => {
    const found = await stage.documents.get('files', 1, id)()
    if (E.isLeft(found) || found.right === null) throw new Error('no file')
    const { image_format: _, ...value } = found.right.value
    await stage.documents.replace('files', 1, { id, version: found.right.version, unique: null, value })()
    expect(await dataOf(download({ w: 40, h: null }))).to.equal(small(40, 30))
  })

  it('reports both sides that were sent for what isn’t an image', async () => {
    uploaded = await upload('text', 'text/plain')
    expect(await faultsOf(download({ w: 10, h: 10 }))).to.have.keys(['w', 'h'])
    expect(await faultsOf(download({ w: null, h: 10 }))).to.have.keys(['h'])
    expect(await dataOf(download())).to.equal('text')
  })

  it('reports why an image cannot be read, and still returns its bytes', async () => {
    uploaded = await upload('no picture')
    expect((await faultsOf(download({ w: 10, h: null })))['w']).to.contain('not an image in a known format')
    expect(await dataOf(download())).to.equal('no picture')
    uploaded = await upload(textOf(picture(40, 30, '')))
    expect(await faultsOf(download({ w: 10, h: null }))).to.deep.equal({ w: 'is no picture' })
  })

  it('reports an outdated address if the data was replaced or deleted, and fails with its stores', async () => {
    const { read } = await right(download())
    uploaded = await upload(large)
    expect(await left(() => attempt(() => read()))).to.have.property('hint')
    const again = await right(download())
    await right(stage.run(removeObject(file), stage.as('admin'), { id }))
    expect(await left(() => attempt(() => again.read()))).to.have.property('hint')
    expect(stage.log.entries()).to.deep.equal([])
    id = await stage.create(file, { title: 'A picture', filename: 'p.png' })
    uploaded = await upload(large)
    const useCases = stage.anotherProcess({
      blobs: { ...blobs, read: () => TE.left(unavailable), size: () => TE.left(unavailable) },
    })
    expect(await left(download({ w: 10, h: null }, useCases))).to.deep.equal(unavailable)
    const unread = await right(download(null, useCases))
    expect(await left(() => attempt(() => unread.read()))).to.deep.equal(unavailable)
  })

  // docs/behaviour/files.md#formats, docs/behaviour/files.md#cropping
  describe('as another image', () => {
    const requested = (
      parameters: Partial<SentImageRequest>,
      accepted: readonly MadeFormat[] = [],
      request: InstanceRequest = stage.as('reader'),
    ): Outcome<Download | Replaced> =>
      stage.run(downloadFile, request, {
        fileId: id,
        upload: String(uploaded),
        image: imageOf(parameters),
        accepted,
      })
    const rendered = async (
      parameters: Partial<SentImageRequest>,
      accepted: readonly MadeFormat[] = [],
    ): Promise<Download & { readonly text: string }> => {
      const found = dataIn(await right(requested(parameters, accepted)))
      return { ...found, text: await textFrom(await found.read()) }
    }
    const change = (body: JsonObject): Promise<unknown> =>
      right(stage.run(changeObject(file), stage.as('editor'), { id, body }))

    it('has the format that is requested, or that the client names, and a tag of its own', async () => {
      const webp = textOf(
        renderedPicture({
          size: { width: 40, height: 30 },
          region: null,
          format: 'image/webp',
          quality: 'high',
        }),
      )
      const named = await rendered({ w: '40', format: 'webp' })
      expect(named).to.include({ mimetype: 'image/webp', filename: 'p.webp', text: webp })
      expect(named.dependsOn).to.deep.equal({ accept: false, focalPoint: false })
      const chosen = await rendered({ w: '40', format: 'auto' }, ['image/avif', 'image/webp'])
      expect(chosen).to.include({ mimetype: 'image/webp', text: webp, tag: named.tag })
      expect(chosen.dependsOn).to.deep.equal({ accept: true, focalPoint: false })
      expect(await rendered({ w: '40', format: 'auto' })).to.have.property('mimetype', 'image/png')
      const tags = [named, await rendered({ w: '40' }), await rendered({ w: '40', format: 'webp', q: 'low' })]
      expect(new Set(tags.map(({ tag }) => tag)).size).to.equal(3)
    })

    it('is lossy without modern formats if it is known to be opaque', async () => {
      uploaded = await upload(textOf(picture(400, 300, 'x'.repeat(5000))))
      expect(await rendered({ w: '40', format: 'auto' })).to.have.property('mimetype', 'image/jpeg')
    })

    it('is cropped around the focal point of the file, and a changed one is another image', async () => {
      const square = { w: '30', h: '30', fit: 'cover' }
      const before = await rendered(square)
      expect(before.text).to.match(/at 50 0$/)
      expect(before.dependsOn).to.deep.equal({ accept: false, focalPoint: true })
      const scaled = (await rendered({ w: '40' })).tag
      await change({ focal_point: { x: 0.9, y: 0.5 } })
      const after = await rendered(square)
      expect(after.text).to.match(/at 100 0$/)
      expect(after.tag).to.not.equal(before.tag)
      expect((await rendered({ w: '40' })).tag).to.equal(scaled)
      const named = await rendered({ ...square, focal_point: '0.9,0.5' })
      expect(named).to.include({ tag: after.tag })
      expect(named.dependsOn).to.have.property('focalPoint', false)
    })

    it('is elsewhere if the address has a focal point that the file does not have', async () => {
      const square = { w: '30', h: '30', fit: 'cover', format: 'webp' }
      const centred = await rendered({ ...square, focal_point: '0.50,0.5' })
      expect(centred.text).to.match(/at 50 0$/)
      await change({ focal_point: { x: 1, y: 0 } })
      const redirected = await right(requested({ ...square, focal_point: '0.5,0.5' }))
      expect(redirected).to.deep.equal({
        _tag: 'Replaced',
        upload: uploaded,
        image: { w: 30, h: 30, fit: 'cover', focal_point: { x: 1, y: 0 }, format: 'webp', q: null },
      })
    })

    it('has rounded proportions in a request without a token', async () => {
      await right(stage.run(changeSettings, stage.as('admin'), { body: { public_downloads: true } }))
      const anonymous = { ...stage.as('reader'), identity: null }
      const found = dataIn(await right(requested({ w: '30', h: '21', fit: 'cover' }, [], anonymous)))
      expect(await textFrom(await found.read())).to.include('picture 40x27')
    })

    it('reports a format that is not made, and parameters of what is not scaled', async () => {
      expect(await faultsOf(requested({ format: 'avif' }))).to.have.keys(['format'])
      expect(await faultsOf(requested({ w: '1', h: 'x', fit: 'cover', q: '1' }))).to.have.keys(['h', 'q'])
      uploaded = await upload('text', 'text/plain')
      expect(await faultsOf(requested({ w: '1', format: 'auto' }))).to.have.keys(['w', 'format'])
      uploaded = await upload('<svg/>', 'image/svg+xml')
      expect(await faultsOf(requested({ w: '1', format: 'webp' }))).to.have.keys(['format'])
      const svg = await rendered({ w: '1', format: 'auto', q: 'low' })
      expect(svg).to.include({ mimetype: 'image/svg+xml', text: '<svg/>' })
      expect(stage.imaging.scaled()).to.equal(0)
    })
  })

  it('finds the default pictures of media by their kind', async () => {
    const read = (kind: string) => stage.run(readDefaultThumbnail, stage.as('reader'), { kind })
    expect(await right(read('video'))).to.equal('video')
    expect(await left(read('videos'))).to.deep.equal(notFound)
  })

  describe('whose data the store has damaged', () => {
    const longText = 'x'.repeat(300_000)
    const originalKey = async (): Promise<string> => (await keyOf('original')) ?? ''
    const overwrite = async (key: string, text: string): Promise<void> => {
      await right(blobs.write(key, bodyOf(text), 1_000_000))
    }
    const textOfBlob = async (key: string): Promise<string> => textFrom((await right(blobs.read(key))).chunks)
    const flipped = (text: string, at: number): string =>
      `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`
    const damaging = async (key: string, change: (text: string) => string): Promise<void> =>
      overwrite(key, change(await textOfBlob(key)))
    const internal = { _tag: 'InternalError' }
    /** The bytes before the failure, and the failure. */
    const reading = async (chunks: AsyncIterable<Uint8Array>) => {
      let text = ''
      try {
        for await (const chunk of chunks) text += textOf(chunk)
      } catch (error) {
        return { text, error }
      }
      return { text, error: null }
    }
    const errorsLogged = () =>
      stage.log.entries().filter(({ event, level }) => level === 'error' && event === 'file data damaged')

    for (const [title, change] of [
      ['is shorter', (text: string) => text.slice(0, -1)],
      ['is empty', () => ''],
      ['is longer', (text: string) => `${text}.`],
    ] as const)
      it(`fails before anything is sent, without and with a range, and is logged: ${title}`, async () => {
        await damaging(await originalKey(), change)
        const { read } = await right(download())
        expect(await left(() => attempt(() => read()))).to.deep.equal(internal)
        expect(await left(() => attempt(() => read({ start: 0, end: 1 })))).to.deep.equal(internal)
        expect(await left(download({ w: 40, h: null }))).to.deep.equal(internal)
        expect(errorsLogged()).to.have.lengthOf(3)
        expect(errorsLogged()[0]?.fields).to.include({ instance: 1, file: id })
      })

    it('fails if it is missing', async () => {
      await right(blobs.remove(await originalKey()))
      const { read } = await right(download())
      expect(await left(() => attempt(() => read()))).to.deep.equal(internal)
      expect(errorsLogged()).to.have.lengthOf(1)
    })

    it('fails before anything is sent if a bit of small data is flipped, and creates no scaled image', async () => {
      await damaging(await originalKey(), (text) => flipped(text, 12))
      const { read } = await right(download())
      expect(await left(() => attempt(() => read()))).to.deep.equal(internal)
      expect(await left(download({ w: 40, h: null }))).to.deep.equal(internal)
      expect(stage.imaging.scaled()).to.equal(0)
      expect(errorsLogged()).to.have.lengthOf(2)
    })

    it('never sends the last chunk of large data in which a bit is flipped', async () => {
      uploaded = await upload(longText, 'text/plain')
      for (const at of [0, 150_000, 299_999]) {
        await damaging(await originalKey(), () => flipped(longText, at))
        const { text, error } = await reading(await (await right(download())).read())
        expect(error).to.deep.equal(internal)
        expect(text.length).to.be.within(1, longText.length - 1)
      }
      expect(errorsLogged()).to.have.lengthOf(3)
      await overwrite(await originalKey(), longText)
      expect(await dataOf(download())).to.equal(longText)
    })

    it('fails if the chunks end too early, by range too', async () => {
      uploaded = await upload(longText, 'text/plain')
      const short: BlobStore = {
        ...blobs,
        read: (key, range) =>
          pipe(
            blobs.read(key, range),
            TE.map(({ bytes, chunks }) => ({
              bytes,
              chunks: (async function* () {
                let count = 0
                for await (const chunk of chunks) if ((count += 1) < 3) yield chunk
              })(),
            })),
          ),
      }
      const { read } = await right(download(null, stage.anotherProcess({ blobs: short })))
      expect((await reading(await read())).error).to.deep.equal(internal)
      const ranged = await reading(await read({ start: 10, end: 299_990 }))
      expect(ranged.error).to.have.property('_tag', 'PortFailure')
    })

    describe('but that of a scaled image', () => {
      const box = { w: 40, h: null }
      const key = async (): Promise<string> => (await keyOf('40x30-test-1')) ?? ''
      beforeEach(async () => {
        await dataOf(download(box))
        await settled()
      })

      for (const [title, change] of [
        ['is cut short', (text: string) => text.slice(0, -1)],
        ['is empty', () => ''],
        ['is longer', (text: string) => `${text}.`],
        ['has no line in front', (text: string) => text.slice(text.indexOf('\n') + 1)],
        ['has a wrong line', (text: string) => flipped(text, 20)],
        ['has a flipped bit', (text: string) => flipped(text, text.length - 1)],
      ] as const)
        it(`is made again: ${title}`, async () => {
          const whole = await textOfBlob(await key())
          await damaging(await key(), change)
          expect(await dataOf(download(box))).to.equal(small(40, 30))
          expect(stage.imaging.scaled()).to.equal(2)
          await settled()
          expect(await textOfBlob(await key())).to.equal(whole)
          expect(await dataOf(download(box, stage.anotherProcess()))).to.equal(small(40, 30))
          expect(stage.imaging.scaled()).to.equal(2)
        })

      it('is removed if it is found out only once it is being sent', async () => {
        const slow: BlobStore = {
          ...blobs,
          read: (at, range) =>
            pipe(
              blobs.read(at, range),
              TE.map(({ bytes, chunks }) => ({
                bytes,
                chunks: (async function* () {
                  for await (const chunk of chunks) for (const byte of chunk) yield Uint8Array.of(byte)
                })(),
              })),
            ),
        }
        await damaging(await key(), (text) => flipped(text, text.length - 1))
        const useCases = stage.anotherProcess({ blobs: slow })
        const { text, error } = await reading(await (await right(download(box, useCases))).read())
        expect(error).to.deep.equal(internal)
        expect(text).to.have.lengthOf(small(40, 30).length - 1)
        await settled()
        expect(await dataOf(download(box, useCases))).to.equal(small(40, 30))
      })

      it('returns ranges of its bytes', async () => {
        const { read } = await right(download(box))
        expect(await textFrom(await read({ start: 2, end: 5 }))).to.equal(small(40, 30).slice(2, 6))
      })
    })
  })
})
