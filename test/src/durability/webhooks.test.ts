/**
 * Web hooks while processes on one data directory are killed: each change is made into one delivery, each delivery arrives,
 * and those of an object arrive in order (docs/behaviour/webhooks.md#deliveries).
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { startReceiver, type Received, type Receiver } from '../harness/webhook-receiver.js'
import { makeFilledFolder, type DataFolder } from './data-folder.js'
import { fetchToken, killRemaining, startServiceProcess, type ServiceProcess } from './service-process.js'
import { waitFor } from './wait-for.js'

/** What was received of each object, each delivery once, in the order of the first arrivals. */
const eventsOf = (received: readonly Received[]): ReadonlyMap<string, readonly string[]> => {
  const seen = new Set<string>()
  const events = new Map<string, string[]>()
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id'])
    if (seen.has(id)) continue
    seen.add(id)
    const { uuid } = body['object'] as { readonly uuid: string }
    events.set(uuid, [...(events.get(uuid) ?? []), String(body['type'])])
  }
  return events
}

describe('web hooks of several processes', function () {
  this.timeout(120_000)
  let folder: DataFolder
  let receiver: Receiver
  let one: ServiceProcess
  let other: ServiceProcess
  const start = () => startServiceProcess(folder.path, { WEBHOOKS_ALLOW_PRIVATE: 'true' })
  const apiOf = async ({ url }: ServiceProcess): Promise<Api> => createApi(`${url}/1`, await fetchToken(url))
  before(async () => {
    folder = await makeFilledFolder()
    receiver = await startReceiver()
    one = await start()
    other = await start()
  })
  after(killRemaining)
  after(async () => {
    receiver.close()
    await folder.remove()
  })

  it('lose nothing when the process is killed that delivers', async () => {
    let made = 0
    const written: string[] = []
    /** Two changes of each of some objects. */
    const write = async (api: Api): Promise<void> => {
      for (let i = 0; i < 8; i += 1) {
        made += 1
        const body = { content_type: 'article', title: 'One', urlname: `hook-${made}`, state: 'published' }
        const id = uuidOf(await api.post('/content', body))
        expectOk(await api.patch(`/content/${id}`, { title: 'Two' }))
        written.push(id)
      }
    }
    expectOk(
      await (
        await apiOf(one)
      ).post('/webhooks', { url: receiver.url, events: ['content.published', 'content.updated'] }),
    )
    const survivor = await apiOf(other)
    await Promise.all([write(await apiOf(one)), write(survivor)])
    await receiver.until(1)
    // Deliveries are on their way.
    await Promise.all([write(survivor), one.kill()])
    one = await start()
    const restarted = await apiOf(one)
    await Promise.all([write(restarted), write(survivor)])
    await waitFor('another process delivers', async () =>
      eventsOf(receiver.received).size === written.length ? true : null,
    )
    await Promise.all([write(restarted), other.kill()])
    await waitFor('everything has arrived', async () => {
      const events = eventsOf(receiver.received)
      return written.every((id) => events.get(id)?.length === 2) ? true : null
    })
    for (const [id, events] of eventsOf(receiver.received))
      expect(events, id).to.deep.equal(['content.published', 'content.updated'])
    expect(eventsOf(receiver.received).size).to.equal(written.length)
    expect(one.defects()).to.deep.equal([])
  })
})
