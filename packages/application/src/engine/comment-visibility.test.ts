/** Comments are visible with their content and with the comments above them (docs/behaviour/comments-and-links.md#visible-comments). */
import { comment, content, type Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { placeText, type PageLink, type Parameters } from '@publishing-service/domain/lists'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { Failure } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import { everyInterleaving } from '../test-support/every-interleaving.js'
import { article, createStage, right, type Stage } from '../test-support/stage.js'
import { followed } from './follow-changes.js'
import { listObjects } from './list.js'
import { readObject } from './read-one.js'
import { changeObject, replaceObject } from './write.js'
import { memoryDocuments } from '../test-support/memory-documents.js'

const story = '11111111-1111-4111-8111-111111111111'
const first = '22222222-2222-4222-8222-222222222222'
const reply = '33333333-3333-4333-8333-333333333333'
const deep = '44444444-4444-4444-8444-444444444444'

const on = (id: string, type: 'content' | 'comment'): JsonObject => ({
  parent_type: type,
  parent_uuid: id,
  comment: 'Well said.',
  state: 'published',
})

/** An article with a comment, a reply to it, and a reply to that. */
const furnished = async (documents: DocumentStore): Promise<Stage> => {
  const stage = await createStage({ documents })
  await stage.create(content, article('story', { state: 'published' }), story)
  await stage.create(comment, on(story, 'content'), first)
  await stage.create(comment, on(first, 'comment'), reply)
  await stage.create(comment, on(reply, 'comment'), deep)
  return stage
}

const list = async (stage: Stage, parameters: Parameters, role: Role = 'public_user') =>
  await right(
    stage.run(listObjects(comment), stage.as(role), { parameters: { fields: 'uuid', ...parameters } }),
  )
const listed = async (stage: Stage, parameters: Parameters = {}, role?: Role): Promise<readonly Json[]> =>
  (await list(stage, parameters, role)).items.flat()

const change = (stage: Stage, id: string, body: JsonObject) =>
  right(stage.run(changeObject(id === story ? content : comment), stage.as('editor'), { id, body }))

/** The attributes that comments of earlier releases lack. */
const withoutKnowledge = ({
  hidden_above: _above,
  content_live_from: _from,
  hidden_until: _until,
  ...value
}: JsonObject) => value

/** Stores comments as an earlier release did. */
const makeEarlier = async (
  { documents }: Pick<Stage, 'documents'>,
  ids: readonly string[],
): Promise<void> => {
  for (const id of ids) {
    const stored = await right(documents.get('comments', 1, id))
    if (stored === null) return expect.fail('is not stored')
    const value = { ...withoutKnowledge(stored.value), counted: ['published'] }
    await right(documents.replace('comments', 1, { ...stored, unique: null, value }))
  }
}

describe('the visibility of comments', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await furnished(memoryDocuments())
  })

  const count = async (): Promise<unknown> =>
    (await right(stage.run(readObject(content), stage.as('reader'), { id: story, parameters: {} })))[
      'comments_count'
    ]
  const readable = async (role: Role = 'public_user'): Promise<readonly string[]> => {
    const found: string[] = []
    for (const id of [first, reply, deep])
      if (E.isRight(await stage.run(readObject(comment), stage.as(role), { id, parameters: {} })()))
        found.push(id)
    return found
  }
  /** Checks who sees these comments, in every way. */
  const expectVisible = async (...ids: readonly string[]): Promise<void> => {
    expect(await readable()).to.deep.equal(ids)
    for (const parameters of [{}, { order: 'tree' }, { content: story }, { state: 'published' }])
      expect(await listed(stage, parameters), JSON.stringify(parameters)).to.deep.equal(ids)
    expect(await listed(stage, { parents: `${story}_${first}_${reply}` })).to.deep.equal(ids)
    expect(await readable('reader')).to.deep.equal([first, reply, deep])
    expect(await listed(stage, {}, 'reader')).to.deep.equal([first, reply, deep])
  }

  it('follows the state of their content', async () => {
    await expectVisible(first, reply, deep)
    await change(stage, story, { state: 'draft' })
    await expectVisible()
    expect(await count()).to.equal(3)
    await change(stage, story, { state: 'published' })
    await expectVisible(first, reply, deep)
  })

  it('follows the issue date of their content', async () => {
    await change(stage, story, { issued: '2026-03-01T13:00:05' })
    await expectVisible()
    stage.clock.advance(5000)
    await expectVisible(first, reply, deep)
  })

  it('follows the comments above them, and so does their number', async () => {
    await change(stage, first, { state: 'draft' })
    await expectVisible()
    expect(await count()).to.equal(0)
    await change(stage, reply, { state: 'draft' })
    await change(stage, first, { state: 'published' })
    await expectVisible(first)
    expect(await count()).to.equal(1)
    await change(stage, reply, { state: 'published' })
    await expectVisible(first, reply, deep)
    expect(await count()).to.equal(3)
  })

  it('is right from the beginning for comments on drafts', async () => {
    await change(stage, first, { state: 'draft' })
    const below = await stage.create(comment, on(deep, 'comment'))
    expect(await listed(stage)).to.deep.equal([])
    expect(await count()).to.equal(0)
    await change(stage, first, { state: 'published' })
    expect(await listed(stage)).to.deep.equal([first, reply, deep, below])
  })

  it('is right for comments of earlier releases, whose number is corrected in the background', async () => {
    await change(stage, reply, { state: 'draft' })
    await makeEarlier(stage, [first, reply, deep])
    await expectVisible(first)
    await change(stage, story, { issued: '2026-03-01T13:00:05' })
    await makeEarlier(stage, [first, reply, deep])
    await expectVisible()
    expect(await count()).to.equal(3)
    expect(await stage.anotherProcess().completeComputed()).to.equal(3)
    expect(await count()).to.equal(1)
    expect(await stage.anotherProcess().completeComputed()).to.equal(0)
    stage.clock.advance(5000)
    await expectVisible(first)
  })

  it('leaves pages full where what the store knows is outdated', async () => {
    const hidden = await stage.create(content, article('hidden'))
    const ids = [first, reply, deep]
    const outdated: string[] = []
    for (let number = 0; number < 12; number += 1) {
      ids.push(await stage.create(comment, on(story, 'content')))
      for (let each = 0; each < 3; each += 1)
        outdated.push(await stage.create(comment, on(hidden, 'content')))
    }
    await makeEarlier(stage, outdated)
    const pages: Json[] = []
    for (let link: PageLink = { page: 1, after: null }; ;) {
      const after = link.after === null ? {} : { after: placeText(link.page, link.after) }
      const { items, next } = await list(stage, { rpp: '4', page: `${link.page}`, ...after })
      pages.push(...items.flat())
      if (next === null) break
      expect(items).to.have.lengthOf(4)
      link = next
    }
    expect(pages).to.deep.equal(ids)
  })
})

describe('concurrent changes of what comments are visible with', () => {
  type Answer = E.Either<Failure, unknown>
  const late = '55555555-5555-4555-8555-555555555555'

  for (const [what, id] of [
    ['content', story],
    ['a comment above', first],
  ] as const)
    it(`of ${what} show no comment too early, and every one in the end, with a crash at every step`, async () => {
      await everyInterleaving<Answer>(async () => {
        const store = memoryDocuments()
        const stage = await furnished(store)
        const resource = id === story ? content : comment
        if (Math.random() < 0.5) await change(stage, id, { state: 'draft' })
        const before = (await right(store.get(resource.collection, 1, id)))?.value['state']
        const state = before === 'draft' ? 'published' : 'draft'
        const processOn = (documents: DocumentStore) =>
          stage.anotherProcess({ documents, clock: { ...stage.clock, turn: async () => undefined } })
        const verify = async (): Promise<void> => {
          const now = (await right(store.get(resource.collection, 1, id)))?.value['state']
          const isHidden = now === 'draft'
          if (isHidden) expect(await listed(stage)).to.deep.equal([])
          await stage.anotherProcess().finishCascades()
          expect(await listed(stage)).to.include.members(isHidden ? [] : [first, reply, deep])
          const { documents } = await right(
            store.find('comments', 1, { where: [], order: [], skip: 0, limit: 10, detail: 'full' }),
          )
          const states = documents.map(({ value }) => value)
          expect(await followed(documentsIn(store, 1), comment, states)).to.deep.equal(states)
        }
        return {
          store,
          collections: ['content', 'comments'],
          crashes: 1,
          turn: stage.clock.turn,
          processes: [
            (documents) =>
              processOn(documents).run(changeObject(resource), stage.as('editor'), {
                id,
                body: { state },
              })(),
            (documents) =>
              processOn(documents).run(replaceObject(comment), stage.as('admin'), {
                id: late,
                body: on(deep, 'comment'),
              })(),
          ],
          verify,
        }
      }, 80)
    }).timeout(300_000)
})
