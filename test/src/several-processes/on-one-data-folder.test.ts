/**
 * Two processes on one data folder: whatever one has acknowledged or announced, the other serves, although both cache responses
 * (docs/behaviour/caching.md#other-processes).
 */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeFilledFolder, type DataFolder } from '../durability/data-folder.js'
import {
  fetchToken,
  killRemaining,
  startServiceProcess,
  type ServiceProcess,
} from '../durability/service-process.js'
import { createArticle } from '../durability/written-objects.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { startReceiver, type Receiver } from '../harness/webhook-receiver.js'

const writes = Number(process.env['STALE_READS'] ?? 40)

describe('two processes on one data folder', function () {
  this.timeout(120_000)
  let folder: DataFolder
  let services: readonly ServiceProcess[]
  let one: Api
  let other: Api
  let receiver: Receiver
  before(async () => {
    folder = await makeFilledFolder()
    const start = () => startServiceProcess(folder.path, { WEBHOOKS_ALLOW_PRIVATE: 'true' })
    const [first, second] = await Promise.all([start(), start()])
    services = [first, second]
    const token = await fetchToken(first.url)
    one = createApi(`${first.url}/1`, token)
    other = createApi(`${second.url}/1`, token)
    receiver = await startReceiver()
  })
  after(async () => {
    receiver.close()
    await killRemaining()
    await folder.remove()
  })

  const titleOf = async (api: Api, id: string): Promise<unknown> =>
    expectOk(await api.get(`/content/${id}`)).object['title']

  /** The title of the object that was modified last. */
  const newest = async (api: Api): Promise<unknown> =>
    expectOk(await api.get('/content?fields=title&order=modified.desc&rpp=1')).object['items']

  it('serve what the other has acknowledged, in objects and lists', async () => {
    const id = randomUUID()
    await createArticle(one, id, '0')
    let stale = 0
    for (let step = 1; step <= writes; step += 1) {
      const [writer, reader] = step % 2 === 0 ? [one, other] : [other, one]
      // Both are cached before the write.
      await titleOf(reader, id)
      await newest(reader)
      expectOk(await writer.patch(`/content/${id}`, { title: String(step) }))
      if ((await titleOf(reader, id)) !== String(step)) stale += 1
      if (!isDeepStrictEqual(await newest(reader), [[String(step)]])) stale += 1
    }
    expectOk(await one.delete(`/content/${id}`))
    expect((await other.get(`/content/${id}`)).status).to.equal(404)
    expect(stale).to.equal(0)
  })

  it('serve what a web hook has announced, at the moment when it arrives', async () => {
    const id = randomUUID()
    await createArticle(one, id, '0')
    expectOk(await one.patch(`/content/${id}`, { state: 'published' }))
    expectOk(await one.post('/webhooks', { url: receiver.url, events: ['content.updated'] }))
    let stale = 0
    for (let step = 1; step <= writes / 2; step += 1) {
      const [writer, reader] = step % 2 === 0 ? [one, other] : [other, one]
      await titleOf(reader, id)
      const arrived = receiver.received.length
      expectOk(await writer.patch(`/content/${id}`, { title: String(step) }))
      const received = await receiver.until(arrived + 1)
      expect(received.at(-1)?.text).to.include(id)
      if ((await titleOf(reader, id)) !== String(step)) stale += 1
    }
    expect(stale).to.equal(0)
    expect(services.flatMap((each) => each.defects())).to.deep.equal([])
  })
})
