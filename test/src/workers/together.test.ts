/** What workers do together: what one writes all others serve at once, limits count together, and work is done once. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeFilledFolder, type DataFolder } from '../durability/data-folder.js'
import { fetchToken, killRemaining, type ServiceProcess } from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { createArticle, walk } from '../durability/written-objects.js'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi, oneConnection, type Api } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { startReceiver, type Receiver } from '../harness/webhook-receiver.js'
import { clientsOfWorkers, logged, startWorkers } from './worker-processes.js'

const writes = Number(process.env['STALE_READS'] ?? 40)
const stories = 60

describe('workers together', function () {
  this.timeout(180_000)
  let folder: DataFolder
  let service: ServiceProcess
  let token: string
  let receiver: Receiver
  before(async () => {
    folder = await makeFilledFolder()
    service = await startWorkers(folder.path, 2, { WEBHOOKS_ALLOW_PRIVATE: 'true', RATE_LIMIT: 'off' })
    token = await fetchToken(service.url)
    receiver = await startReceiver()
  })
  after(async () => {
    receiver.close()
    await killRemaining()
    await folder.remove()
  })

  const clients = () => clientsOfWorkers(service, token)

  const titleOf = async (api: Api, id: string): Promise<unknown> =>
    expectOk(await api.get(`/content/${id}`)).object['title']

  const newest = async (api: Api): Promise<unknown> =>
    expectOk(await api.get('/content?fields=title&order=modified.desc&rpp=1')).object['items']

  it('serve what another one has acknowledged, or announced', async () => {
    const [one, other] = await clients()
    const id = randomUUID()
    await createArticle(one, id, '0')
    expectOk(await one.patch(`/content/${id}`, { state: 'published' }))
    const { uuid } = expectOk(
      await one.post('/webhooks', { url: receiver.url, events: ['content.updated'] }),
    ).object
    let stale = 0
    for (let step = 1; step <= writes; step += 1) {
      const [writer, reader] = step % 2 === 0 ? [one, other] : [other, one]
      // Both are cached before the write.
      await titleOf(reader, id)
      await newest(reader)
      const arrived = receiver.received.length
      expectOk(await writer.patch(`/content/${id}`, { title: String(step) }))
      if (step % 3 === 0) await receiver.until(arrived + 1)
      if ((await titleOf(reader, id)) !== String(step)) stale += 1
      if (!isDeepStrictEqual(await newest(reader), [[String(step)]])) stale += 1
    }
    expect(stale).to.equal(0)
    expectOk(await one.delete(`/webhooks/${String(uuid)}`))
  })

  it('deliver each change once, and that of the clock', async () => {
    const [one] = await clients()
    const from = receiver.received.length
    expectOk(await one.post('/webhooks', { url: receiver.url, events: ['content.published'] }))
    const ids = Array.from({ length: 10 }, () => randomUUID())
    const issued = new Date(Date.now() + 3000).toISOString()
    for (const [index, id] of ids.entries()) {
      await createArticle(one, id, 'word')
      const times = index % 2 === 0 ? {} : { issued }
      expectOk(await one.patch(`/content/${id}`, { state: 'published', ...times }))
    }
    await receiver.until(from + ids.length)
    // A second delivery would come from the other worker, which looks at the same times.
    await setTimeout(3000)
    const told = receiver.received.slice(from).map(({ text }) => ids.find((id) => text.includes(id)))
    expect(told).to.have.members(ids)
    const { items } = expectOk(await one.get('/changes?since=now')).object
    expect(items).to.deep.equal([])
  })

  it('run an import once', async () => {
    const [one, other] = await clients()
    const lines = Array.from({ length: stories }, (_, number) =>
      JSON.stringify({
        collection: 'content',
        id: randomUUID(),
        attributes: { content_type: 'article', title: `Imported ${number}`, urlname: `imported-${number}` },
      }),
    )
    const { id: file_uuid } = await storeFile(one, {
      filename: 'stories.jsonl',
      mimetype: 'application/octet-stream',
      data: Buffer.from(lines.join('\n')),
    })
    const found = (await walk(one, 'content', 'created')).length
    const path = `/imports/${uuidOf(await one.post('/imports', { kind: 'json', file_uuid }))}`
    const ended = await waitFor('the import ends', async () => {
      const job = expectOk(await other.get(path)).object
      return job['ended'] === null ? null : job
    })
    expect(ended).to.deep.include({ state: 'finished', problem: null })
    expect(ended['counts']).to.deep.include({ created: stories, refused: 0 })
    expect((await walk(other, 'content', 'created')).length).to.equal(found + stories)
    expect(service.defects()).to.deep.equal([])
  })
})

describe('the rate limits of workers', function () {
  this.timeout(180_000)

  it('count the requests of a client together', async () => {
    const limit = 40
    const folder = await makeFilledFolder()
    const environment = { RATE_LIMIT_ADDRESS: String(limit), LOG_LEVEL: 'info' }
    // Unset, it is shared.
    const service = await startWorkers(folder.path, 2, { ...environment, RATE_LIMIT: '' })
    const apis = Array.from({ length: 4 }, () => createApi(service.url, null, oneConnection()))
    let answered = 0
    await waitFor('all connections are refused for longer than an exchange', async () => {
      const responses = []
      for (const api of apis) responses.push(await api.get('/openapi.json'))
      answered += responses.filter(({ status }) => status === 200).length
      await setTimeout(200)
      return responses.every(({ status, headers }) => status === 429 && Number(headers['retry-after']) > 1)
        ? true
        : null
    })
    const workers = new Set(
      logged(service, 'request').flatMap(({ path, worker }) => (path === '/openapi.json' ? [worker] : [])),
    )
    expect(workers.size).to.equal(2)
    expect(answered).to.be.within(limit, 2 * limit)
    await killRemaining()
    await folder.remove()
  })
})
