/** What is delivered, when, and in which order (docs/behaviour/webhooks.md#deliveries). */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, location, section, type Resource } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { DeliveryAnswer } from '@publishing-service/domain/webhooks'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections, systemInstance } from '../collections.js'
import {
  changeObject,
  changeSettings,
  changeWebhook,
  createObject,
  createWebhook,
  listDeliveries,
  readWebhook,
  removeObject,
  removeWebhook,
  repeatDelivery,
} from '../operations.js'
import { hasChange } from '../test-support/memory-documents.js'
import { accepted, recordingSender, type RecordingSender } from '../test-support/recording-sender.js'
import {
  article,
  aSection,
  createStage,
  left,
  right,
  type Process,
  type Stage,
} from '../test-support/stage.js'
import { leaseTime } from '../lease.js'

const url = 'https://receiver.example.org/hook'
const hour = 3_600_000
const day = 24 * hour
const published = { state: 'published' }
const failed: DeliveryAnswer = { status: 500, failure: 'status' }

describe('web hooks', () => {
  let stage: Stage
  let sender: RecordingSender
  beforeEach(async () => {
    sender = recordingSender()
    stage = await createStage({ webhookSender: sender })
  })

  const admin = () => ({ ...stage.as('admin'), requestId: 'r' })
  const hook = async (body: JsonObject = {}): Promise<string> =>
    (await right(stage.run(createWebhook, admin(), { body: { url, ...body } }))).id
  const create = (body: JsonObject, resource: Resource = content) =>
    right(stage.run(createObject(resource), admin(), { body }))
  const change = (id: string, body: JsonObject) =>
    right(stage.run(changeObject(content), admin(), { id, body }))
  const remove = (id: string) => right(stage.run(removeObject(content), admin(), { id }))

  /** Does all that is due now. */
  const deliver = async ({ webhookWorker }: Process = stage.useCases): Promise<void> => {
    for (let i = 0; i < 30; i += 1) {
      await webhookWorker.step()
      await stage.clock.turn()
    }
  }
  /** Moves the clock in steps, each followed by all that is due. */
  const pass = async (milliseconds: number, stepSize = hour): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += stepSize) {
      stage.clock.advance(Math.min(stepSize, milliseconds - passed))
      await deliver()
    }
  }
  const bodies = (): readonly { readonly type: string; readonly object: { readonly uuid: string } }[] =>
    sender.messages.map(({ body }) => JSON.parse(body))
  const events = () => bodies().map(({ type }) => type)
  const deliveries = async (id: string, fields = 'event,state'): Promise<readonly Json[]> =>
    (
      await right(
        stage.run(listDeliveries, admin(), { id, parameters: { fields, order: 'created', rpp: '100' } }),
      )
    ).items
  const read = (id: string) => right(stage.run(readWebhook, admin(), { id }))

  it('receive changes of settings, by name or with all others', async () => {
    const [named, every, other] = [
      await hook({ events: ['settings.updated'] }),
      await hook(),
      await hook({ events: ['content.updated'] }),
    ]
    await right(stage.run(changeSettings, admin(), { body: { title: 'Another' } }))
    await deliver()
    for (const id of [named, every])
      expect(await deliveries(id, 'event,type,object,state')).to.deep.equal([
        ['settings.updated', 'settings', null, 'delivered'],
      ])
    expect(await deliveries(other)).to.deep.equal([])
    expect(bodies()[0]).to.deep.include({
      object: {
        uuid: null,
        type: 'settings',
        url: 'https://api.example.org/1/settings',
        path: null,
        previous_path: null,
      },
    })
  })

  it('receive what the public sees of changes from then on, with paths', async () => {
    await create(article('before', published))
    const id = await hook()
    const top = await create(aSection('news'), section)
    const story = await create(article('a', { section_uuid: top }))
    await change(story, { title: 'Not public' })
    await change(story, published)
    await change(story, { urlname: 'b' })
    await change(story, { state: 'draft' })
    await change(story, published)
    await remove(story)
    await remove(await create(article('never-public')))
    await create({ title: 'A place', urlname: 'place' }, location)
    await deliver()
    expect(events()).to.have.members([
      'sections.published',
      'content.published',
      'content.updated',
      'content.unpublished',
      'content.published',
      'content.deleted',
      'locations.published',
    ])
    const ofStory = bodies().filter(({ object }) => object.uuid === story)
    expect(ofStory.map(({ type }) => type)).to.deep.equal([
      'content.published',
      'content.updated',
      'content.unpublished',
      'content.published',
      'content.deleted',
    ])
    expect(ofStory[1]).to.deep.include({
      instance: 1,
      object: {
        uuid: story,
        type: 'content',
        url: `https://api.example.org/1/content/${story}`,
        path: '/news/b/',
        previous_path: '/news/a/',
      },
      cache_tags: ['publication-1-content', story],
    })
    expect((await deliveries(id)).map((row) => Array.isArray(row) && row[1])).to.deep.equal(
      Array.from({ length: 7 }, () => 'delivered'),
    )
  })

  it('receive only their events', async () => {
    await hook({ events: ['content.deleted', 'locations.published'] })
    await remove(await create(article('a', published)))
    await create({ title: 'A place', urlname: 'place' }, location)
    await deliver()
    expect(events()).to.have.members(['content.deleted', 'locations.published'])
  })

  it('have the identifier of a delivery in its body, the same in each attempt', async () => {
    await hook()
    sender.answer = () => failed
    await create(article('a', published))
    await deliver()
    await pass(10_000, 5000)
    expect(sender.messages).to.have.length(2)
    const [first, second] = sender.messages
    expect(second?.id).to.equal(first?.id)
    expect(JSON.parse(first?.body ?? '')).to.include({ id: first?.id })
  })

  it('receive the changes of an object in their order, also while one fails; others do not wait for it', async () => {
    await hook()
    const [one, other] = [await create(article('a', published)), await create(article('b', published))]
    sender.answer = ({ body }) => (body.includes(one) ? failed : accepted)
    await change(one, { title: 'B' })
    await change(other, { title: 'B' })
    await deliver()
    const of = (id: string) =>
      bodies()
        .filter(({ object }) => object.uuid === id)
        .map(({ type }) => type)
    expect(of(one)).to.deep.equal(['content.published'])
    expect(of(other)).to.deep.equal(['content.published', 'content.updated'])
    sender.answer = () => accepted
    await pass(10_000, 5000)
    expect(of(one)).to.deep.equal(['content.published', 'content.published', 'content.updated'])
  })

  it('have at most four attempts at the same time', async () => {
    await hook()
    let running = 0
    let most = 0
    const answers: (() => void)[] = []
    sender.answer = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => answers.push(resolve))
      running -= 1
      return accepted
    }
    for (let i = 0; i < 20; i += 1) await create(article(`a${i}`, published))
    while (sender.messages.length < 20 || running > 0) {
      await deliver()
      for (const answer of answers.splice(0)) answer()
    }
    expect(most).to.equal(4)
  })

  it('a delivery fails after two days of attempts, is listed, and can be repeated', async () => {
    const id = await hook()
    sender.answer = () => failed
    await create(article('a', published))
    await deliver()
    await pass(2 * day - 1000)
    expect(await deliveries(id)).to.deep.equal([['content.published', 'pending']])
    await pass(1000)
    expect(await deliveries(id, 'state,status,failure,next_attempt')).to.deep.equal([
      ['failed', 500, 'status', null],
    ])
    const attempted = sender.messages.length
    expect(attempted).to.be.within(15, 40)
    await pass(day)
    expect(sender.messages).to.have.length(attempted)
    sender.answer = () => accepted
    await right(stage.run(repeatDelivery, admin(), { id, delivery: sender.messages[0]?.id ?? '' }))
    await deliver()
    expect(await deliveries(id, 'state,attempts')).to.deep.equal([['delivered', 1]])
    expect(sender.messages.at(-1)?.id).to.equal(sender.messages[0]?.id)
  })

  it('a receiver that fails for five days is switched off with the reason; switched on again, it misses nothing', async () => {
    const id = await hook()
    const story = await create(article('a', published))
    sender.answer = () => failed
    await deliver()
    const since = new Date(stage.clock.now()).toISOString()
    expect(await read(id)).to.include({ active: true, failing_since: since, switched_off: null })
    for (let i = 0; i < 4; i += 1) {
      await pass(day)
      await change(story, { title: `Day ${i}` })
    }
    await pass(day - hour)
    expect(await read(id)).to.include({ active: true, failing_since: since })
    await pass(5 * hour)
    expect(await read(id)).to.include({ active: false, failing_since: since, switched_off: 'failing' })
    const attempted = sender.messages.length
    await change(story, { title: 'While it is off' })
    await pass(day)
    expect(sender.messages).to.have.length(attempted)
    sender.answer = () => accepted
    await right(stage.run(changeWebhook, admin(), { id, body: { active: true } }))
    await deliver()
    expect(await read(id)).to.include({ active: true, failing_since: null, switched_off: null })
    const pending = (await deliveries(id)).filter((row) => Array.isArray(row) && row[1] === 'pending')
    expect(pending).to.deep.equal([])
    expect(events().at(-1)).to.equal('content.updated')
  })

  it('a success ends the time of failure', async () => {
    const id = await hook()
    sender.answer = () => failed
    await create(article('a', published))
    await deliver()
    expect((await read(id))['failing_since']).not.to.equal(null)
    sender.answer = () => accepted
    await pass(hour)
    expect(await read(id)).to.include({ failing_since: null })
  })

  it('a receiver that answers 410 is switched off at once', async () => {
    const id = await hook()
    sender.answer = () => ({ status: 410, failure: 'gone' })
    await create(article('a', published))
    await deliver()
    await create(article('b', published))
    await pass(day)
    expect(await read(id)).to.include({ active: false, switched_off: 'gone' })
    expect(sender.messages).to.have.length(1)
    sender.answer = () => accepted
    await right(stage.run(changeWebhook, admin(), { id, body: { active: true } }))
    await deliver()
    expect(events()).to.deep.equal(['content.published', 'content.published', 'content.published'])
  })

  it('nothing is sent to one that was removed', async () => {
    const id = await hook()
    sender.answer = () => failed
    await create(article('a', published))
    await deliver()
    await right(stage.run(removeWebhook, admin(), { id }))
    await create(article('b', published))
    await pass(hour)
    expect(sender.messages).to.have.length(1)
    expect(await left(stage.run(listDeliveries, admin(), { id, parameters: {} }))).to.have.property(
      '_tag',
      'NotFound',
    )
  })

  it('deliveries are retained for 30 days', async () => {
    const id = await hook()
    await create(article('a', published))
    await deliver()
    stage.clock.advance(30 * day)
    expect(await stage.useCases.webhookWorker.expire()).to.equal(0)
    stage.clock.advance(1)
    expect(await stage.useCases.webhookWorker.expire()).to.equal(1)
    expect(await deliveries(id)).to.deep.equal([])
  })

  it('long paths are delivered, in more than one write', async () => {
    await hook()
    const long = 'x'.repeat(200)
    let parent: string | null = null
    for (let i = 0; i < 9; i += 1) parent = await create(aSection(`${long}${i}`, parent), section)
    for (let i = 0; i < 60; i += 1)
      await create(article(`${long}-${i}`, { ...published, section_uuid: parent }))
    await deliver()
    expect(events().filter((event) => event === 'content.published')).to.have.length(60)
    expect(new Set(bodies().map(({ object }) => object.uuid)).size).to.equal(69)
  })

  describe('with several processes', () => {
    it('one delivers, and another takes over when it ends or stops to renew', async () => {
      await hook()
      const other = stage.anotherProcess()
      await deliver()
      await create(article('a', published))
      await deliver(other)
      expect(sender.messages).to.have.length(0)
      // The first process does nothing any more.
      stage.clock.advance(leaseTime)
      await deliver(other)
      expect(events()).to.deep.equal(['content.published'])
      // It continues, and sees that another one has taken over.
      await create(article('b', published))
      await deliver()
      expect(sender.messages).to.have.length(1)
      await other.webhookWorker.stop()
      stage.clock.advance(leaseTime / 3)
      await deliver()
      expect(sender.messages).to.have.length(2)
    })

    it('each change is made into one delivery, and none is lost, while the lease changes hands', async () => {
      const id = await hook()
      const processes = [stage.useCases, stage.anotherProcess(), stage.anotherProcess()]
      const made: string[] = []
      for (let i = 0; i < 60; i += 1) {
        made.push(await create(article(`a${i}`, published)))
        await processes[i % 3]?.webhookWorker.step()
        if (i % 7 === 0) stage.clock.advance(leaseTime)
        // Both believe that they hold it.
        await Promise.all(processes.map(({ webhookWorker }) => webhookWorker.step()))
      }
      stage.clock.advance(leaseTime)
      for (const process of processes) await deliver(process)
      stage.clock.advance(leaseTime)
      for (const process of processes) await deliver(process)
      expect(await deliveries(id, 'object,state')).to.have.deep.members(
        made.map((uuid) => [uuid, 'delivered']),
      )
      expect(new Set(bodies().map(({ object }) => object.uuid))).to.deep.equal(new Set(made))
    })

    it('a delivery whose answer was not written is delivered again, under the same identifier', async () => {
      await hook()
      let isCrashing = true
      const crashing = (store: DocumentStore): DocumentStore => ({
        ...store,
        write: (...call) =>
          isCrashing && hasChange(call[1], 'any', 'webhook_deliveries')
            ? () => new Promise(() => undefined)
            : store.write(...call),
      })
      const first = stage.anotherProcess({ documents: crashing(stage.documents) })
      await deliver(first)
      await create(article('a', published))
      await deliver(first)
      expect(sender.messages).to.have.length(1)
      isCrashing = false
      stage.clock.advance(leaseTime)
      await deliver()
      stage.clock.advance(leaseTime)
      await deliver()
      expect(sender.messages).to.have.length(2)
      expect(sender.messages[1]?.id).to.equal(sender.messages[0]?.id)
    })

    it('a stop ends attempts, which are made again by another process', async () => {
      await hook()
      let end = (): void => undefined
      const stopping: RecordingSender = {
        ...recordingSender(),
        send: () => new Promise((resolve) => (end = () => resolve(null))),
        close: async () => end(),
      }
      const first = stage.anotherProcess({ webhookSender: stopping })
      await deliver(first)
      await create(article('a', published))
      await deliver(first)
      await first.webhookWorker.stop()
      await deliver()
      expect(events()).to.deep.equal(['content.published'])
    })
  })

  describe('while other receivers hang', () => {
    const timedOut: DeliveryAnswer = { status: null, failure: 'timeout' }
    const hostsThatHang = (count: number) =>
      Array.from({ length: count }, (_, index) => `https://hangs-${index}.example.org/`)
    /** The attempts that hang, in their order. */
    let hanging: { readonly url: string; readonly end: (answer: DeliveryAnswer) => void }[]
    beforeEach(async () => {
      hanging = []
      sender.answer = ({ url: receiver }) =>
        receiver.includes('hangs') ? new Promise((end) => hanging.push({ url: receiver, end })) : accepted
      await right(stage.useCases.administerInstances.create({ title: 'Another', timezone: 'UTC' }))
    })
    const adminOf = (instance: number) => ({ ...stage.as('admin', instance), requestId: 'r' })
    const timeOut = async (): Promise<void> => {
      stage.clock.advance(10_000)
      for (const { end } of hanging.splice(0)) end(timedOut)
      await deliver()
    }
    /** Web hooks of an instance, which may be more than it may have: as those of an earlier version. */
    const storedHooks = async (instance: number, addresses: readonly string[]): Promise<void> => {
      const { id } = await right(stage.run(createWebhook, adminOf(instance), { body: { url } }))
      const stored = await right(stage.documents.get('webhooks', systemInstance, id))
      const value: JsonObject = { ...stored?.value }
      await right(stage.run(removeWebhook, adminOf(instance), { id }))
      for (const address of addresses) {
        const document = { id: stage.ids.uuid(), unique: null, value: { ...value, url: address } }
        await right(stage.documents.insert('webhooks', systemInstance, document))
      }
    }
    const createIn = (instance: number, name: string) =>
      right(stage.run(createObject(content), adminOf(instance), { body: article(name, published) }))
    const sentTo = (address: string) => sender.messages.filter((message) => message.url === address)

    for (const count of [0, 8, 40])
      it(`deliveries of an instance do not wait for ${count} receivers of another one`, async () => {
        await storedHooks(2, hostsThatHang(count))
        await hook()
        for (let i = 0; i < 6; i += 1) await createIn(2, `a${i}`)
        await deliver()
        for (let i = 0; i < 4; i += 1) {
          await createIn(1, `b${i}`)
          await deliver()
          expect(sentTo(url)).to.have.length(i + 1)
          if (i % 2 === 1) await timeOut()
        }
        expect(hanging).to.have.length(count === 0 ? 0 : 8)
      })

    it('deliveries do not wait for one of their instance, which is attempted once at a time until it answers', async () => {
      const [slow = ''] = hostsThatHang(1)
      await storedHooks(1, [slow, url])
      for (let i = 0; i < 20; i += 1) await createIn(1, `a${i}`)
      await deliver()
      expect(sentTo(url)).to.have.length(20)
      expect(hanging).to.have.length(4)
      for (let i = 0; i < 3; i += 1) {
        await timeOut()
        expect(hanging).to.have.length(1)
      }
      hanging.shift()?.end(accepted)
      await deliver()
      expect(hanging).to.have.length(4)
      sender.answer = () => accepted
      for (const { end } of hanging.splice(0)) end(accepted)
      await pass(10_000, 5000)
      expect(new Set(sentTo(slow).map(({ id }) => id)).size).to.equal(20)
    })

    it('a place that becomes free goes to who has waited longest', async () => {
      const [one = '', other = '', third = ''] = hostsThatHang(3)
      await storedHooks(1, [one, other, third])
      for (let i = 0; i < 10; i += 1) await createIn(1, `a${i}`)
      await deliver()
      const counts = () => [one, other, third].map((each) => sentTo(each).length)
      expect(counts()).to.deep.equal([4, 4, 0])
      hanging.shift()?.end(accepted)
      await deliver()
      expect(counts()).to.deep.equal([4, 4, 1])
      for (let i = 0; i < 8; i += 1) {
        hanging.shift()?.end(accepted)
        await deliver()
      }
      for (const each of counts()) expect(each).to.be.within(4, 7)
    })
  })

  it('each delivery is attempted once, however long a look at them takes', async () => {
    const store = memoryDocumentStore(collections)
    const slow: DocumentStore = {
      ...store,
      find: (collection, instance, query) => async () => {
        const found = await store.find(collection, instance, query)()
        if (collection === 'webhook_deliveries') for (let i = 0; i < 40; i += 1) await stage.clock.turn()
        return found
      },
    }
    stage = await createStage({ webhookSender: sender, documents: slow })
    await hook()
    // Others end while one is looked for.
    sender.answer = async () => {
      const turns = (sender.messages.length % 4) * 15
      for (let i = 0; i < turns; i += 1) await stage.clock.turn()
      return accepted
    }
    for (let i = 0; i < 40; i += 1) await create(article(`a${i}`, published))
    while (new Set(sender.messages.map(({ id }) => id)).size < 40) await deliver()
    await deliver()
    expect(sender.messages).to.have.length(40)
  })

  it('a defect of one does not hold up others', async () => {
    const store = memoryDocumentStore(collections)
    let isDamaged = false
    stage = await createStage({
      webhookSender: sender,
      documents: {
        ...store,
        write: (instance, changes, appended) => {
          if (isDamaged && hasChange(changes, 'any', 'webhook_work') && appended.length > 0) {
            isDamaged = false
            throw new Error('a defect')
          }
          return store.write(instance, changes, appended)
        },
      },
    })
    await hook()
    await hook({ url: 'https://other.example.org/' })
    await deliver()
    isDamaged = true
    await create(article('a', published))
    await deliver()
    expect(sender.messages).to.have.length(1)
    stage.clock.advance(60_000)
    await deliver()
    expect(new Set(sender.messages.map((message) => message.url)).size).to.equal(2)
    expect(stage.log.entries().filter(({ event }) => event === 'defect')).to.have.length(1)
  })
})
