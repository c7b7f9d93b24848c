/** docs/behaviour/files.md, on every store: metadata, upload, download, scaled images. */
import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { pathBelow, storeFile, storeImage, uploadTo } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { smallPng, someText } from '../harness/small-files.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

const limits = {
  IMAGE_LIMIT: '1000000',
  AUDIO_LIMIT: '2000',
  VIDEO_LIMIT: '3000',
  APPLICATION_LIMIT: '4000',
  OTHER_LIMIT: '1000',
} as const

for (const { name, environment } of combinations)
  describe(`files, ${name}`, () => {
    let service: TestService
    let home: Publication
    before(async () => {
      service = await startTestService({ ...environment, ...limits })
    })
    beforeEach(async () => {
      home = await createPublication(service)
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const read = async (id: string) =>
      expectOk(await home.reader.get(`/files/${id}`, { 'Cache-Control': 'no-cache' })).object
    const bytesOf = async (path: string): Promise<Buffer> => expectOk(await home.reader.get(path)).bytes
    const post = (
      id: string,
      body: Uint8Array,
      headers: Readonly<Record<string, string>> = {},
      chunked = false,
    ) => home.editor.send('POST', `/files/${id}`, { body, headers, chunked })

    // docs/behaviour/files.md#metadata
    it('creates only the metadata by PUT, with title and filename required, and without those of the data', async () => {
      const id = randomUUID()
      expectFaults(await home.editor.put(`/files/${id}`, {}), 'title', 'filename')
      const sent = {
        title: 'T',
        filename: 'ü.png',
        description: 'D',
        credits: 'C',
        focal_point: { x: 0.25, y: 1 },
        created: '2001-01-01T00:00:00',
        modified: '2002-02-02T00:00:00',
      }
      expect(expectOk(await home.editor.put(`/files/${id}`, sent)).body).to.deep.equal({
        uuid: id,
        url: `${home.url}/files/${id}`,
      })
      const { created_by: creator, ...object } = await read(id)
      expect(creator).to.be.a('string')
      expect(object).to.deep.equal({
        ...sent,
        placeholder: null,
        uuid: id,
        url: `${home.url}/files/${id}`,
        width: null,
        height: null,
      })
      expectError(await home.reader.get(`/files/${id}/download/1`), 404, 'not_found')
    })

    // docs/behaviour/files.md#delete
    it('keeps the data on PATCH and PUT, and deletes it on DELETE', async () => {
      const { id, download } = await storeImage(home.editor)
      const before_ = await read(id)
      expectOk(
        await home.editor.patch(`/files/${id}`, {
          credits: 'C',
          mimetype: 'text/html',
          byte_size: 1,
          download_url: 'x',
        }),
      )
      expect(await read(id)).to.include({
        credits: 'C',
        mimetype: 'image/png',
        byte_size: smallPng.length,
        download_url: before_['download_url'],
      })
      expectOk(await home.editor.put(`/files/${id}`, { title: 'U', filename: 'u' }))
      expect(await read(id)).to.include({ title: 'U', credits: null, byte_size: smallPng.length })
      expect(await bytesOf(download)).to.deep.equal(Buffer.from(smallPng))
      expect(expectOk(await home.editor.delete(`/files/${id}`)).body).to.deep.equal({ msg: 'deleted' })
      for (const path of [`/files/${id}`, download])
        expectError(await home.reader.get(path), 404, 'not_found')
    })

    // docs/behaviour/files.md#upload
    it('stores the data of a POST with its Content-Type, and returns download_url, url, uuid', async () => {
      const id = uuidOf(await home.editor.post('/files', { title: 'x', filename: 'x' }))
      const response = expectOk(await post(id, smallPng, { 'Content-Type': 'image/png' }))
      expect(response.object).to.have.all.keys('download_url', 'url', 'uuid')
      expect(response.object['download_url']).to.match(new RegExp(`^${home.url}/files/${id}/download/\\d+$`))
      const file = await read(id)
      expect(file).to.include({
        mimetype: 'image/png',
        byte_size: smallPng.length,
        width: 40,
        height: 30,
        download_url: response.object['download_url'] ?? '',
      })
    })

    it('returns 404 for data whose metadata do not exist', async () => {
      const response = expectError(
        await post(randomUUID(), smallPng, { 'Content-Type': 'image/png' }),
        404,
        'not_found',
      )
      expect(response.object['error_description']).to.match(/PUT/)
    })

    // docs/behaviour/files.md#mime-type
    it('rejects multipart forms, wildcards and parts of the data, says what to send, and keeps the data', async () => {
      const { id, download } = await storeFile(home.editor, { mimetype: 'text/plain', data: someText })
      const upload = (headers: Readonly<Record<string, string>>) =>
        home.editor.send('POST', `/files/${id}`, { body: 'part', headers })
      for (const type of ['multipart/form-data; boundary=x', '*/*', 'image/*'])
        expect(
          expectError(await upload({ 'Content-Type': type }), 415, 'unsupported_media_type').text,
        ).to.match(/the bytes of the file alone, declared with its type such as image\/png/)
      const part = await upload({ 'Content-Type': 'text/plain', 'Content-Range': 'bytes 0-3/10' })
      expect(expectError(part, 400, 'bad_request').text).to.match(/sent whole/)
      expect(expectOk(await home.reader.get(download)).bytes).to.deep.equal(someText)
    })

    // docs/behaviour/files.md#mime-type
    it('accepts any MIME type, stores an invalid one as unknown/unknown, takes a missing one from the file name, and drops parameters except the charset of a text', async () => {
      const types: Readonly<Record<string, string>> = {
        'text/plain; charset=utf-8': 'text/plain',
        'APPLICATION/PDF': 'application/pdf',
        'image/jpg': 'image/jpeg',
        x: 'unknown/unknown',
        'application/json': 'application/json',
        'font/woff2': 'font/woff2',
        'a/b/c': 'unknown/unknown',
      }
      for (const [declared, stored] of Object.entries(types)) {
        const { id, download } = await storeFile(home.editor, { mimetype: declared, data: someText })
        expect((await read(id))['mimetype'], declared).to.equal(stored)
        const response = expectOk(await home.reader.get(download))
        expect(response.headers['content-type']).to.equal(
          declared === 'text/plain; charset=utf-8' ? declared : stored,
        )
        expect(response.bytes).to.deep.equal(Buffer.from(someText))
      }
      for (const [filename, stored] of Object.entries({ x: 'unknown/unknown', 'x.png': 'image/png' })) {
        const id = uuidOf(await home.editor.post('/files', { title: 'x', filename }))
        expectOk(await post(id, someText))
        expect((await read(id))['mimetype']).to.equal(stored)
      }
    })

    it('accepts an empty file', async () => {
      for (const chunked of [false, true]) {
        const id = uuidOf(await home.editor.post('/files', { title: 'x', filename: 'x' }))
        expectOk(await post(id, Buffer.alloc(0), { 'Content-Type': 'text/plain' }, chunked))
        const { download_url: url, byte_size: size } = await read(id)
        expect(size).to.equal(0)
        expect(await bytesOf(pathBelow(url))).to.have.lengthOf(0)
      }
    })

    // docs/behaviour/files.md#upload-limits
    it('returns 413 beyond the limit of the MIME group, declared or chunked, and stores nothing', async () => {
      const groups = {
        'image/x-raw': 1_000_000,
        'audio/mpeg': 2000,
        'video/mp4': 3000,
        'application/zip': 4000,
        'text/plain': 1000,
        'font/woff': 1000,
        x: 1000,
      }
      for (const [type, limit] of Object.entries(groups))
        for (const chunked of [false, true]) {
          const id = uuidOf(await home.editor.post('/files', { title: 'x', filename: 'x' }))
          expectError(
            await post(id, Buffer.alloc(limit + 1), { 'Content-Type': type }, chunked),
            413,
            'too_large',
          )
          expect(await read(id)).not.to.have.any.keys('byte_size', 'download_url')
          expectOk(await post(id, Buffer.alloc(limit), { 'Content-Type': type }, chunked))
          expectError(
            await post(id, Buffer.alloc(limit + 1), { 'Content-Type': type }, chunked),
            413,
            'too_large',
          )
          expect(await read(id)).to.include({ byte_size: limit })
        }
    })

    // docs/behaviour/files.md#download-address
    it('changes the download URL with each upload; returns 404 for a number of no upload', async () => {
      const { id, download } = await storeFile(home.editor, {
        mimetype: 'text/plain',
        data: Buffer.from('old'),
      })
      const next = await uploadTo(home.editor, id, 'text/plain', Buffer.from('new'))
      expect(next).not.to.equal(download)
      expect(next).to.match(/\/download\/\d+$/)
      expect((await bytesOf(next)).toString()).to.equal('new')
      for (const wrong of ['x', '-1', '1.5', '0', '1e3', '99999999999999999999'])
        expectError(await home.reader.get(`/files/${id}/download/${wrong}`), 404, 'not_found')
    })

    // docs/behaviour/files.md#replacement
    it('serves the old data until the new data is complete, also when it never is', async () => {
      const { id, download } = await storeFile(home.editor, {
        mimetype: 'text/plain',
        data: Buffer.from('old'),
      })
      const { hostname, port, pathname } = new URL(`${home.url}/files/${id}`)
      const outgoing = request({
        hostname,
        port,
        method: 'POST',
        path: pathname,
        headers: {
          Authorization: `Bearer ${home.editor.token ?? ''}`,
          'Content-Type': 'text/plain',
          'Transfer-Encoding': 'chunked',
        },
      })
      const broken = new Promise((resolve) => outgoing.once('error', resolve))
      await new Promise((resolve) => outgoing.write('half of the ', resolve))
      expect((await bytesOf(download)).toString()).to.equal('old')
      outgoing.destroy()
      await broken
      expect((await bytesOf(download)).toString()).to.equal('old')
      expect(await read(id)).to.include({ byte_size: 3 })
    })

    // docs/behaviour/files.md#download-headers
    it('sends filename, nosniff, immutable and a validator of the data; sandbox and attachment for all but passive media', async () => {
      const data = randomBytes(900)
      const { download } = await storeFile(home.editor, {
        filename: 'Grüße "1".txt',
        mimetype: 'text/plain',
        data,
      })
      const { headers, bytes } = expectOk(await home.reader.get(download))
      expect(bytes).to.deep.equal(data)
      expect(headers['content-disposition'])
        .to.match(/filename="Gr\?\?e \\"1\\"\.txt"|filename="Gr.*"/)
        .and.include("filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.txt")
      expect(headers['x-content-type-options']).to.equal('nosniff')
      expect(headers['cache-control']).to.equal('private, max-age=31536000, immutable')
      expect(headers.etag).to.equal(`"${createHash('sha256').update(data).digest('hex')}"`)
      for (const type of ['image/png', 'audio/mpeg', 'video/mp4']) {
        const passive = await storeFile(home.editor, { mimetype: type, data: Buffer.from('<script/>') })
        const shown = expectOk(await home.reader.get(passive.download)).headers
        expect(shown, type).not.to.have.property('content-security-policy')
        expect(shown['content-disposition']).to.match(/^inline;/)
      }
      for (const type of [
        'text/plain',
        'image/anything',
        'text/html',
        'image/svg+xml',
        'text/xml',
        'application/xml',
        'application/pdf',
        'application/xhtml+xml',
        'text/xsl',
        'x',
      ]) {
        const active = await storeFile(home.editor, { mimetype: type, data: Buffer.from('<script/>') })
        const saved = expectOk(await home.reader.get(active.download)).headers
        expect(saved['content-security-policy'], type).to.equal('sandbox')
        expect(saved['content-disposition'], type).to.match(
          type === 'application/pdf' ? /^inline;/ : /^attachment;/,
        )
      }
    })

    it('has the same headers, whatever the id that the client gives the request', async () => {
      for (const mimetype of ['image/png', 'text/plain']) {
        const { download } = await storeFile(home.editor, { mimetype, data: Buffer.from('some data') })
        const id = 'Content-Security-Policy'
        const one = expectOk(await home.reader.get(download, { 'Cache-Control': 'no-cache' }))
        const other = await home.reader.get(download, { 'Cache-Control': 'no-cache', 'X-Request-Id': id })
        expect(expectOk(other).headers['x-request-id']).to.equal(id)
        for (const header of ['content-security-policy', 'x-content-type-options', 'content-disposition'])
          expect(other.headers[header], header).to.equal(one.headers[header])
      }
    })

    it('sends a valid header for any filename', async () => {
      for (const filename of [
        'a\nb: c',
        'a\r\nSet-Cookie: x=y',
        'a;b="c"',
        '\\',
        '"',
        '%0d%0a',
        '../../etc/passwd',
        'a/b\\c',
        '\t',
        '\u2028',
        '😀',
      ]) {
        const id = randomUUID()
        const made = await home.editor.put(`/files/${id}`, { title: 'x', filename })
        if (made.status !== 200) expectFaults(made, 'filename')
        else {
          const response = expectOk(
            await home.reader.get(await uploadTo(home.editor, id, 'text/plain', someText)),
          )
          expect(response.headers).not.to.have.property('set-cookie')
          expect(response.headers['content-disposition']).to.be.a('string')
        }
      }
    })
  })
