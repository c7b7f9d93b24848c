/** docs/behaviour/files.md#scaling, on every store: downloads within a width and a height. */
import { randomUUID } from 'node:crypto'
import { tokens } from '@publishing-service/composition-root'
import { imagingFixtures } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import type { Imaging } from '@publishing-service/ports'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { expectError, expectFaults, expectOk, expectStatus, rowsOf } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { storeFile, uploadTo } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { pngOf, pngSize, smallPng } from '../harness/small-files.js'
import {
  combinations,
  moduleProviding,
  startTestService,
  type TestService,
} from '../harness/start-test-service.js'
import { headersOnly } from '../harness/unscaled.js'

/** An AVIF of 60 × 40 pixels. */
const smallAvif =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQ' +
  'AAAAAA+gABAAAAAAAAACMAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSAC' +
  'AAAAABRpc3BlAAAAAAAAADwAAAAoAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAArbWRhdBIACgk4FXudtAQ0GkAyFB/yYoTgABYAAA' +
  'CXvz1e7sERzBOI'

for (const { name, environment } of combinations)
  describe(`scaled images, ${name}`, () => {
    let service: TestService
    let home: Publication
    before(async () => {
      service = await startTestService(environment)
      home = await createPublication(service)
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const bytesOf = async (path: string): Promise<Buffer> => expectOk(await home.reader.get(path)).bytes

    it('scales within w and h, keeps proportions, and returns the original bytes instead of an enlarged image', async () => {
      const original = pngOf(400, 200)
      const { download } = await storeFile(home.editor, { data: original })
      const sizes: Readonly<Record<string, readonly [number, number]>> = {
        'w=100': [100, 50],
        'h=100': [200, 100],
        'w=100&h=10': [20, 10],
        'w=100&h=100': [100, 50],
        'w=399&h=10000': [399, 200],
      }
      for (const [query, [width, height]] of Object.entries(sizes)) {
        const response = expectOk(await home.reader.get(`${download}?${query}`))
        expect(response.headers['content-type']).to.equal('image/png')
        expect(pngSize(response.bytes), query).to.deep.equal({ width, height })
        expect(response.headers.etag).not.to.equal((await home.reader.get(download)).headers.etag)
      }
      for (const query of ['w=400', 'h=200', 'w=10000&h=10000', 'w=400&h=200', 'w=401'])
        expect(await bytesOf(`${download}?${query}`), query).to.deep.equal(Buffer.from(original))
    })

    it('scales an image once and the same for all clients, with conditions and ranges', async () => {
      const { download } = await storeFile(home.editor, { data: pngOf(300, 300) })
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => home.reader.get(`${download}?w=30`)),
      )
      for (const response of responses) expect(expectOk(response).bytes).to.deep.equal(responses[0]?.bytes)
      const [{ headers, bytes } = { headers: {}, bytes: Buffer.alloc(0) }] = responses
      expectStatus(await home.reader.get(`${download}?w=30`, { 'If-None-Match': String(headers.etag) }), 304)
      expect(
        expectStatus(await home.reader.get(`${download}?w=30`, { Range: 'bytes=0-7' }), 206).bytes,
      ).to.deep.equal(bytes.subarray(0, 8))
      const head = expectOk(await home.reader.head(`${download}?w=30`))
      expect(head.headers['content-length']).to.equal(String(bytes.length))
    })

    // docs/behaviour/files.md#not-scalable
    it('returns an image of a type that is never scaled as a download without w and h does', async () => {
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="10"/>')
      for (const mimetype of ['image/heic', 'image/avif', 'image/tiff', 'image/svg+xml']) {
        const { download } = await storeFile(home.editor, { mimetype, data: svg })
        const { headers } = expectOk(await home.reader.get(download))
        const scaled = expectOk(await home.reader.get(`${download}?w=10&h=10`))
        expect(scaled.bytes, mimetype).to.deep.equal(svg)
        for (const header of ['content-type', 'content-disposition', 'cache-control', 'etag'])
          expect(scaled.headers[header], header).to.equal(headers[header])
        expect(scaled.headers['content-security-policy']).to.equal(
          mimetype === 'image/svg+xml' ? 'sandbox' : undefined,
        )
      }
    })

    // docs/images.md#width-and-height
    it('knows the size of an AVIF and an SVG, which pages reserve and offer in no other', async () => {
      for (const [mimetype, data, width, height] of [
        ['image/avif', Buffer.from(smallAvif, 'base64'), 60, 40],
        [
          'image/svg+xml',
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"/>'),
          90,
          30,
        ],
      ] as const) {
        const { id, download } = await storeFile(home.editor, { mimetype, data })
        const size = { width, height }
        expect(expectOk(await home.reader.get(`/files/${id}`)).object, mimetype).to.include(size)
        const urlname = `an-image-${width}`
        const story = {
          content_type: 'article',
          state: 'published',
          title: 'A',
          urlname,
          header_image_uuid: id,
        }
        expectOk(await home.editor.post('/content', story))
        const { header_image: shown } = expectOk(await home.reader.get(`/page?path=/${urlname}/`)).object
        expect(shown, mimetype).to.deep.include({ ...size, srcset: [], placeholder: null })
        expect(await bytesOf(`${download}?w=10&format=auto`)).to.deep.equal(data)
      }
      const { download } = await storeFile(home.editor, { data: Buffer.from(smallAvif, 'base64') })
      expectFaults(await home.reader.get(`${download}?w=10`), 'w')
    })

    it('scales data in a known format that was declared as such a type', async () => {
      const { download } = await storeFile(home.editor, { mimetype: 'image/avif', data: pngOf(300, 200) })
      expect(pngSize(await bytesOf(`${download}?w=30`))).to.deep.equal({ width: 30, height: 20 })
    })

    it('reports an image that cannot be decoded, has an unknown format or too many pixels; downloads it whole', async () => {
      const huge = Buffer.from(pngOf(1, 1))
      huge.writeUInt32BE(20_000, 16)
      huge.writeUInt32BE(20_000, 20)
      const broken = Buffer.from(pngOf(100, 100)).subarray(0, 60)
      for (const [mimetype, data] of [
        ['image/png', broken],
        ['image/png', Buffer.from('no image')],
        ['image/x-nothing', smallPng.subarray(8)],
        ['image/png', huge],
        ['image/jpeg', Buffer.alloc(0)],
      ] as const) {
        const { download } = await storeFile(home.editor, { mimetype, data })
        expectFaults(await home.reader.get(`${download}?w=10&h=10`), 'w', 'h')
        expect(await bytesOf(download)).to.deep.equal(Buffer.from(data))
      }
    })

    it('reports that Jimp does not support a CMYK JPEG, and what to do', async () => {
      const data = imagingFixtures.cmykJpeg
      const { download } = await storeFile(home.editor, { mimetype: 'image/jpeg', data })
      const rejected = expectFaults(await home.reader.get(`${download}?w=10`), 'w')
      expect(JSON.stringify(rejected)).to.include('IMAGING=sharp')
    })

    it('returns the same scaled image from memory and store, and drops it with its data at once', async () => {
      const { id, download } = await storeFile(home.editor, { data: pngOf(300, 200) })
      const scaled = `${download}?w=30`
      const first = expectOk(await home.reader.get(scaled))
      for (const headers of [{}, { 'Cache-Control': 'no-cache' }]) {
        const again = expectOk(await home.reader.get(scaled, headers))
        expect(again.bytes).to.deep.equal(first.bytes)
        expect(again.headers).to.include({
          etag: String(first.headers.etag),
          'content-type': 'image/png',
          'accept-ranges': 'bytes',
          'x-content-type-options': 'nosniff',
          'content-length': String(first.bytes.length),
        })
      }
      const range = expectStatus(await home.reader.get(scaled, { Range: 'bytes=1-3' }), 206)
      expect(range.bytes).to.deep.equal(first.bytes.subarray(1, 4))
      const newer = await uploadTo(home.editor, id, 'image/png', pngOf(300, 100))
      expectStatus(await home.reader.get(scaled), 302)
      expect(pngSize(expectOk(await home.reader.get(`${newer}?w=30`)).bytes)).to.deep.equal({
        width: 30,
        height: 10,
      })
      expectOk(await home.admin.delete(`/files/${id}`))
      expectStatus(await home.reader.get(`${newer}?w=30`), 404)
    })

    // docs/behaviour/files.md#width-and-height
    it('returns width and height of the upright data, read-only, and null for what is no image', async () => {
      const { jpegOf, withExif, exifBlock, quarters, webpOf, gifOf } = imagingFixtures
      const turned = withExif(jpegOf(quarters(60, 40)), exifBlock(6, true))
      for (const [mimetype, data, width, height] of [
        ['image/jpeg', turned, 40, 60],
        ['image/webp', webpOf(50, 30), 50, 30],
        ['image/gif', gifOf(20, 10, [1, 2]), 20, 10],
        // The data decide, not the declared type.
        ['image/gif', pngOf(70, 8), 70, 8],
        ['text/plain', pngOf(70, 8), null, null],
        ['image/png', Buffer.from('no image'), null, null],
        ['image/png', pngOf(400, 400).subarray(0, 40), null, null],
      ] as const) {
        const { id } = await storeFile(home.editor, { mimetype, data })
        const sides = expectOk(await home.reader.get(`/files/${id}`)).object
        expect([sides['width'], sides['height']], mimetype).to.deep.equal([width, height])
        expectOk(await home.editor.patch(`/files/${id}`, { width: 1, height: 1, title: 'Wider' }))
        expect(expectOk(await home.reader.get(`/files/${id}`)).object).to.include({ width, height })
      }
      const empty = randomUUID()
      expectOk(await home.editor.put(`/files/${empty}`, { title: 'x', filename: 'x' }))
      expect(expectOk(await home.reader.get(`/files/${empty}`)).object).to.include({
        width: null,
        height: null,
      })
      const rows = expectOk(await home.reader.get('/files?fields=width-height&rpp=100')).object
      expect(rows['items']).to.deep.include([40, 60])
    })

    it('returns a scaled image in the format of its data, whatever was declared', async () => {
      const { download } = await storeFile(home.editor, { mimetype: 'image/gif', data: pngOf(300, 200) })
      expect(expectOk(await home.reader.get(download)).headers['content-type']).to.equal('image/gif')
      const scaled = expectOk(await home.reader.get(`${download}?w=30`))
      expect(scaled.headers['content-type']).to.equal('image/png')
      expect(pngSize(scaled.bytes)).to.deep.equal({ width: 30, height: 20 })
    })
  })

/** What Chromium sends for an `<img>`. */
const browser = { Accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' }

describe('an image in another format, or cropped', () => {
  const { photograph, withExif, exifBlock, decoded } = imagingFixtures
  let service: TestService
  let home: Publication
  let download: string
  let id: string
  before(async () => {
    service = await startTestService()
    home = await createPublication(service, { public_downloads: true })
    const data = withExif(await photograph('rocket.jpg'), exifBlock(1, true))
    ;({ id, download } = await storeFile(home.editor, { mimetype: 'image/jpeg', data }))
  })
  after(async () => {
    const errors = service.errorsLogged()
    await service.stop()
    expect(errors).to.deep.equal([])
  })

  // docs/behaviour/files.md#formats
  it('has the format that is requested, or that the browser accepts, and varies by that only', async () => {
    const scaled = `${download}?w=160`
    const plain = expectOk(await home.anonymous.get(scaled, browser))
    expect(plain.headers['content-type']).to.equal('image/jpeg')
    expect(plain.headers).not.to.have.property('vary')
    const chosen = expectOk(await home.anonymous.get(`${scaled}&format=auto`, browser))
    expect(chosen.headers).to.include({
      'content-type': 'image/webp',
      vary: 'Accept',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(chosen.bytes.length).to.be.below(plain.bytes.length)
    const named = expectOk(await home.anonymous.get(`${scaled}&format=webp`))
    expect(named.bytes).to.deep.equal(chosen.bytes)
    expect(named.headers).not.to.have.property('vary')
    // The same address, from the same role: no cache of the service confuses them.
    for (let time = 0; time < 2; time += 1)
      for (const [headers, type] of [
        [browser, 'image/webp'],
        [{ Accept: '*/*' }, 'image/jpeg'],
      ] as const) {
        const own = expectOk(await home.reader.get(`${scaled}&format=auto`, headers))
        expect(own.headers).to.include({ 'content-type': type, vary: 'Accept, Authorization' })
      }
  })

  // docs/behaviour/files.md#metadata-of-images
  it('has no location, which the original has', async () => {
    const hasLocation = ({ bytes }: ApiResponse): boolean => bytes.includes('Exif', 0, 'latin1')
    expect(hasLocation(expectOk(await home.anonymous.get(download)))).to.equal(true)
    for (const query of ['w=160', 'format=jpeg', 'format=webp', 'format=png&w=160', 'format=auto', 'q=low'])
      expect(hasLocation(expectOk(await home.anonymous.get(`${download}?${query}`))), query).to.equal(false)
  })

  // docs/behaviour/files.md#cropping
  it('is cropped around the focal point, at an address that changes with it', async () => {
    const square = `${download}?w=80&h=80&fit=cover`
    const centred = expectOk(await home.anonymous.get(square))
    expect(decoded(centred.bytes)).to.include({ width: 80, height: 80 })
    expect(centred.headers['cache-control']).to.equal('public, max-age=60')
    const address = `${square}&focal_point=0.5,0.5`
    const same = expectOk(await home.anonymous.get(address))
    expect(same.bytes).to.deep.equal(centred.bytes)
    expect(same.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
    expectOk(await home.editor.patch(`/files/${id}`, { focal_point: { x: 0, y: 0.5 } }))
    const { headers } = expectStatus(await home.anonymous.get(address), 302)
    expect(headers.location).to.equal(`${home.url}${square}&focal_point=0,0.5`)
    const moved = expectOk(await home.anonymous.get(square))
    expect(moved.bytes).to.not.deep.equal(centred.bytes)
    expect(expectOk(await home.anonymous.get(`${square}&focal_point=0,0.5`)).bytes).to.deep.equal(moved.bytes)
  })

  it('has a placeholder in the object and in rows that ask for it, not in others', async () => {
    const { placeholder } = expectOk(await home.reader.get(`/files/${id}`)).object
    expect(JSON.stringify(placeholder).length).to.be.within(100, 480)
    expect(placeholder)
      .to.have.property('colour')
      .that.matches(/^#[0-9a-f]{6}$/)
    expect(rowsOf(await home.reader.get('/files?fields=uuid-placeholder'))).to.deep.include([id, placeholder])
    expect(JSON.stringify(expectOk(await home.reader.get('/files')).object)).not.to.include('data:')
    expectOk(await home.editor.patch(`/files/${id}`, { placeholder: null, title: 'Another' }))
    expect(expectOk(await home.reader.get(`/files/${id}`)).object['placeholder']).to.deep.equal(placeholder)
  })

  it('reports what is not accepted: unknown values, a crop without both sides, and formats that are not made', async () => {
    const faults = async (query: string, ...names: readonly string[]) =>
      expectFaults(await home.anonymous.get(`${download}?${query}`), ...names)
    await faults('format=heic&fit=crop&q=80', 'format', 'fit', 'q')
    await faults('fit=cover&w=100', 'h')
    await faults('fit=cover&w=100&h=20000&focal_point=2,2', 'h', 'focal_point')
    await faults('format=webp&format=png', 'format')
    expect((await faults('format=avif', 'format'))['format']).to.include('webp')
  })
})

describe('more images than can be scaled', () => {
  // docs/behaviour/files.md#scaling-queue
  it('lets the images of a client over its share wait, and returns 503 with Retry-After to others if the queue is full', async () => {
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const imaging: Imaging = {
      ...headersOnly,
      scale: () => async () => {
        await gate
        return E.right(pngOf(3, 2))
      },
    }
    const service = await startTestService(
      { SCALING_QUEUE: '1' },
      { imaging: moduleProviding(tokens.imaging, imaging) },
    )
    try {
      const home = await createPublication(service)
      const { download } = await storeFile(home.editor, { data: pngOf(90, 60) })
      const pending: Promise<ApiResponse>[] = []
      const firstRejected = new Promise<ApiResponse>((resolve, reject) => {
        for (const api of [home.reader, home.editor])
          for (const w of [10, 20, 30].map((each) => each + pending.length)) {
            const request = api.get(`${download}?w=${w}`)
            pending.push(request)
            request.then((response) => (response.status === 200 ? undefined : resolve(response)), reject)
          }
      })
      const { headers } = expectError(await firstRejected, 503, 'unavailable')
      expect(headers['retry-after']).to.equal('5')
      open()
      const statuses = (await Promise.all(pending)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).to.have.length.at.least(2)
      expect(statuses).not.to.include(429)
      expect(service.errorsLogged()).to.deep.equal([])
    } finally {
      open()
      await service.stop()
    }
  })
})
