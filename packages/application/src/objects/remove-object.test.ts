import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, E, notFound, section } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { Outcome } from '../failure.js'
import { storeInHand, type StoreInHand } from '../test-support/document-store-in-hand.js'
import { article, aSection, createStage, left, outOfReach, right, type Stage } from '../test-support/stage.js'

describe('removing an object', () => {
  let documents: StoreInHand
  let stage: Stage
  beforeEach(async () => {
    documents = storeInHand(memoryDocumentStore(collections))
    stage = await createStage({ documents })
  })

  const remove = async (
    resource: typeof content,
    id: string,
    useCases = stage.useCases,
  ): Promise<Outcome<void>> => useCases.removeObject(resource, await stage.as('admin'), id)

  it('takes it away for good, once', async () => {
    const id = await stage.create(content, article('a'))
    await right(await remove(content, id))
    expect(await left(await remove(content, id))).to.deep.equal(notFound)
    expect(await left(stage.useCases.readObject(content, await stage.as('admin'), id))).to.deep.equal(
      notFound,
    )
  })

  it('has references to it read as null', async () => {
    const story = await stage.create(content, article('a'))
    const id = await stage.create(section, { ...aSection('s'), content_uuid: story })
    await right(await remove(content, story))
    const read = await right(stage.useCases.readObject(section, await stage.as('admin'), id))
    expect(read).to.include({ lead_story_url: null })
  })

  it('keeps a section that holds subsections or content, and tells which', async () => {
    const id = await stage.create(section, aSection('s'))
    const below = await stage.create(section, aSection('t', id))
    expect(await left(await remove(section, id))).to.deep.equal({ _tag: 'InUse', by: 'subsections' })
    await right(await remove(section, below))
    const story = await stage.create(content, article('a', { section_uuid: id }))
    expect(await left(await remove(section, id))).to.deep.equal({ _tag: 'InUse', by: 'content' })
    await right(await remove(content, story))
    await right(await remove(section, id))
  })

  it('asks the precondition about what stands now', async () => {
    const id = await stage.create(content, article('a'))
    const caller = await stage.as('admin')
    const titled = (title: string) =>
      stage.useCases.removeObject(content, caller, id, (now) => now?.['title'] === title)
    expect(await left(titled('Another'))).to.deep.equal({ _tag: 'PreconditionFailed' })
    await right(titled('An article'))
  })

  it('removes what another process has changed in between, and finds what it has removed gone', async () => {
    const id = await stage.create(content, article('a'))
    const held = documents.hold('remove', 'content')
    const running = right(await remove(content, id))
    await held.reached
    const change = { mode: 'patch', id, input: { title: 'T' } } as const
    await right(stage.anotherProcess().writeObject(content, await stage.as('admin'), change))
    held.release()
    await running
    const again = await stage.create(content, article('a'))
    const second = documents.hold('remove', 'content')
    const losing = left(await remove(content, again))
    await second.reached
    await right(await remove(content, again, stage.anotherProcess()))
    second.release()
    expect(await losing).to.deep.equal(notFound)
  })

  it('asks to come again when others keep coming in between, and fails with its store', async () => {
    const id = await stage.create(content, article('a'))
    const busy: DocumentStore = {
      ...documents,
      remove: () => async () => E.left({ _tag: 'VersionConflict' }),
    }
    expect(await left(await remove(content, id, stage.anotherProcess({ documents: busy })))).to.deep.equal({
      _tag: 'Unavailable',
      retryAfter: 1,
    })
    for (const call of ['get', 'remove'] as const) {
      documents.fail(call, 'content')
      expect(await left(await remove(content, id))).to.deep.equal(outOfReach)
    }
  })
})
