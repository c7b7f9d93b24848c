/** What housekeeping writes after the crash of a removal is recorded, so that it is in the feed of changes and in the trash. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { comment, content, section } from '@publishing-service/domain'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections, systemCollections, systemInstance } from '../collections.js'
import {
  createObject,
  listChanges,
  listInstanceAudit,
  readObject,
  removeObject,
  restoreFromTrash,
} from '../operations.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import {
  article,
  aSection,
  createStage,
  left,
  right,
  unavailable,
  type Stage,
} from '../test-support/stage.js'

describe('what remains after the crash of a removal', () => {
  let store: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    store = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents: store })
  })

  const admin = () => ({ ...stage.as('admin'), requestId: 'r' })
  const changes = async () =>
    (await right(stage.run(listChanges, admin(), { parameters: {} }))).items.map(({ kind, uuid, path }) => [
      kind,
      uuid,
      path,
    ])

  it('a reference to the object is cleared, with a record of the service', async () => {
    const top = await right(stage.run(createObject(section), admin(), { body: aSection('news') }))
    const body = article('a', { section_uuid: top, state: 'published' })
    const story = await right(stage.run(createObject(content), admin(), { body }))
    const { removals } = systemCollections
    const cascade = { instance: 1, collection: section.collection, id: top, at: stage.clock.now() }
    const record = { id: 'a', position: 1, unique: null, value: cascade }
    await right(store.write(removals.name, systemInstance, { kind: 'insert', document: record }, []))
    await right(store.write(section.collection, 1, { kind: 'remove', id: top, version: 1 }, []))
    expect(await stage.useCases.finishCascades()).to.equal(1)
    expect((await changes()).at(-1)).to.deep.equal(['updated', story, '/a/'])
    const parameters = { fields: 'object-operation-user-name', operations: 'followRemoval' }
    const { items } = await right(stage.run(listInstanceAudit, admin(), { parameters }))
    expect(items).to.deep.equal([[story, 'followRemoval', null, 'service']])
    expect(await stage.useCases.finishCascades()).to.equal(0)
  })

  it('comments are removed with their content, and restored with it', async () => {
    const story = await right(
      stage.run(createObject(content), admin(), { body: article('a', { state: 'published' }) }),
    )
    const body = { parent_type: 'content', parent_uuid: story, comment: 'Yes.', state: 'published' }
    const reply = await right(stage.run(createObject(comment), admin(), { body }))
    store.fail('remove', comment.collection)
    expect(await left(stage.run(removeObject(content), admin(), { id: story }))).to.equal(unavailable)
    expect(await stage.useCases.finishCascades()).to.equal(1)
    expect((await changes()).slice(-2).map(([kind, uuid]) => [kind, uuid])).to.deep.equal([
      ['removed', story],
      ['removed', reply],
    ])
    await right(stage.run(restoreFromTrash, admin(), { collection: 'content', id: story }))
    const read = stage.run(readObject(comment), admin(), { id: reply, parameters: {} })
    expect(await right(read)).to.include({ comment: 'Yes.' })
  })
})
