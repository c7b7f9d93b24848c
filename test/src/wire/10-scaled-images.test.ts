/** §10 of the decisions and rule 5 of the specification, on every store: downloads within a width and a height. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { expectFaults, expectOk, expectStatus } from '../harness/expect-answer.js'
import { storeAudio, storeFile } from '../harness/library.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { pngOf, pngSize, smallPng, someText } from '../harness/small-files.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

for (const { name, environment } of combinations)
  describe(`§10 scaled images, ${name}`, () => {
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

    it('w and h give a maximum; the proportions stay; never enlarged: then the original bytes', async () => {
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
        const answer = expectOk(await home.reader.get(`${download}?${query}`))
        expect(answer.headers['content-type']).to.equal('image/png')
        expect(pngSize(answer.bytes), query).to.deep.equal({ width, height })
        expect(answer.headers.etag).not.to.equal((await home.reader.get(download)).headers.etag)
      }
      for (const query of ['w=400', 'h=200', 'w=10000&h=10000', 'w=400&h=200', 'w=401'])
        expect(await bytesOf(`${download}?${query}`), query).to.deep.equal(Buffer.from(original))
    })

    it('a scaled image is made once and the same for all, conditional and in ranges like any other', async () => {
      const { download } = await storeFile(home.editor, { data: pngOf(300, 300) })
      const answers = await Promise.all(Array.from({ length: 5 }, () => home.reader.get(`${download}?w=30`)))
      for (const answer of answers) expect(expectOk(answer).bytes).to.deep.equal(answers[0]?.bytes)
      const [{ headers, bytes } = { headers: {}, bytes: Buffer.alloc(0) }] = answers
      expectStatus(await home.reader.get(`${download}?w=30`, { 'If-None-Match': String(headers.etag) }), 304)
      expect(
        expectStatus(await home.reader.get(`${download}?w=30`, { Range: 'bytes=0-7' }), 206).bytes,
      ).to.deep.equal(bytes.subarray(0, 8))
      const head = expectOk(await home.reader.head(`${download}?w=30`))
      expect(head.headers['content-length']).to.equal(String(bytes.length))
    })

    it('on what is no image each of w and h that was sent gets an entry', async () => {
      for (const { download } of [
        await storeAudio(home.editor),
        await storeFile(home.editor, { mimetype: 'text/plain', data: someText }),
      ]) {
        expectFaults(await home.reader.get(`${download}?w=1&h=1`), 'w', 'h')
        expectFaults(await home.reader.get(`${download}?w=1`), 'w')
        expectFaults(await home.reader.get(`${download}?h=1`), 'h')
      }
    })

    it('an image that can’t be decoded, of an unknown format, or of too many pixels is bad_parameters, and downloads whole', async () => {
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
  })
