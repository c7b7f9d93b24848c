import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { createStage, faultsOf, left, unavailable, right, type Stage } from '../test-support/stage.js'

const settings = { title: 'Another', timezone: 'UTC' }

describe('administering instances', () => {
  let documents: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    // Number 1 exists already.
    stage = await createStage({ documents })
  })

  it('numbers and lists instances in the order of creation', async () => {
    const { administerInstances } = stage.useCases
    for (const number of [2, 3, 4])
      expect((await right(administerInstances.create(settings))).id).to.equal(number)
    expect((await right(administerInstances.list())).map(({ id }) => id)).to.deep.equal([1, 2, 3, 4])
  })

  it('assigns unique numbers to instances that several processes create concurrently', async () => {
    const created = await Promise.all(
      Array.from({ length: 12 }, () => right(stage.anotherProcess().administerInstances.create(settings))),
    )
    expect(created.map(({ id }) => id).toSorted((a, b) => a - b)).to.deep.equal(
      Array.from({ length: 12 }, (_, index) => index + 2),
    )
  })

  it('rejects a number that is in use', async () => {
    const { administerInstances } = stage.useCases
    expect((await right(administerInstances.create({ ...settings, number: 7 }))).id).to.equal(7)
    expect(await faultsOf(administerInstances.create({ ...settings, number: 7 }))).to.have.keys(['number'])
    expect((await right(administerInstances.create(settings))).id).to.equal(8)
  })

  it('fills settings with their defaults', async () => {
    const created = await right(
      stage.useCases.administerInstances.create({ ...settings, website_url: 'https://www.example.org' }),
    )
    expect(created).to.deep.equal({
      id: 2,
      settings: {
        ...settings,
        language: 'en',
        directory_addon: false,
        public_downloads: false,
        prepare_images: false,
        public_feeds: false,
        public_reading: false,
        public_comments: false,
        shared_max_age: 60,
        website_url: 'https://www.example.org',
        preview_url: null,
        hub_url: null,
        robots_disallow: [],
      },
    })
  })

  it('reports all faults together', async () => {
    const wrong = { title: '', timezone: 'Nowhere', language: '?', website_url: 'javascript:alert(1)' }
    expect(await faultsOf(stage.useCases.administerInstances.create(wrong))).to.have.keys([
      'title',
      'timezone',
      'language',
      'website_url',
    ])
  })

  it('fails if its store fails', async () => {
    const { administerInstances } = stage.useCases
    for (const call of ['find', 'insert'] as const) {
      documents.fail(call, 'instances')
      expect(await left(administerInstances.create(settings))).to.deep.equal(unavailable)
    }
    documents.fail('find', 'instances')
    expect(await left(administerInstances.list())).to.deep.equal(unavailable)
  })
})
