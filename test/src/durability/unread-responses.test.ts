/**
 * Clients that send many requests on a connection and read nothing: each connection has one response that waits, so the
 * memory of the service stays small, and it responds to others.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, afterEach, before, describe, it } from 'mocha'
import { memoryOf } from '../harness/process-use.js'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { makeFilledFolder, type DataFolder } from './data-folder.js'
import { fetchToken, killRemaining, startServiceProcess, type ServiceProcess } from './service-process.js'

const megabyte = 1_000_000
const memoryLimit = 400 * megabyte
/** Milliseconds in which nine of ten health checks are answered: the machine may be busy with other tests. */
const liveLimit = 250

/** The longest time for which the service is observed; it stops sooner without the limits. */
const observation = 2500
const articles = 100
/** Levels of sections with long names, which make the addresses of a small sitemap long. */
const levels = 8

describe('unread responses', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let service: ServiceProcess
  let token: string
  let api: Api
  const sockets: Socket[] = []

  before(async () => {
    folder = await makeFilledFolder()
    service = await startServiceProcess(folder.path)
    token = await fetchToken(service.url)
    api = createApi(`${service.url}/1`, token)
    expectOk(await api.patch('/settings', { website_url: 'https://example.org', public_feeds: true }))
    let section: string | null = null
    for (let level = 0; level < levels; level += 1)
      section = uuidOf(
        await api.post('/sections', {
          title: 'S',
          urlname: `${'s'.repeat(200)}${level}`,
          parent_uuid: section,
        }),
      )
    const content = `<p>${'word '.repeat(1300)}</p>`
    for (let count = 0; count < articles; count += 1)
      expectOk(
        await api.post('/content', {
          content_type: 'article',
          title: `Article ${count}`,
          urlname: `article-${count}`,
          section_uuid: section,
          state: 'published',
          issued: '2026-01-01T00:00:00',
          content,
        }),
      )
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  after(killRemaining)
  after(() => folder.remove())

  const sendUnread = async (
    connections: number,
    requests: number,
    path: string,
    headers = '',
  ): Promise<void> => {
    const { hostname, port } = new URL(service.url)
    for (let count = 0; count < connections; count += 1) {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.pause()
      await once(socket, 'connect')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`.repeat(requests))
    }
  }

  const liveTime = async (): Promise<number> => {
    const started = performance.now()
    expectOk(await createApi(service.url).get('/health/live'))
    return performance.now() - started
  }

  /** Observes the service until the time is over or its memory exceeds the limit. */
  const expectUnaffected = async (): Promise<void> => {
    const times: number[] = []
    let resident = 0
    const end = performance.now() + observation
    while (performance.now() < end && resident < memoryLimit) {
      times.push(await liveTime())
      resident = Math.max(resident, (await memoryOf(service.pid))?.resident ?? Infinity)
      await setTimeout(20)
    }
    const liveAfter = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.9)] ?? Infinity
    process.stdout.write(
      `      ${Math.round(resident / megabyte)} MB, live after ${Math.round(liveAfter)} ms\n`,
    )
    expect(resident).to.be.below(memoryLimit)
    expect(liveAfter).to.be.below(liveLimit)
  }

  it('of 20 × 100 pages leave the service small and responsive', async () => {
    const path = '/1/content?rpp=100&fields=content-description&order=urlname'
    const authorization = { Authorization: `Bearer ${token}` }
    const page = expectOk(await createApi(service.url, token).get(path))
    expect(page.bytes.length).to.be.above(0.6 * megabyte)
    await sendUnread(20, 100, path, `Authorization: ${authorization.Authorization}\r\n`)
    await expectUnaffected()
  })

  it('of 6 × 100 sitemaps without a token do as well', async () => {
    const sitemap = expectOk(await createApi(service.url).get('/1/sitemap.xml'))
    expect(sitemap.bytes.length).to.be.above(0.15 * megabyte)
    await sendUnread(6, 100, '/1/sitemap.xml')
    await expectUnaffected()
  })
})
