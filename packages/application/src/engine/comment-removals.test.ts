/**
 * Comments, replies and their content are deleted and written concurrently, with crashes: every reply has its parent.
 */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { comment, content, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { Failure } from '../failure.js'
import { everyInterleaving, type Results } from '../test-support/every-interleaving.js'
import { controllableStore } from '../test-support/controllable-document-store.js'
import {
  article,
  createStage,
  faultsOf,
  left,
  unavailable,
  right,
  type Stage,
} from '../test-support/stage.js'
import { listObjects } from './list.js'
import { readObject } from './read-one.js'
import { removeObject } from './remove.js'
import { changeObject, createObject, replaceObject } from './write.js'

type Answer = E.Either<Failure, unknown>

const story = '11111111-1111-4111-8111-111111111111'
const parent = '22222222-2222-4222-8222-222222222222'
const reply = '33333333-3333-4333-8333-333333333333'

const on = (id: string, type: 'content' | 'comment'): JsonObject => ({
  parent_type: type,
  parent_uuid: id,
  comment: 'Well said.',
  state: 'published',
})

const stored = async (store: DocumentStore, resource: Resource, id: string): Promise<JsonObject | null> =>
  (await right(store.get(resource.collection, 1, id)))?.value ?? null

const succeeded = (answer: Answer | null | undefined): boolean =>
  answer !== null && answer !== undefined && E.isRight(answer)

/** Another process, which never yields: the orders are those of its calls. */
const processOn = (stage: Stage, documents: DocumentStore) =>
  stage.anotherProcess({ documents, clock: { ...stage.clock, turn: async () => undefined } })

const remove = (stage: Stage, documents: DocumentStore, resource: Resource, id: string) =>
  processOn(stage, documents).run(removeObject(resource), stage.as('admin'), { id })()

const write = (stage: Stage, documents: DocumentStore, id: string, body: JsonObject) =>
  processOn(stage, documents).run(replaceObject(comment), stage.as('admin'), { id, body })()

const furnished = async (store: DocumentStore, ...comments: readonly string[]): Promise<Stage> => {
  const stage = await createStage({ documents: store })
  await stage.create(content, article('story'), story)
  if (comments.includes(parent)) await stage.create(comment, on(story, 'content'), parent)
  if (comments.includes(reply)) await stage.create(comment, on(parent, 'comment'), reply)
  return stage
}

describe('concurrent comments and deletions', () => {
  it('leave no comment on deleted content, in every order, with a crash at every step', async () => {
    const outcomes = { removed: 0, written: 0, refused: 0 }
    const runs = await everyInterleaving<Answer>(async () => {
      const store = memoryDocumentStore(collections)
      const stage = await furnished(store)
      const verify = async ([removal, writing]: Results<Answer>): Promise<void> => {
        if (succeeded(removal)) outcomes.removed += 1
        if (succeeded(writing)) outcomes.written += 1
        const there = await stored(store, content, story)
        if (there === null) expect(await stored(store, comment, parent)).to.equal(null)
        if (succeeded(removal)) expect(there).to.equal(null)
        if (succeeded(writing) && there !== null)
          expect(await stored(store, comment, parent)).to.include({ content_uuid: story })
        if (writing !== null && writing !== undefined && E.isLeft(writing)) {
          expect(writing.left._tag).to.equal('BadParameters')
          outcomes.refused += 1
        }
      }
      return {
        store,
        collections: ['content', 'comments'],
        crashes: 1,
        turn: stage.clock.turn,
        processes: [
          (documents) => remove(stage, documents, content, story),
          (documents) => write(stage, documents, parent, on(story, 'content')),
        ],
        verify,
      }
    }, 150)
    expect(runs).to.be.at.least(150)
    for (const count of Object.values(outcomes)) expect(count).to.be.above(0)
  }).timeout(300_000)

  it('leave no reply without its parent, in every order, with a crash at every step', async () => {
    const outcomes = { replaced: 0, removed: 0, refused: 0 }
    const runs = await everyInterleaving<Answer>(async () => {
      const store = memoryDocumentStore(collections)
      const stage = await furnished(store, parent)
      const verify = async ([removal, writing]: Results<Answer>): Promise<void> => {
        const [there, below] = [await stored(store, comment, parent), await stored(store, comment, reply)]
        if (below !== null) expect(there, 'the parent of a reply').not.to.equal(null)
        if (succeeded(writing)) expect(below).to.include({ reply_to: parent })
        if (succeeded(removal)) {
          expect(there === null || there['deleted'] === true, 'it was deleted').to.equal(true)
          outcomes[there === null ? 'removed' : 'replaced'] += 1
        }
        if (there?.['deleted'] === true && removal !== null) expect(below).not.to.equal(null)
        if (writing !== null && writing !== undefined && E.isLeft(writing)) {
          expect(writing.left._tag).to.equal('BadParameters')
          outcomes.refused += 1
        }
        // Data left by a crash blocks no other process.
        if (there !== null) await right(stage.run(removeObject(comment), stage.as('admin'), { id: parent }))
      }
      return {
        store,
        collections: ['comments'],
        crashes: 1,
        turn: stage.clock.turn,
        processes: [
          (documents) => remove(stage, documents, comment, parent),
          (documents) => write(stage, documents, reply, on(parent, 'comment')),
        ],
        verify,
      }
    }, 150)
    expect(runs).to.be.at.least(150)
    for (const count of Object.values(outcomes)) expect(count).to.be.above(0)
  }).timeout(300_000)

  for (const { name, call, held, other } of [
    {
      name: 'the reply is removed before the placeholder is written',
      call: 'replace',
      held: parent,
      other: reply,
    },
    {
      name: 'the placeholder is written before the reply is removed',
      call: 'remove',
      held: reply,
      other: parent,
    },
  ] as const)
    it(`leave no placeholder without a reply: ${name}`, async () => {
      const store = controllableStore(memoryDocumentStore(collections))
      const stage = await furnished(store, parent, reply)
      const gate = store.hold(call, 'comments')
      const first = remove(stage, store, comment, held)
      await gate.reached
      expect(succeeded(await remove(stage, store, comment, other))).to.equal(true)
      gate.release()
      expect(succeeded(await first)).to.equal(true)
      for (const id of [parent, reply]) expect(await stored(store, comment, id)).to.equal(null)
    })
})

describe('a deletion of content with comments', () => {
  it('removes nothing if the store fails', async () => {
    const store = controllableStore(memoryDocumentStore(collections))
    const stage = await furnished(store, parent, reply)
    store.fail('remove', 'comments')
    expect(await left(stage.run(removeObject(content), stage.as('admin'), { id: story }))).to.deep.equal(
      unavailable,
    )
    for (const id of [parent, reply]) expect(await stored(store, comment, id)).not.to.equal(null)
    expect(await stored(store, content, story)).not.to.equal(null)
  })

  it('removes more comments than fit on one page', async () => {
    const stage = await furnished(memoryDocumentStore(collections))
    for (let count = 0; count < 250; count += 1) await stage.create(comment, on(story, 'content'))
    await right(stage.run(removeObject(content), stage.as('admin'), { id: story }))
    const caller = stage.as('admin')
    expect((await right(stage.run(listObjects(comment), caller, { parameters: {} }))).items).to.deep.equal([])
  })

  it('is forbidden for readers and contributors', async () => {
    const stage = await furnished(memoryDocumentStore(collections), parent)
    for (const role of ['public_user', 'reader', 'contributor'] as const)
      expect(await left(stage.run(removeObject(comment), stage.as(role), { id: parent }))).to.include({
        _tag: 'Forbidden',
      })
  })
})

describe('the count of comments', () => {
  it('reads no document of a comment', async () => {
    const store = controllableStore(memoryDocumentStore(collections))
    const stage = await furnished(store, parent, reply)
    const caller = stage.as('public_user')
    await right(
      stage.run(changeObject(content), stage.as('editor'), { id: story, body: { state: 'published' } }),
    )
    for (const call of ['get', 'getRelated', 'find'] as const) store.fail(call, 'comments')
    expect(await right(stage.run(readObject(content), caller, { id: story, parameters: {} }))).to.include({
      comments_count: 2,
    })
    const listed = await right(
      stage.run(listObjects(content), caller, { parameters: { fields: 'uuid,comments_count' } }),
    )
    expect(listed.items).to.deep.equal([[story, 2]])
  })

  it('fails if the store fails', async () => {
    const memory = memoryDocumentStore(collections)
    const stage = await furnished({
      ...memory,
      getRelated: (instance, related) =>
        related.counts.length === 0 ? memory.getRelated(instance, related) : async () => E.left(unavailable),
    })
    const caller = stage.as('editor')
    expect(await left(stage.run(readObject(content), caller, { id: story, parameters: {} }))).to.deep.equal(
      unavailable,
    )
    expect(
      await left(stage.run(listObjects(content), caller, { parameters: { fields: 'comments_count' } })),
    ).to.deep.equal(unavailable)
    expect(
      (await right(stage.run(listObjects(content), caller, { parameters: { fields: 'uuid' } }))).items,
    ).to.have.lengthOf(1)
  })
})

describe('a reply', () => {
  it('that two processes write under one parent has a unique position', async () => {
    const stage = await furnished(memoryDocumentStore(collections), parent)
    const body = on(parent, 'comment')
    const caller = stage.as('editor')
    const ids = await Promise.all(
      [stage.useCases, stage.anotherProcess()].map((useCases) =>
        right(useCases.run(createObject(comment), caller, { body })),
      ),
    )
    const trees = await Promise.all(ids.map((id) => stored(stage.documents, comment, id)))
    expect(new Set(trees.map((each) => each?.['tree'])).size).to.equal(2)
  })

  it('does not refer to a deleted comment', async () => {
    const stage = await furnished(memoryDocumentStore(collections))
    const caller = stage.as('editor')
    const body = on(parent, 'comment')
    expect(await faultsOf(stage.run(createObject(comment), caller, { body }))).to.deep.equal({
      parent_uuid: 'names no comment of this instance',
    })
  })
})
