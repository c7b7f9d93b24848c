/** The administration of web hooks (docs/behaviour/webhooks.md). */
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections, systemCollections, systemInstance } from '../collections.js'
import {
  changeWebhook,
  createWebhook,
  listDeliveries,
  listInstanceAudit,
  listWebhooks,
  readWebhook,
  repeatDelivery,
  removeWebhook,
  replaceWebhookSecret,
  testWebhook,
} from '../operations.js'
import { recordingSender, type RecordingSender } from '../test-support/recording-sender.js'
import { createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'

const url = 'https://receiver.example.org/hook'

describe('the administration of web hooks', () => {
  let stage: Stage
  let sender: RecordingSender
  beforeEach(async () => {
    sender = recordingSender()
    stage = await createStage({ webhookSender: sender })
  })

  const admin = (instance = 1) => ({ ...stage.as('admin', instance), requestId: 'r' })
  const create = (body: JsonObject = { url }) => right(stage.run(createWebhook, admin(), { body }))
  const read = (id: string) => right(stage.run(readWebhook, admin(), { id }))
  const change = (id: string, body: JsonObject) => stage.run(changeWebhook, admin(), { id, body })

  it('shows the secret once, and nowhere else', async () => {
    const { id, secret } = await create({ url, events: ['content.updated'], description: 'For the site' })
    expect(secret).to.equal('whsec_1')
    const { created, ...shown } = await read(id)
    expect(created).to.equal(new Date(stage.clock.now()).toISOString())
    expect(shown).to.deep.equal({
      uuid: id,
      url,
      events: ['content.updated'],
      active: true,
      description: 'For the site',
      failing_since: null,
      switched_off: null,
    })
    await right(change(id, { description: null }))
    await right(stage.run(testWebhook, admin(), { id }))
    const lists = [
      await right(stage.run(listWebhooks, admin(), { parameters: {} })),
      await right(
        stage.run(listInstanceAudit, admin(), { parameters: { fields: 'operation,object,changes' } }),
      ),
      await right(stage.run(listDeliveries, admin(), { id, parameters: {} })),
    ]
    expect(JSON.stringify(lists)).not.to.include('whsec')
    expect(lists[1]?.items).to.deep.equal([
      ['testWebhook', id, null],
      ['changeWebhook', id, null],
      ['createWebhook', id, null],
    ])
    expect(JSON.stringify(stage.log.entries())).not.to.include('whsec')
  })

  it('refuses addresses to which nothing would be sent, and unknown events', async () => {
    const refused = (body: JsonObject) => faultsOf(stage.run(createWebhook, admin(), { body }))
    expect(await refused({ url: 'http://receiver.example.org/' })).to.have.keys('url')
    expect(await refused({ url: 'https://10.0.0.1/' })).to.have.keys('url')
    expect(await refused({})).to.have.keys('url')
    expect(await refused({ url, events: [] })).to.have.keys('events')
    expect(await refused({ url, events: ['content.moved'] })).to.have.keys('events.0')
    const { id } = await create()
    expect(await faultsOf(change(id, { url: 'https://10.0.0.1/' }))).to.have.keys('url')
    expect(await read(id)).to.include({ url })
  })

  it('are at most 20 of an instance, also where several are created at once; existing ones are changed as before', async () => {
    const creations = Array.from({ length: 24 }, () => stage.run(createWebhook, admin(), { body: { url } })())
    const results = await Promise.all(creations)
    const made = results.flatMap((result) => (E.isRight(result) ? [result.right.id] : []))
    expect(made).to.have.length(20)
    const limit = await left(stage.run(createWebhook, admin(), { body: { url } }))
    expect(limit).to.have.property('_tag', 'BadParameters')
    expect(limit).to.have.nested.property('faults[0].code', 'limit')
    const stored = await right(stage.documents.get('webhooks', systemInstance, made[0] ?? ''))
    const earlier = { id: 'of-an-earlier-version', unique: null, value: { ...stored?.value } }
    await right(stage.documents.insert('webhooks', systemInstance, earlier))
    await right(change(earlier.id, { description: 'The twenty-first' }))
    await right(stage.run(removeWebhook, admin(), { id: made[0] ?? '' }))
    expect(await left(stage.run(createWebhook, admin(), { body: { url } }))).to.deep.equal(limit)
    await right(stage.run(removeWebhook, admin(), { id: earlier.id }))
    await create()
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    await right(stage.run(createWebhook, admin(2), { body: { url } }))
  })

  it('belongs to its instance', async () => {
    const { id } = await create()
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    const other = admin(2)
    for (const outcome of [
      stage.run(readWebhook, other, { id }),
      stage.run(changeWebhook, other, { id, body: {} }),
      stage.run(removeWebhook, other, { id }),
      stage.run(replaceWebhookSecret, other, { id }),
      stage.run(testWebhook, other, { id }),
      stage.run(listDeliveries, other, { id, parameters: {} }),
      stage.run(repeatDelivery, other, { id, delivery: id }),
    ])
      expect(await left(outcome)).to.deep.equal({ _tag: 'NotFound' })
    expect((await right(stage.run(listWebhooks, other, { parameters: {} }))).items).to.deep.equal([])
    await right(stage.run(removeWebhook, admin(), { id }))
    expect(await left(stage.run(readWebhook, admin(), { id }))).to.deep.equal({ _tag: 'NotFound' })
  })

  it('signs with the former secret too, for a day after it was replaced', async () => {
    const { id, secret: first } = await create()
    const { secret: second } = await right(stage.run(replaceWebhookSecret, admin(), { id }))
    const test = () => right(stage.run(testWebhook, admin(), { id }))
    await test()
    stage.clock.advance(60_000)
    const { secret: third } = await right(stage.run(replaceWebhookSecret, admin(), { id }))
    await test()
    stage.clock.advance(86_400_000 - 60_000)
    await test()
    stage.clock.advance(60_000)
    await test()
    expect(sender.messages.map(({ secrets }) => secrets)).to.deep.equal([
      [second, first],
      [third, second, first],
      [third, second],
      [third],
    ])
  })

  it('signs with the former secret of a web hook that an earlier release has stored', async () => {
    const { id, secret } = await create()
    const { name } = systemCollections.webhooks
    const stored = await right(stage.documents.get(name, systemInstance, id))
    if (stored === null) throw new Error('the web hook is not stored')
    const value = { ...stored.value, former_secret: 'whsec_old', former_until: stage.clock.now() + 1000 }
    await right(stage.documents.replace(name, systemInstance, { ...stored, unique: null, value }))
    await right(stage.run(testWebhook, admin(), { id }))
    const { secret: second } = await right(stage.run(replaceWebhookSecret, admin(), { id }))
    await right(stage.run(testWebhook, admin(), { id }))
    expect(sender.messages.map(({ secrets }) => secrets)).to.deep.equal([
      [secret, 'whsec_old'],
      [second, secret, 'whsec_old'],
    ])
  })

  it('refuses another secret while ten former ones sign', async () => {
    const { id } = await create()
    for (let count = 0; count < 10; count += 1) {
      await right(stage.run(replaceWebhookSecret, admin(), { id }))
      stage.clock.advance(1000)
    }
    const again = () => stage.run(replaceWebhookSecret, admin(), { id })
    expect(await left(again())).to.deep.equal({ _tag: 'TooManyRequests', retryAfter: 86_390 })
    stage.clock.advance(86_390_000)
    await right(again())
  })

  it('tests a receiver at once, and lists what came of it', async () => {
    const { id } = await create({ url, active: false })
    const { uuid } = await right(stage.run(testWebhook, admin(), { id }))
    sender.answer = () => ({ status: 302, failure: 'redirect' })
    const second = await right(stage.run(testWebhook, admin(), { id }))
    expect(second).to.deep.include({ state: 'failed', status: 302, failure: 'redirect' })
    expect(JSON.parse(sender.messages[0]?.body ?? '')).to.deep.equal({
      id: uuid,
      type: 'test',
      time: new Date(stage.clock.now()).toISOString(),
      instance: 1,
      object: {
        uuid: id,
        type: 'webhooks',
        url: `https://api.example.org/1/webhooks/${id}`,
        path: null,
        previous_path: null,
      },
      cache_tags: ['publication-1-webhooks', id],
    })
    const list = async (state: string) =>
      (await right(stage.run(listDeliveries, admin(), { id, parameters: { fields: 'uuid', state } }))).items
    expect(await list('delivered')).to.deep.equal([[uuid]])
    expect(await list('failed-pending')).to.deep.equal([[second.uuid]])
    await right(stage.run(repeatDelivery, admin(), { id, delivery: second.uuid }))
    expect(await list('pending')).to.deep.equal([[second.uuid]])
  })

  it('is removed with its instance', async () => {
    const { id } = await create()
    await right(stage.run(testWebhook, admin(), { id }))
    await right(
      stage.useCases.deleteInstance.run({ number: 1, title: 'The Daily Test', wait: async () => undefined }),
    )
    const { webhooks, webhookDeliveries } = systemCollections
    for (const { name } of collections.filter((each) => each === webhooks || each === webhookDeliveries)) {
      const query = { where: [], order: [], skip: 0, limit: 10, detail: 'light' } as const
      expect((await right(stage.documents.find(name, systemInstance, query))).documents).to.deep.equal([])
    }
  })
})
