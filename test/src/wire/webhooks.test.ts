/** Web hooks (docs/behaviour/webhooks.md), on every store. */
import { expect } from 'chai'
import { afterEach, beforeEach, it } from 'mocha'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'
import { startReceiver, type Received, type Receiver } from '../harness/webhook-receiver.js'

/** Looks at something that changes in the background. */
const mostLooks = 1000

onEveryStore(
  'web hooks',
  {},
  (place) => {
    let receiver: Receiver
    beforeEach(async () => {
      receiver = await startReceiver()
    })
    afterEach(() => receiver.close())

    const create = async (more: JsonObject = {}): Promise<{ path: string; secret: string }> => {
      const { url, uuid, secret } = expectOk(
        await place.home.admin.post('/webhooks', { url: receiver.url, ...more }),
      ).object
      expect(url).to.equal(`${place.service.url}/${place.home.number}/webhooks/${String(uuid)}`)
      return { path: `/webhooks/${String(uuid)}`, secret: String(secret) }
    }
    const article = (urlname: string, more: JsonObject = {}): JsonObject => ({
      content_type: 'article',
      title: 'One',
      urlname,
      ...more,
    })
    const typesOf = (messages: readonly Received[]): readonly Json[] =>
      messages.map(({ body: { type = null } }) => type)
    /** The rows of the deliveries once none of them is pending with this number of attempts. */
    const settled = async (
      path: string,
      fields: string,
      isSettled: (rows: readonly (readonly Json[])[]) => boolean,
    ) => {
      for (let attempt = 0; attempt < mostLooks; attempt += 1) {
        const rows = rowsOf(await place.home.admin.get(`${path}/deliveries?fields=${fields}`))
        if (isSettled(rows)) return rows
        await wait(10)
      }
      throw new Error('the deliveries did not end')
    }

    it('a change of a story is delivered with a signature, within a second of its commit', async () => {
      const { secret } = await create({ events: ['content.published', 'content.updated'] })
      const { editor, number } = place.home
      const id = uuidOf(await editor.post('/content', article('story', { state: 'published' })))
      await receiver.until(1)
      const took: number[] = []
      for (let i = 0; i < 5; i += 1) {
        expectOk(await editor.patch(`/content/${id}`, { urlname: `story-${i}` }))
        const committed = performance.now()
        const messages = await receiver.until(i + 2)
        took.push((messages.at(-1)?.at ?? Infinity) - committed)
      }
      expect(Math.max(...took)).to.be.below(1000)
      const message = receiver.received[1]
      expect(message?.body).to.deep.include({
        type: 'content.updated',
        instance: number,
        object: {
          uuid: id,
          type: 'content',
          url: `${place.service.url}/${number}/content/${id}`,
          path: '/story-0/',
          previous_path: '/story/',
        },
      })
      const {
        'webhook-id': name,
        'webhook-timestamp': seconds,
        'webhook-signature': signature,
      } = message?.headers ?? {}
      expect(name).to.equal(message?.body['id'])
      expect(Number(seconds) * 1000).to.equal(place.service.clock.now())
      expect(signature).to.equal(
        new Webhook(secret).sign(String(name), new Date(Number(seconds) * 1000), message?.text ?? ''),
      )
    })

    it('what the public does not see is not delivered, and deletions are', async () => {
      await create()
      const { editor } = place.home
      const path = `/content/${uuidOf(await editor.post('/content', article('a')))}`
      expectOk(await editor.patch(path, { title: 'Two' }))
      expectOk(await editor.patch(path, { state: 'published' }))
      expectOk(await editor.patch(path, { state: 'draft' }))
      expectOk(await editor.patch(path, { state: 'published' }))
      expectOk(await editor.delete(path))
      expect(typesOf(await receiver.until(4))).to.deep.equal([
        'content.published',
        'content.unpublished',
        'content.published',
        'content.deleted',
      ])
    })

    it('deliveries are listed by their states, attempted again, and repeated', async () => {
      const { path } = await create()
      receiver.status = 500
      const { admin, editor } = place.home
      expectOk(await editor.post('/content', article('a', { state: 'published' })))
      const failing = await settled(
        path,
        'uuid,event,state,attempts,status,failure',
        (rows) => rows[0]?.[3] === 1,
      )
      const [uuid = null] = failing[0] ?? []
      expect(failing).to.deep.equal([[uuid, 'content.published', 'pending', 1, 500, 'status']])
      // It is written after the delivery.
      let since: Json = null
      for (let attempt = 0; attempt < mostLooks && since === null; attempt += 1) {
        const { failing_since = null } = expectOk(await admin.get(path)).object
        since = failing_since
        await wait(10)
      }
      expect(since).to.equal('2026-03-01T12:00:00.000Z')
      receiver.status = 204
      place.service.clock.advance(7000)
      await receiver.until(2)
      const rows = await settled(path, 'uuid,state,attempts', ([first]) => first?.[1] === 'delivered')
      expect(rows).to.deep.equal([[uuid, 'delivered', 2]])
      expectOk(await admin.send('POST', `${path}/deliveries/${String(uuid)}/redeliver`))
      const messages = await receiver.until(3)
      expect(new Set(messages.map(({ body: { id } }) => id))).to.deep.equal(new Set([uuid]))
      expect(rowsOf(await admin.get(`${path}/deliveries?state=failed`))).to.deep.equal([])
      expectFaults(await admin.get(`${path}/deliveries?state=lost`), 'state')
    })

    it('is for admins, with a secret that is shown once', async () => {
      const { path, secret } = await create({ description: 'The site' })
      const { admin, editor } = place.home
      for (const response of [
        await editor.get('/webhooks'),
        await editor.get(path),
        await editor.post('/webhooks', { url: receiver.url }),
        await editor.send('POST', `${path}/secret`),
      ])
        expectError(response, 403, 'forbidden')
      const second = String(expectOk(await admin.send('POST', `${path}/secret`)).object['secret'])
      for (const response of [
        await admin.get(path),
        await admin.get('/webhooks'),
        await admin.get('/audit?fields=changes'),
      ]) {
        expect(expectOk(response).text).not.to.include(secret).and.not.to.include(second)
      }
      expectFaults(
        await admin.post('/webhooks', { url: 'no address', events: ['content.moved'] }),
        'events.0',
        'url',
      )
      expectOk(await admin.delete(path))
      expectError(await admin.get(path), 404, 'not_found')
    })
  },
  { WEBHOOKS_ALLOW_PRIVATE: 'true' },
)

onEveryStore('web hooks of a deployment that allows no private addresses', {}, (place) => {
  it('are refused with a private address, in every notation, and with http', async () => {
    const { admin } = place.home
    for (const url of [
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest/',
      'https://localhost/',
      'https://localhost./hook',
      'https://site.localhost/',
      'http://www.example.org/',
    ])
      expectFaults(await admin.post('/webhooks', { url }), 'url')
    for (const address of [
      'a:99999',
      '[::1',
      '256.256.256.256',
      '%zz',
      '1.2.3.4.5',
      'user:secret@example.org',
    ]) {
      expectFaults(await admin.post('/webhooks', { url: `https://${address}/` }), 'url')
      expectFaults(await admin.patch('/settings', { website_url: `https://${address}/` }), 'website_url')
    }
    expectFaults(
      await admin.patch('/settings', { website_url: 'https://www.example.org/?x=1' }),
      'website_url',
    )
    expect(rowsOf(await admin.get('/webhooks'))).to.deep.equal([])
  })
})
