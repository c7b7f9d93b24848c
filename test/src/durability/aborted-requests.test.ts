/** Aborted requests write nothing partially, leave nothing open, and do not affect other requests. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { expectError, expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { pathBelow } from '../harness/stored-files.js'
import { pngOf } from '../harness/small-files.js'
import { incomingFiles, makeFilledFolder, storedUploads, type DataFolder } from './data-folder.js'
import {
  fetchToken,
  killRemaining,
  openDescriptors,
  startServiceProcess,
  type ServiceProcess,
} from './service-process.js'
import { waitFor } from './wait-for.js'
import {
  createArticle,
  putFile,
  readArticle,
  readFile,
  sha256Of,
  uploadFile,
  walk,
} from './written-objects.js'

const repetitions = 6
const limit = 3_000_000
const large = Buffer.alloc(2_000_000, 'data of a download')

describe('an aborted request', function () {
  this.timeout(120_000)
  let folder: DataFolder
  let service: ServiceProcess
  let token: string
  let api: Api
  let article: string
  let file: string
  before(async () => {
    folder = await makeFilledFolder()
    service = await startServiceProcess(folder.path, {
      OTHER_LIMIT: String(limit),
      APPLICATION_LIMIT: String(limit),
    })
    token = await fetchToken(service.url)
    api = createApi(`${service.url}/1`, token)
    article = randomUUID()
    await createArticle(api, article, 'before')
    file = randomUUID()
    await putFile(api, file, 'before')
    await uploadFile(api, file, large)
  })
  after(killRemaining)
  after(() => folder.remove())

  /** Opens a connection and sends the head of a request and a part of its body. */
  const beginRequest = async (
    request: string,
    headers: readonly string[],
    body: string | Buffer,
  ): Promise<Socket> => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const lines = [`${request} HTTP/1.1`, `Host: ${hostname}`, `Authorization: Bearer ${token}`, ...headers]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await new Promise<void>((resolve) => {
      socket.write(body, () => resolve())
    })
    return socket
  }

  /** Half of the connections are closed cleanly, the others are reset. */
  const abort = (socket: Socket, attempt: number): void => {
    if (attempt % 2 === 0) socket.destroy()
    else socket.resetAndDestroy()
  }

  /**
   * The server accepts connections in order. Once it responds on a new one, it has accepted all earlier ones.
   */
  const waitUntilAccepted = async (): Promise<void> => {
    const socket = await beginRequest('GET /health/live', ['Connection: close'], '')
    socket.resume()
    await once(socket, 'close')
  }

  /** Repeats the abort many times, then checks open descriptors, files and memory. */
  const expectNothingLeft = async (begin: (attempt: number) => Promise<Socket>): Promise<void> => {
    expectOk(await api.get('/settings'))
    const open = await openDescriptors(service.pid)
    const uploads = await storedUploads(folder)
    for (let attempt = 0; attempt < repetitions; attempt += 1) abort(await begin(attempt), attempt)
    const sockets = await Promise.all(Array.from({ length: repetitions }, (_, attempt) => begin(attempt)))
    await waitUntilAccepted()
    expect(await openDescriptors(service.pid)).to.be.above(open)
    sockets.forEach(abort)
    await waitUntilAccepted()
    await waitFor('everything is closed again', async () =>
      (await openDescriptors(service.pid)) <= open && (await incomingFiles(folder)).length === 0
        ? true
        : null,
    )
    expect(await storedUploads(folder)).to.deep.equal(uploads)
    expect(await readArticle(api, article)).to.equal('before')
    expect(await readFile(api, file)).to.deep.equal({ title: 'before', sha256: sha256Of(large) })
    expect(service.defects()).to.deep.equal([])
  }

  const uploadHeaders = (id: string, ...more: readonly string[]) =>
    [`POST /1/files/${id}`, ['Content-Type: application/zip', ...more]] as const

  it('during an upload leaves the previous data', () =>
    expectNothingLeft((attempt) =>
      beginRequest(...uploadHeaders(file, 'Content-Length: 1000000'), Buffer.alloc(attempt * 80_000, 'new')),
    ))

  it('during a chunked upload leaves the previous data', () =>
    expectNothingLeft((attempt) => {
      const bytes = 1 + attempt * 60_000
      const chunk = `${bytes.toString(16)}\r\n${'n'.repeat(bytes)}${attempt % 3 === 0 ? '' : '\r\n'}`
      return beginRequest(...uploadHeaders(file, 'Transfer-Encoding: chunked'), chunk)
    }))

  it('during a JSON body changes nothing', async () => {
    const standing = await walk(api, 'content', 'title')
    const body = JSON.stringify({ title: 'after', description: 'x'.repeat(100_000) })
    await expectNothingLeft((attempt) =>
      beginRequest(
        `PATCH /1/content/${article}`,
        ['Content-Type: application/json', `Content-Length: ${body.length}`],
        body.slice(0, (body.length * attempt) / repetitions),
      ),
    )
    const creation = JSON.stringify({ content_type: 'article', title: 'T', urlname: 'half-created' })
    await expectNothingLeft((attempt) =>
      beginRequest(
        'POST /1/content',
        ['Content-Type: application/json', `Content-Length: ${creation.length}`],
        creation.slice(0, (creation.length * attempt) / repetitions),
      ),
    )
    expect(await walk(api, 'content', 'title')).to.deep.equal(standing)
  })

  it('during a form for a token leaves nothing open', () =>
    expectNothingLeft(() =>
      beginRequest(
        'POST /oauth/token',
        ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 1000'],
        'grant_type=',
      ),
    ))

  it('during a download releases its resources', async () => {
    const { object } = await api.get(`/files/${file}`)
    const path = `/1${pathBelow(object['download_url'])}`
    await expectNothingLeft(async (attempt) => {
      const socket = await beginRequest(
        `GET ${path}`,
        attempt % 3 === 0 ? ['Range: bytes=100-1999999'] : [],
        '',
      )
      await once(socket, 'data')
      return socket
    })
  })

  it('before the response to a search, a write or a scaled image leaves nothing open', async () => {
    const picture = randomUUID()
    await putFile(api, picture, 'picture')
    const upload = { body: pngOf(1200, 900), headers: { 'Content-Type': 'image/png' } }
    const { object } = expectOk(await api.send('POST', `/files/${picture}`, upload))
    const path = `/1${pathBelow(object['download_url'])}`
    // The scaled image is created first, so that the stored data does not change during the test.
    expectOk(await api.get(`${pathBelow(object['download_url'])}?w=600`))
    const requests = [`GET ${path}?w=600`, 'GET /1/content?rpp=100&fields=title-url-content', `GET ${path}`]
    await expectNothingLeft((attempt) => beginRequest(String(requests[attempt % requests.length]), [], ''))
  })

  it('with a body that is rejected early gets its response, and so does the next request', async () => {
    const body = Buffer.alloc(limit * 3, 'too much')
    const headers = { 'Content-Type': 'text/plain' }
    for (const id of [file, file]) {
      expectError(await api.send('POST', `/files/${id}`, { body, headers, chunked: true }), 413, 'too_large')
      expectError(await api.send('POST', `/files/${id}`, { body, headers }), 413, 'too_large')
    }
    expect(await readFile(api, file)).to.deep.equal({ title: 'before', sha256: sha256Of(large) })
    expect(await incomingFiles(folder)).to.deep.equal([])
    expect(uuidOf(await api.patch(`/files/${file}`, { title: 'before' }))).to.equal(file)
    expect(service.defects()).to.deep.equal([])
  })
})
