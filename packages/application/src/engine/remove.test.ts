import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, notFound, section, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { Outcome } from '../failure.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import {
  article,
  aSection,
  createStage,
  left,
  unavailable,
  right,
  type Stage,
} from '../test-support/stage.js'
import type { Precondition } from './precondition.js'
import { readObject } from './read-one.js'
import { removeObject } from './remove.js'
import { changeObject } from './write.js'
import { changing } from '../test-support/memory-documents.js'

describe('removing an object', () => {
  let documents: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
  })

  const remove = (resource: Resource, id: string, useCases = stage.useCases): Outcome<void> =>
    useCases.run(removeObject(resource), stage.as('admin'), { id })

  const read = (resource: Resource, id: string): Outcome<JsonObject> =>
    stage.run(readObject(resource), stage.as('admin'), { id, parameters: {} })

  it('removes it once', async () => {
    const id = await stage.create(content, article('a'))
    await right(remove(content, id))
    expect(await left(remove(content, id))).to.deep.equal(notFound)
    expect(await left(read(content, id))).to.deep.equal(notFound)
  })

  it('makes references to it read as null', async () => {
    const story = await stage.create(content, article('a'))
    const id = await stage.create(section, { ...aSection('s'), content_uuid: story })
    await right(remove(content, story))
    expect(await right(read(section, id))).to.include({ lead_story_url: null })
  })

  it('rejects the deletion of a section with subsections or content, and reports which', async () => {
    const id = await stage.create(section, aSection('s'))
    const below = await stage.create(section, aSection('t', id))
    expect(await left(remove(section, id))).to.deep.equal({ _tag: 'InUse', by: 'subsections' })
    await right(remove(section, below))
    const story = await stage.create(content, article('a', { section_uuid: id }))
    expect(await left(remove(section, id))).to.deep.equal({ _tag: 'InUse', by: 'content' })
    await right(remove(content, story))
    await right(remove(section, id))
  })

  it('checks the precondition against the current object', async () => {
    const id = await stage.create(content, article('a'))
    const titled = (title: string) => {
      const precondition: Precondition = (now) => now?.['title'] === title
      return stage.run(removeObject(content), { ...stage.as('admin'), precondition }, { id })
    }
    expect(await left(titled('Another'))).to.deep.equal({ _tag: 'PreconditionFailed' })
    await right(titled('An article'))
  })

  it('removes an object that another process has changed, and is NotFound if that has removed it', async () => {
    const id = await stage.create(content, article('a'))
    const held = documents.hold('remove', 'content')
    const running = right(remove(content, id))
    await held.reached
    const change = { id, body: { title: 'T' } }
    await right(stage.anotherProcess().run(changeObject(content), stage.as('admin'), change))
    held.release()
    await running
    const again = await stage.create(content, article('a'))
    const second = documents.hold('remove', 'content')
    const losing = left(remove(content, again))
    await second.reached
    await right(remove(content, again, stage.anotherProcess()))
    second.release()
    expect(await losing).to.deep.equal(notFound)
  })

  it('is Unavailable after repeated conflicts, and fails if its store fails', async () => {
    const id = await stage.create(content, article('a'))
    const busy = changing(
      documents,
      'remove',
      'content',
      () => async () => E.left({ _tag: 'VersionConflict', change: 0 }),
    )
    expect(await left(remove(content, id, stage.anotherProcess({ documents: busy })))).to.deep.equal({
      _tag: 'Unavailable',
      retryAfter: 1,
    })
    for (const call of ['get', 'remove'] as const) {
      documents.fail(call, 'content')
      expect(await left(remove(content, id))).to.deep.equal(unavailable)
    }
  })
})
