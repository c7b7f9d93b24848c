/** A section is deleted while a reference to it is written: one of both is rejected, also with crashes. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, section, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { Failure } from '../failure.js'
import { everyInterleaving, type Results } from '../test-support/every-interleaving.js'
import { article, aSection, createStage, right, type Stage } from '../test-support/stage.js'
import { removeObject } from './remove.js'
import { changeObject, replaceObject } from './write.js'

type Answer = E.Either<Failure, unknown>

const target = '11111111-1111-4111-8111-111111111111'
const elsewhere = '22222222-2222-4222-8222-222222222222'
const object = '33333333-3333-4333-8333-333333333333'

type Case = {
  readonly name: string
  readonly resource: Resource
  readonly key: string
  /** The object before, null if the writer creates it. */
  readonly before: JsonObject | null
  readonly input: JsonObject
  readonly crashes: number
}

const cases: readonly Case[] = [
  {
    name: 'an article is made in it',
    resource: content,
    key: 'section_uuid',
    before: null,
    input: article('a', { section_uuid: target }),
    crashes: 1,
  },
  {
    name: 'an article moves into it from another section',
    resource: content,
    key: 'section_uuid',
    before: article('a', { section_uuid: elsewhere }),
    input: { section_uuid: target, title: 'Changed' },
    crashes: 1,
  },
  {
    name: 'a section is made below it',
    resource: section,
    key: 'parent_uuid',
    before: null,
    input: aSection('a', target),
    // It has more calls than the others, but a crash between the additional ones has no effect.
    crashes: 0,
  },
]

const stored = async (store: DocumentStore, resource: Resource, id: string): Promise<JsonObject | null> =>
  (await right(store.get(resource.collection, 1, id)))?.value ?? null

/** Another process, which never yields: the orders are those of its calls. */
const processOn = (stage: Stage, documents: DocumentStore) =>
  stage.anotherProcess({ documents, clock: { ...stage.clock, turn: async () => undefined } })

const remove = (stage: Stage, documents: DocumentStore): Promise<Answer> =>
  processOn(stage, documents).run(removeObject(section), stage.as('admin'), { id: target })()

const write = (
  stage: Stage,
  { resource, before, input: body }: Case,
  documents: DocumentStore,
): Promise<Answer> => {
  const operation = before === null ? replaceObject(resource) : changeObject(resource)
  return stage.anotherProcess({ documents }).run(operation, stage.as('admin'), { id: object, body })()
}

const furnished = async ({ resource, before }: Case, store: DocumentStore): Promise<Stage> => {
  const stage = await createStage({ documents: store })
  await stage.create(section, aSection('target'), target)
  await stage.create(section, aSection('elsewhere'), elsewhere)
  if (before !== null) await stage.create(resource, before, object)
  return stage
}

describe('references that prevent the deletion of their target', () => {
  for (const each of cases)
    it(`either the deletion or the write is rejected, in every order${each.crashes > 0 ? ', with a crash at every step' : ''}: ${each.name}`, async () => {
      const outcomes = { removed: 0, written: 0, neither: 0 }
      const runs = await everyInterleaving<Answer>(async () => {
        const store = memoryDocumentStore(collections)
        const stage = await furnished(each, store)
        const earlier = await stored(store, each.resource, object)
        const verify = async ([removal, writing]: Results<Answer>): Promise<void> => {
          const refused = (answer: Answer | null | undefined): string | null =>
            answer !== null && answer !== undefined && E.isLeft(answer) ? answer.left._tag : null
          const removed = removal !== null && removal !== undefined && E.isRight(removal)
          const written = writing !== null && writing !== undefined && E.isRight(writing)
          expect(removed && written, 'both succeed').to.equal(false)
          if (removed) outcomes.removed += 1
          else if (written) outcomes.written += 1
          else outcomes.neither += 1
          const [there, now] = [
            await stored(store, section, target),
            await stored(store, each.resource, object),
          ]
          if (now?.[each.key] === target) expect(there, 'the target of a reference').not.to.equal(null)
          if (removed) expect(there).to.equal(null)
          if (written) expect(now?.[each.key]).to.equal(target)
          if (refused(removal) !== null) {
            expect(refused(removal)).to.equal('InUse')
            expect(there).not.to.equal(null)
          }
          if (refused(writing) !== null) {
            expect(refused(writing)).to.equal('BadParameters')
            expect(now).to.deep.equal(earlier)
          }
          if (removal !== null && writing !== null && removed === written) {
            expect(refused(removal)).to.equal('InUse')
            expect(refused(writing)).to.equal('BadParameters')
          }
          // Data left by a crash blocks no other process.
          if (there !== null && now?.[each.key] !== target)
            await right(stage.run(removeObject(section), stage.as('admin'), { id: target }))
        }
        return {
          store,
          collections: ['sections', 'content'],
          crashes: each.crashes,
          turn: stage.clock.turn,
          processes: [(documents) => remove(stage, documents), (documents) => write(stage, each, documents)],
          verify,
        }
      }, 150)
      expect(runs).to.be.at.least(150)
      expect(outcomes.removed).to.be.above(0)
      expect(outcomes.written).to.be.above(0)
    }).timeout(300_000)
})
