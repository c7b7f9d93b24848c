import { createServer, type Server } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { Webhook } from 'standardwebhooks'
import type { WebhookEvent } from '@publishing-service/client'
import { createPages } from './pages.js'
import { createReceiver } from './receiver.js'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const eventOf = (
  path: string | null,
  previous: string | null = null,
  type = 'content.updated',
): WebhookEvent => ({
  id: 'one',
  type,
  time: '2026-11-27T08:30:12.512Z',
  instance: 1,
  object: {
    uuid: '9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
    type: 'content',
    url: 'https://api.example.org/1/content/9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
    path,
    previous_path: previous,
  },
  cache_tags: [],
})

describe('the receiver of web hooks', () => {
  let folder: string
  let website: Server
  let receiver: Server
  let url: string
  let pages: Map<string, string>
  let rebuilt: string[]
  let failures: unknown[]
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'))
    pages = new Map([
      ['/', 'front'],
      ['/a/', 'page a'],
    ])
    rebuilt = []
    failures = []
    website = createServer(({ url: path = '' }, response) => {
      const page = pages.get(path)
      response.writeHead(page === 'broken' ? 502 : page === undefined ? 404 : 200).end(page)
    })
    const rebuild = createPages({ website: await listen(website), folder })
    receiver = createReceiver({
      secret,
      work: async (event) => {
        await rebuild(event)
        rebuilt.push(event.object.path ?? '')
      },
      onFailure: (error) => failures.push(error),
    })
    url = await listen(receiver)
  })
  afterEach(async () => {
    receiver.close()
    website.close()
    await rm(folder, { recursive: true })
  })

  type Sending = { readonly id?: string; readonly time?: Date; readonly key?: string; readonly sent?: string }
  const send = async (
    event: WebhookEvent,
    { id = 'one', time = new Date(), key = secret, sent }: Sending = {},
  ) => {
    const body = JSON.stringify({ ...event, id })
    const response = await fetch(url, {
      method: 'POST',
      body: sent ?? body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
        'webhook-signature': new Webhook(key).sign(id, time, body),
      },
    })
    return response.status
  }
  const page = (path: string) => readFile(join(folder, path, 'index.html'), 'utf8').catch(() => null)
  const until = async (count: number): Promise<void> => {
    for (let attempt = 0; rebuilt.length < count && attempt < 200; attempt += 1) await wait(10)
    expect(rebuilt).to.have.length(count)
  }

  it('rebuilds the pages of an object, and removes those that are gone', async () => {
    expect(await send(eventOf('/a/'))).to.equal(204)
    await until(1)
    expect([await page('/'), await page('/a/')]).to.deep.equal(['front', 'page a'])
    pages = new Map([
      ['/', 'new front'],
      ['/b/', 'page b'],
    ])
    expect(await send(eventOf('/b/', '/a/'), { id: 'two' })).to.equal(204)
    await until(2)
    expect([await page('/'), await page('/a/'), await page('/b/')]).to.deep.equal([
      'new front',
      null,
      'page b',
    ])
  })

  it('accepts only what the service has signed, lately', async () => {
    const event = eventOf('/a/')
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    expect(await send(event, { key: other })).to.equal(401)
    expect(await send(event, { sent: JSON.stringify(eventOf('/b/')) })).to.equal(401)
    expect(await send(event, { time: new Date(Date.now() - 600_000) })).to.equal(401)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).to.equal(401)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(70_000) })).status).to.equal(413)
    expect((await fetch(url)).status).to.equal(405)
    await send(event)
    await until(1)
  })

  it('does the work of a delivery once, in the order of their arrival', async () => {
    pages.set('/b/', 'page b')
    for (const id of ['one', 'two', 'one']) await send(eventOf(id === 'one' ? '/a/' : '/b/'), { id })
    await until(2)
    await wait(50)
    expect(rebuilt).to.deep.equal(['/a/', '/b/'])
  })

  it('writes no file outside its folder, and reports what fails', async () => {
    pages.set('/etc/x/', 'outside')
    await send(eventOf('/../../etc/x/'))
    await until(1)
    expect(await page('/etc/x/')).to.equal('outside')
    pages.set('/a/', 'broken')
    await send(eventOf('/a/'), { id: 'two' })
    for (let attempt = 0; failures.length === 0 && attempt < 200; attempt += 1) await wait(10)
    expect(String(failures[0])).to.match(/502/)
    expect(await send(eventOf('/etc/x/'), { id: 'three' })).to.equal(204)
    await until(2)
  })
})
