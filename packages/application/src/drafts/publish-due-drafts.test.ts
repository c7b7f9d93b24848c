/** Drafts that name a time of publication (docs/behaviour/drafts.md#time-of-publication). */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { principalWith } from '../access/principals.js'
import { collections } from '../collections.js'
import {
  changeDraft,
  changeObject,
  createObject,
  listInstanceAudit,
  listMissedPublications,
  readDraft,
  readObject,
  removeObject,
  restoreFromTrash,
} from '../operations.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { userCommands } from '../test-support/user-commands.js'
import { article, createStage, left, right, thrownBy, type Stage } from '../test-support/stage.js'

describe('a draft with a time of publication', () => {
  let store: ControllableStore
  let stage: Stage
  let user: string
  beforeEach(async () => {
    store = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents: store })
    user = (await right(userCommands(stage).create('ed'))).user
    await right(userCommands(stage).grant(user, 1, 'editor'))
  })

  const asUser = () => ({
    ...stage.as('editor'),
    requestId: 'r',
    identity: E.right(
      principalWith(
        { id: user, user: 'ed', key: 'k' },
        { operator: false, roles: [{ instance: 1, roles: ['editor'] }] },
      ),
    ),
  })
  const create = (urlname: string) =>
    right(stage.run(createObject(content), asUser(), { body: article(urlname, { title: 'One' }) }))
  const draft = (id: string, body: JsonObject) =>
    right(stage.run(changeDraft(content), asUser(), { id, body }))
  const read = (id: string) => right(stage.run(readObject(content), asUser(), { id, parameters: {} }))
  const readItsDraft = (id: string) => stage.run(readDraft(content), asUser(), { id })
  const missedAs = (role: 'admin' | 'editor' | 'contributor') =>
    right(stage.run(listMissedPublications, stage.as(role), null))
  const due = () => stage.useCases.publishDueDrafts()
  const warnings = () =>
    stage.log
      .entries()
      .flatMap(({ event, fields }) => (event === 'draft not published at its time' ? [fields['reason']] : []))
  const half = '2026-03-01T13:30:00'
  const halfAnHour = 1_800_000

  it('is published then, as the user that has set it', async () => {
    const id = await create('a')
    await draft(id, { title: 'Two', publish_at: half })
    await right(stage.run(changeDraft(content), stage.as('admin'), { id, body: { kicker: 'K' } }))
    stage.clock.advance(halfAnHour - 1000)
    expect(await due()).to.equal(0)
    stage.clock.advance(1000)
    expect(await due()).to.equal(1)
    expect(await due()).to.equal(0)
    expect(await read(id)).to.include({ title: 'Two', kicker: 'K', has_draft: false })
    const parameters = {
      fields: 'operation-user-api_key-address',
      order: 'created',
      operations: 'publishDraft',
    }
    const { items } = await right(stage.run(listInstanceAudit, stage.as('admin'), { parameters }))
    expect(items).to.deep.equal([['publishDraft', user, null, null]])
    expect(warnings()).to.deep.equal([])
  })

  it('of two processes at the same time, one records its publication', async () => {
    const id = await create('a')
    await draft(id, { title: 'Two', publish_at: half })
    stage.clock.advance(halfAnHour)
    const held = store.hold('replace', 'content')
    const first = due()
    await held.reached
    // The other one has the draft too, and publishes it first.
    await stage.anotherProcess().publishDueDrafts()
    held.release()
    await first
    expect(await read(id)).to.include({ title: 'Two', has_draft: false })
    const parameters = { fields: 'object-operation', order: 'created', operations: 'publishDraft' }
    const { items } = await right(stage.run(listInstanceAudit, stage.as('admin'), { parameters }))
    expect(items).to.deep.equal([[id, 'publishDraft']])
  })

  it('in a repeated hour is published at the moment that was sent', async () => {
    stage.clock.set(Date.parse('2026-10-24T12:00:00Z'))
    const id = await create('a')
    await draft(id, { title: 'Two', publish_at: '2026-10-25T02:30:00+01:00' })
    stage.clock.set(Date.parse('2026-10-25T00:45:00Z'))
    expect(await due()).to.equal(0)
    stage.clock.set(Date.parse('2026-10-25T01:30:00Z'))
    expect(await due()).to.equal(1)
  })

  it('is not published any more after its time is cleared', async () => {
    const id = await create('a')
    await draft(id, { title: 'Two', publish_at: half })
    await draft(id, { publish_at: null })
    stage.clock.advance(halfAnHour)
    expect(await due()).to.equal(0)
    expect(await right(readItsDraft(id))).to.include({ title: 'Two', publish_at: null })
  })

  it('remains without a time if it is refused, and the draft and the log say why once', async () => {
    const [conflicting, taken, fine] = [await create('a'), await create('b'), await create('d')]
    await draft(conflicting, { title: 'Two', publish_at: half })
    await draft(taken, { urlname: 'c', publish_at: half })
    await draft(fine, { title: 'Two', publish_at: half })
    await right(stage.run(changeObject(content), asUser(), { id: conflicting, body: { title: 'Other' } }))
    await create('c')
    stage.clock.advance(halfAnHour)
    expect(await due()).to.equal(1)
    expect(await due()).to.equal(0)
    expect(warnings()).to.have.members(['conflict: title', 'invalid: urlname'])
    const missed = { publish_at: half, reason: 'conflict', attributes: ['title'] }
    expect(await right(readItsDraft(conflicting))).to.deep.include({ title: 'Two', publish_at: null, missed })
    const misses = { publish_at: half, reason: 'invalid', attributes: ['urlname'] }
    expect(await right(readItsDraft(taken))).to.deep.include({ urlname: 'c', missed: misses })
    expect(await read(fine)).to.include({ title: 'Two' })
  })

  for (const [what, take] of [
    ['lost the role', () => right(userCommands(stage).revokeRole(user, { instance: 1, role: 'editor' }))],
    [
      'was deleted',
      async () => {
        const { version = 0 } = (await right(store.get('users', 0, user))) ?? {}
        await right(store.remove('users', 0, user, version))
      },
    ],
  ] as const)
    it(`is not published if the user ${what}`, async () => {
      const id = await create('a')
      await draft(id, { title: 'Two', publish_at: half })
      await take()
      stage.clock.advance(halfAnHour)
      expect(await due()).to.equal(0)
      expect(warnings()).to.deep.equal(['forbidden'])
      expect((await missedAs('admin')).map(({ uuid, reason }) => [uuid, reason])).to.deep.equal([
        [id, 'forbidden'],
      ])
      expect(await read(id)).to.include({ title: 'One' })
    })

  it('that is missed is listed for those who may change the object, until its draft ends', async () => {
    const [first, second] = [await create('a'), await create('b')]
    for (const id of [first, second]) {
      await draft(id, { title: 'Two', publish_at: half })
      await right(stage.run(changeObject(content), asUser(), { id, body: { title: 'Other' } }))
    }
    expect(await missedAs('admin')).to.deep.equal([])
    stage.clock.advance(halfAnHour)
    expect(await due()).to.equal(0)
    const listed = await missedAs('editor')
    expect(listed.map(({ uuid }) => uuid)).to.have.members([first, second])
    expect(listed.find(({ uuid }) => uuid === first)).to.deep.equal({
      type: 'content',
      uuid: first,
      url: `https://api.example.org/1/content/${first}`,
      title: 'Other',
      publish_at: half,
      reason: 'conflict',
      attributes: ['title'],
    })
    // They are those of others.
    expect(await missedAs('contributor')).to.deep.equal([])
    await draft(first, { publish_at: '2026-04-01T12:00:00' })
    expect((await missedAs('editor')).map(({ uuid }) => uuid)).to.deep.equal([second])
    await right(stage.run(removeObject(content), asUser(), { id: second }))
    expect(await missedAs('editor')).to.deep.equal([])
    await right(stage.run(restoreFromTrash, stage.as('admin'), { collection: 'content', id: second }))
    expect(await missedAs('editor')).to.deep.equal([])
  })

  it('is published later if the store has failed', async () => {
    const id = await create('a')
    await draft(id, { title: 'Two', publish_at: half })
    stage.clock.advance(halfAnHour)
    store.fail('replace', 'content')
    expect(await due()).to.equal(0)
    store.fail('find', 'drafts')
    expect(await thrownBy(due)).to.have.property('_tag', 'PortFailure')
    expect(await due()).to.equal(1)
    expect(await read(id)).to.include({ title: 'Two' })
  })

  it('of an object that is deleted is gone', async () => {
    const id = await create('a')
    await draft(id, { title: 'Two', publish_at: half })
    await right(stage.run(removeObject(content), asUser(), { id }))
    stage.clock.advance(halfAnHour)
    expect(await due()).to.equal(0)
    expect(await right(store.get('drafts', 1, `content/${id}`))).to.equal(null)
    expect(await left(readItsDraft(id))).to.have.property('_tag', 'NotFound')
  })
})
