import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { notFound } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { createStage, faultsOf, left, unavailable, right, type Stage } from '../test-support/stage.js'
import { changeSettings } from './settings.js'

describe('instances and their settings', () => {
  let documents: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
  })

  const title = async (useCases = stage.useCases): Promise<string> =>
    (await right(useCases.instances.find(1))).settings.title

  const change = (body: JsonObject) => stage.run(changeSettings, stage.as('admin'), { body })

  it('are found by number', async () => {
    expect(await right(stage.useCases.instances.find(1))).to.deep.equal({
      number: 1,
      settings: {
        title: 'The Daily Test',
        timezone: 'Europe/Vienna',
        language: 'en',
        directory_addon: false,
        public_downloads: false,
        prepare_images: false,
        public_feeds: false,
        public_reading: false,
        public_comments: false,
        shared_max_age: 60,
        website_url: null,
        preview_url: null,
        hub_url: null,
        robots_disallow: [],
      },
    })
    expect(await left(stage.useCases.instances.find(2))).to.deep.equal(notFound)
  })

  it('change, and every later read of this process sees the change', async () => {
    await right(change({ title: 'Another', language: 'de' }))
    expect((await right(stage.useCases.instances.find(1))).settings).to.include({
      title: 'Another',
      language: 'de',
      timezone: 'Europe/Vienna',
    })
  })

  it('a read during which they change is not cached', async () => {
    stage.clock.advance(3000)
    const held = documents.hold('get', 'instances', 'after')
    const reading = title()
    await held.reached
    await right(change({ title: 'Another' }))
    held.release()
    expect(await reading).to.equal('The Daily Test')
    expect(await title()).to.equal('Another')
  })

  it('a change of another process is seen after a few seconds', async () => {
    const other = stage.anotherProcess()
    expect(await title(other)).to.equal('The Daily Test')
    await right(change({ title: 'Another' }))
    stage.clock.advance(3000)
    expect(await title(other)).to.equal('Another')
  })

  it('are not changed if a value has a fault; all faults are reported together', async () => {
    const wrong = { title: '', timezone: 'Europe/Nowhere', public_downloads: 'yes', language: null }
    expect(await faultsOf(change(wrong))).to.have.keys(['title', 'timezone', 'public_downloads'])
    expect(await title()).to.equal('The Daily Test')
  })

  it('change only if the precondition is met', async () => {
    const changeWhere = (expected: string) =>
      stage.run(
        changeSettings,
        { ...stage.as('admin'), precondition: (current) => current?.['title'] === expected },
        { body: { title: 'Another' } },
      )
    expect(await left(changeWhere('Another'))).to.deep.equal({ _tag: 'PreconditionFailed' })
    await right(changeWhere('The Daily Test'))
  })

  it('fail if the store fails, once the cached ones are a few seconds old', async () => {
    await title()
    documents.fail('get', 'instances')
    expect(await title()).to.equal('The Daily Test')
    stage.clock.advance(3000)
    expect(await left(stage.useCases.instances.find(1))).to.deep.equal(unavailable)
  })
})
