/** What happens by the clock, in the feed of changes (docs/behaviour/changes.md#by-the-clock). */
import { content, location, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { changeSettings, changeObject, createObject, listChanges } from '../operations.js'
import { controllableStore } from '../test-support/controllable-document-store.js'
import { article, createStage, right, type Stage } from '../test-support/stage.js'

const hour = 3_600_000

describe('what happens by the clock', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
    await stage.useCases.recordScheduled()
  })

  const as = (role: 'admin' | 'public_user' | 'reader') => ({ ...stage.as(role), requestId: 'r' })
  const create = (body: JsonObject, resource: Resource = content) =>
    right(stage.run(createObject(resource), as('admin'), { body }))
  const kinds = async (role: 'public_user' | 'reader' = 'public_user'): Promise<readonly string[]> =>
    (await right(stage.run(listChanges, as(role), { parameters: { types: 'content,locations' } }))).items.map(
      ({ kind, uuid }) => `${kind} ${uuid}`,
    )
  /** It is 13:00 in Vienna. */
  const at = (time: string): JsonObject => ({ state: 'published', issued: `2026-03-01T${time}` })

  it('an object goes live once, whichever process records it', async () => {
    const id = await create(article('a', at('14:00:00')))
    const now = await create(article('b', at('13:00:00')))
    expect(await stage.useCases.recordScheduled()).to.equal(0)
    expect(await kinds()).to.deep.equal([`published ${now}`])
    stage.clock.advance(2 * hour)
    const another = stage.anotherProcess()
    const counts = await Promise.all([stage.useCases.recordScheduled(), another.recordScheduled()])
    expect(counts).to.have.members([0, 1])
    expect(await kinds()).to.deep.equal([`published ${now}`, `published ${id}`])
    expect(await kinds('reader')).to.deep.equal([`created ${id}`, `published ${now}`, `published ${id}`])
    stage.clock.advance(hour)
    expect(await stage.useCases.recordScheduled()).to.equal(0)
  })

  for (const step of [hour / 6, 2 * hour])
    it(`a clock that was ahead by ${step / 60_000} minutes is set right: what was written meanwhile is in the feed`, async () => {
      const id = await create(article('a', at('13:05:00')))
      stage.clock.advance(step)
      expect(await stage.useCases.recordScheduled()).to.equal(1)
      stage.clock.advance(-step)
      expect(await stage.useCases.recordScheduled()).to.equal(0)
      // The public does not see it now.
      await right(stage.run(changeObject(content), as('admin'), { id, body: { title: 'B' } }))
      stage.clock.advance(5 * 60_000)
      expect(await stage.useCases.recordScheduled()).to.equal(1)
      expect(await kinds()).to.deep.equal([`published ${id}`, `published ${id}`])
    })

  it('times of other processes are found within a minute after the clock was set back', async () => {
    stage.clock.advance(-2 * hour)
    const another = stage.anotherProcess()
    expect(await stage.useCases.recordScheduled()).to.equal(0)
    const id = await right(
      another.run(createObject(content), as('admin'), { body: article('a', at('11:00:30')) }),
    )
    stage.clock.advance(90_000)
    expect(await stage.useCases.recordScheduled()).to.equal(1)
    expect(await kinds()).to.deep.equal([`published ${id}`])
  })

  it('what is written after its time is not recorded again', async () => {
    const id = await create(article('a'))
    stage.clock.advance(2 * hour)
    await right(stage.run(changeObject(content), as('admin'), { id, body: at('14:30:00') }))
    stage.clock.advance(hour)
    expect(await stage.useCases.recordScheduled()).to.equal(0)
    expect(await kinds()).to.deep.equal([`published ${id}`])
  })

  it('an object that was changed after it went live, before that was recorded, is in the feed as published', async () => {
    const id = await create(article('a', at('14:00:00')))
    stage.clock.advance(2 * hour)
    await right(stage.run(changeObject(content), as('admin'), { id, body: { title: 'B' } }))
    expect(await stage.useCases.recordScheduled()).to.equal(1)
    expect(await kinds()).to.deep.equal([`updated ${id}`, `published ${id}`])
  })

  it('of 120 objects at the same time, each is recorded once', async () => {
    const ids: string[] = []
    for (let i = 0; i < 120; i += 1) ids.push(await create(article(`a${i}`, at('14:00:00'))))
    stage.clock.advance(2 * hour)
    expect(await stage.useCases.recordScheduled()).to.equal(120)
    expect(await stage.useCases.recordScheduled()).to.equal(0)
    const read: string[] = []
    for (let since: string | undefined; ;) {
      const parameters = since === undefined ? {} : { since }
      const { items, next } = await right(stage.run(listChanges, as('public_user'), { parameters }))
      if (items.length === 0) break
      read.push(...items.map(({ kind, uuid }) => `${kind} ${uuid}`))
      since = next
    }
    expect(read.toSorted()).to.deep.equal(ids.map((id) => `published ${id}`).toSorted())
  })

  it('a listing begins and ends', async () => {
    await right(stage.run(changeSettings, as('admin'), { body: { directory_addon: true } }))
    const listing = {
      title: 'A place',
      urlname: 'place',
      state: 'published',
      is_listing: true,
      listing_start: '2026-03-01T14:00:00',
      listing_expires: '2026-03-01T16:00:00',
    }
    const id = await create(listing, location)
    expect(await kinds()).to.deep.equal([`published ${id}`])
    stage.clock.advance(2 * hour)
    expect(await stage.useCases.recordScheduled()).to.equal(1)
    stage.clock.advance(2 * hour)
    expect(await stage.useCases.recordScheduled()).to.equal(1)
    expect(await kinds()).to.deep.equal([`published ${id}`, `updated ${id}`, `updated ${id}`])
  })

  it('an object whose time is removed after it was found to be due has the change in the feed, and no time', async () => {
    const id = await create(article('a', at('14:00:00')))
    stage.clock.advance(2 * hour)
    const documents = controllableStore(stage.documents)
    const { reached, release } = documents.hold('get', content.collection)
    const recorded = stage.anotherProcess({ documents }).recordScheduled()
    await reached
    await right(stage.run(changeObject(content), as('admin'), { id, body: { issued: null } }))
    release()
    expect(await recorded).to.equal(0)
    expect(await kinds()).to.deep.equal([`updated ${id}`])
  })

  it('another time zone makes objects go live too', async () => {
    const id = await create(article('a', at('17:00:00')))
    await right(stage.run(changeSettings, as('admin'), { body: { timezone: 'Asia/Tokyo' } }))
    expect(await stage.useCases.recordScheduled()).to.equal(1)
    expect(await kinds()).to.deep.equal([`published ${id}`])
  })
})
