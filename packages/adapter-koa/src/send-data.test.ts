/** File data on the wire: ranges, validators, and what prevents browsers from running it. */
import { E } from '@publishing-service/domain/fp'
import { attempt, type Download, type Failure } from '@publishing-service/application'
import { portFailure, type ByteRange } from '@publishing-service/ports'
import { expect } from 'chai'
import Koa from 'koa'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { dataResponse, sendData } from './send-data.js'
import { testContext } from './test-support/test-context.js'
import { startTestServer, type TestServer } from './test-support/test-server.js'

const data = Buffer.from('0123456789')

const internalError = { _tag: 'InternalError' } as const

describe('sending data', () => {
  let server: TestServer
  let download: Download
  let ranges: (ByteRange | undefined)[]
  let failures: Failure['_tag'][]
  let ended: number

  const inPieces = (bytes: Uint8Array): AsyncIterable<Uint8Array> => {
    let index = 0
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          index += 4
          return index - 4 < bytes.length
            ? { done: false, value: bytes.subarray(index - 4, index) }
            : { done: true, value: undefined }
        },
        return: async () => {
          ended += 1
          return { done: true, value: undefined }
        },
      }),
    }
  }

  const downloadOf = (bytes: Buffer, more: Partial<Download> = {}): Download => ({
    mimetype: 'image/png',
    filename: 'a.png',
    bytes: bytes.length,
    tag: 'tag',
    dependsOn: { accept: false, focalPoint: false },
    isStored: true,
    read: async (range) => {
      ranges.push(range)
      return inPieces(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1))
    },
    ...more,
  })

  beforeEach(async () => {
    download = downloadOf(data)
    ranges = []
    failures = []
    ended = 0
    const app = new Koa()
    app.silent = true
    app.use(async (koa) => {
      koa.respond = false
      const sent = await attempt(() =>
        sendData({ unsent: { add: () => null } }, { ...testContext(), koa }, download, []),
      )
      if (E.isRight(sent)) return
      failures.push(sent.left._tag)
      if (koa.res.headersSent) koa.res.destroy()
      else koa.res.writeHead(500, { 'X-Problem': sent.left._tag }).end()
    })
    server = await startTestServer(app.callback())
  })
  afterEach(() => server.close())

  const get = (headers: Readonly<Record<string, string>> = {}) => server.send('GET', '/', headers)

  it('sends all bytes with their headers', async () => {
    const { status, headers, text } = await get()
    expect([status, text]).to.deep.equal([200, '0123456789'])
    expect(headers).to.deep.include({
      'accept-ranges': 'bytes',
      'content-length': '10',
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="a.png"',
      'x-content-type-options': 'nosniff',
      etag: '"tag"',
    })
    expect(headers).not.to.have.any.keys('content-range', 'content-security-policy')
  })

  const parts: Readonly<Record<string, readonly [range: string, sent: string, contentRange: string]>> = {
    'from one byte to another': ['bytes=2-4', '234', 'bytes 2-4/10'],
    'one byte': ['bytes=0-0', '0', 'bytes 0-0/10'],
    'from one byte to the end': ['bytes=7-', '789', 'bytes 7-9/10'],
    'to an end beyond the size': ['bytes=7-100', '789', 'bytes 7-9/10'],
    'the last bytes': ['bytes=-3', '789', 'bytes 7-9/10'],
    'as many last bytes as there are': ['bytes=-10', '0123456789', 'bytes 0-9/10'],
    'more last bytes than there are': ['bytes=-11', '0123456789', 'bytes 0-9/10'],
  }
  for (const [name, [range, sent, contentRange]] of Object.entries(parts))
    it(`sends ${name}`, async () => {
      const { status, headers, text } = await get({ Range: range })
      expect([status, text]).to.deep.equal([206, sent])
      expect([headers['content-range'], headers['content-length']]).to.deep.equal([
        contentRange,
        String(sent.length),
      ])
      expect(ranges).to.have.lengthOf(1)
    })

  for (const range of ['bytes=10-', 'bytes=100-200', 'bytes=-0'])
    it(`fails for ${range}, which selects no byte`, async () => {
      const { status, headers } = await get({ Range: range })
      expect([status, headers['x-problem']]).to.deep.equal([500, 'RangeNotSatisfiable'])
      expect(ranges).to.deep.equal([])
    })

  it('fails for any range of empty data', async () => {
    download = downloadOf(Buffer.alloc(0))
    for (const range of ['bytes=0-', 'bytes=-5'])
      expect((await get({ Range: range })).headers['x-problem'], range).to.equal('RangeNotSatisfiable')
    expect((await get()).headers['content-length']).to.equal('0')
  })

  for (const range of [
    'bytes=0-1,4-5',
    'bytes=-1, 0-0',
    'items=0-1',
    'bytes',
    'bytes=-',
    'bytes=x-y',
    'bytes=5-2',
    'bytes=50-20',
  ])
    it(`sends all bytes for ${range}`, async () => {
      const { status, headers, text } = await get({ Range: range })
      expect([status, text]).to.deep.equal([200, '0123456789'])
      expect(headers).not.to.have.property('content-range')
    })

  it('sends the range if If-Range has the tag, otherwise all bytes', async () => {
    const cases: Readonly<Record<string, number>> = {
      '"tag"': 206,
      'W/"tag"': 200,
      '"other"': 200,
      'Sun, 01 Mar 2026 12:00:00 GMT': 200,
    }
    for (const [condition, status] of Object.entries(cases))
      expect((await get({ Range: 'bytes=0-1', 'If-Range': condition })).status, condition).to.equal(status)
    expect((await get({ Range: 'bytes=100-', 'If-Range': '"other"' })).status).to.equal(200)
  })

  it('sends only the headers of all bytes for HEAD, and closes the read', async () => {
    const { status, headers, text } = await server.send('HEAD', '/', { Range: 'bytes=2-4' })
    expect([status, text, headers['content-length']]).to.deep.equal([200, '', '10'])
    expect(headers).not.to.have.property('content-range')
    expect([ranges, ended]).to.deep.equal([[undefined], 1])
  })

  it('sends 304 without a read if the client has the data, whatever the range', async () => {
    for (const tag of ['"tag"', 'W/"tag"', '"x", "tag"', '*']) {
      const { status, headers, text } = await get({ 'If-None-Match': tag, Range: 'bytes=100-' })
      expect([status, text, headers.etag], tag).to.deep.equal([304, '', '"tag"'])
    }
    expect(ranges).to.deep.equal([])
    expect((await get({ 'If-None-Match': 'W/"tag-gzip"' })).headers.etag).to.equal('"tag-gzip"')
    expect((await get({ 'If-None-Match': '"other"' })).status).to.equal(200)
  })

  it('allows every cache to store data that is sent without a token, and otherwise only the cache of the client', async () => {
    const open = await get()
    expect(open.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
    expect(open.headers).not.to.have.property('vary')
    const own = await get({ Authorization: 'Bearer x' })
    expect(own.headers['cache-control']).to.equal('private, max-age=31536000, immutable')
    expect(own.headers.vary).to.equal('Accept, Authorization')
    expect(open.headers, 'websites embed files').not.to.have.property('content-security-policy')
  })

  it('has browsers save data that could run, in a sandbox, under its filename', async () => {
    download = downloadOf(data, { mimetype: 'text/html', charset: 'utf-8', filename: 'Größe „1“.html' })
    const { headers } = await get()
    expect(headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(headers['content-security-policy']).to.equal('sandbox')
    expect((await get({ 'If-None-Match': '"tag"' })).headers['content-security-policy']).to.equal('sandbox')
    expect(headers['content-disposition']).to.equal(
      `attachment; filename="Gr??e ?1?.html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%80%9E1%E2%80%9C.html`,
    )
  })

  it('sends no characters of the filename that would disguise its type', async () => {
    download = downloadOf(data, { filename: 'a\u202egpj.exe\u2069' })
    expect((await get()).headers['content-disposition']).to.include('filename="agpj.exe"')
  })

  const unreadable = (): Download => downloadOf(data, { read: () => Promise.reject(internalError) })

  it('throws a failure that occurs before the headers are sent', async () => {
    download = unreadable()
    expect((await get()).headers['x-problem']).to.equal('InternalError')
  })

  it('closes the connection if a read fails after the headers', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield data.subarray(0, 4)
      throw portFailure('blob store', 'broken')
    }
    download = downloadOf(data, { read: async () => broken() })
    const outcome = await get().catch((error: unknown) => error)
    expect([outcome instanceof Error, failures]).to.deep.equal([true, ['PortFailure']])
  })

  it('makes a complete response of small data, or throws the failure', async () => {
    const made = await dataResponse(download)
    expect([made.body, made.tag]).to.deep.equal([data, '"tag"'])
    expect(made.headers).to.include.members(['Content-Type', 'image/png', 'Content-Disposition'])
    expect([made.policy, made.forms]).to.deep.equal([null, null])
    expect(made.headers).not.to.include('Content-Length')
    expect(await attempt(() => dataResponse(unreadable()))).to.deep.equal(E.left(internalError))
  })
})
