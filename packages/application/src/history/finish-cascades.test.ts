/** What housekeeping writes after the crash of a removal is recorded, so that it is in the feed of changes and in the trash. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { comment, content } from '@publishing-service/domain'
import { TE } from '@publishing-service/domain/fp'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { createObject, listTrash, removeObject, restoreFromTrash } from '../operations.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { hasChange } from '../test-support/memory-documents.js'
import { article, createStage, right, unavailable, type Stage } from '../test-support/stage.js'

describe('what remains after the crash of a removal', () => {
  let store: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    store = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents: store })
  })

  const admin = () => ({ ...stage.as('admin'), requestId: 'r' })
  /** More comments than one write removes or restores. */
  const count = 450

  it('comments are removed with their content, and restored with it, by the next run of housekeeping', async () => {
    const story = await right(
      stage.run(createObject(content), admin(), { body: article('a', { state: 'published' }) }),
    )
    const body = { parent_type: 'content', parent_uuid: story, comment: 'Yes.', state: 'published' }
    for (let made = 0; made < count; made += 1)
      await right(stage.run(createObject(comment), admin(), { body }))
    const comments = () => right(store.count('comments', 1, { where: [] }, 1000))
    /** A process whose store fails after the write of the content. */
    const failing = () => {
      const write: DocumentStore['write'] = (instance, made, appended) =>
        hasChange(made, 'any', 'comments') &&
        !hasChange(made, 'remove', 'content') &&
        !hasChange(made, 'insert', 'content')
          ? TE.left(unavailable)
          : store.write(instance, made, appended)
      return stage.anotherProcess({ documents: { ...store, write } })
    }
    await right(failing().run(removeObject(content), admin(), { id: story }))
    expect(await comments()).to.equal(count - 200)
    expect(await stage.useCases.finishCascades()).to.equal(count - 200)
    expect(await comments()).to.equal(0)
    expect(await stage.useCases.finishCascades()).to.equal(0)
    const within = [{ key: 'within', equals: story }]
    expect(await right(store.count('audit', 0, { where: within }, 1000))).to.equal(count)
    await right(failing().run(restoreFromTrash, admin(), { collection: 'content', id: story }))
    expect(await comments()).to.equal(200)
    expect(await stage.useCases.finishCascades()).to.equal(count - 200)
    expect(await comments()).to.equal(count)
    expect(await right(stage.run(listTrash, admin(), { parameters: {} }))).to.deep.include({ items: [] })
  }).timeout(60_000)

  it('comments are restored by fewer at a time where the store cannot write so many within its deadline', async () => {
    const body = { parent_type: 'content', comment: 'Yes.', state: 'published' }
    const story = await right(
      stage.run(createObject(content), admin(), { body: article('slow', { state: 'published' }) }),
    )
    for (let made = 0; made < 250; made += 1)
      await right(stage.run(createObject(comment), admin(), { body: { ...body, parent_uuid: story } }))
    await right(stage.run(removeObject(content), admin(), { id: story }))
    await stage.useCases.finishCascades()
    const slow = (most: number) => {
      const write: DocumentStore['write'] = (instance, made, appended) => {
        const comments = made.filter(({ kind, collection }) => kind === 'insert' && collection === 'comments')
        const isFirst = hasChange(made, 'insert', 'content')
        return comments.length > most && !isFirst
          ? TE.left(unavailable)
          : store.write(instance, made, appended)
      }
      return stage.anotherProcess({ documents: { ...store, write } })
    }
    const comments = () => right(store.count('comments', 1, { where: [] }, 1000))
    await right(slow(0).run(restoreFromTrash, admin(), { collection: 'content', id: story }))
    expect(await comments()).to.equal(200)
    expect(await slow(12).finishCascades()).to.equal(50)
    expect(await comments()).to.equal(250)
  }).timeout(60_000)
})
