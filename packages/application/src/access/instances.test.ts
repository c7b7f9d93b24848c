import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { notFound } from '@publishing-service/domain'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { storeInHand, type StoreInHand } from '../test-support/document-store-in-hand.js'
import { createStage, faultsOf, left, outOfReach, right, type Stage } from '../test-support/stage.js'

describe('instances and their settings', () => {
  let documents: StoreInHand
  let stage: Stage
  beforeEach(async () => {
    documents = storeInHand(memoryDocumentStore(collections))
    stage = await createStage({ documents })
  })

  const title = async (useCases = stage.useCases): Promise<string> =>
    (await right(useCases.instances.find(1))).settings.title

  it('are found by number', async () => {
    expect(await right(stage.useCases.instances.find(1))).to.deep.equal({
      number: 1,
      settings: {
        title: 'The Daily Test',
        timezone: 'Europe/Vienna',
        language: 'en',
        directory_addon: false,
        public_downloads: false,
        website_url: null,
      },
    })
    expect(await left(stage.useCases.instances.find(2))).to.deep.equal(notFound)
  })

  it('change as asked, and every later read of this process sees it', async () => {
    const caller = await stage.as('admin')
    await right(stage.useCases.instances.change(caller, 'patch', { title: 'Another', language: 'de' }))
    expect((await right(stage.useCases.instances.find(1))).settings).to.include({
      title: 'Another',
      language: 'de',
      timezone: 'Europe/Vienna',
    })
  })

  it('a read that a change overtakes isn’t remembered', async () => {
    const caller = await stage.as('admin')
    stage.clock.advance(3000)
    const held = documents.hold('get', 'instances', 'behind')
    const reading = title()
    await held.reached
    await right(stage.useCases.instances.change(caller, 'patch', { title: 'Another' }))
    held.release()
    expect(await reading).to.equal('The Daily Test')
    expect(await title()).to.equal('Another')
  })

  it('a change of another process is seen after a few seconds', async () => {
    const other = stage.anotherProcess()
    expect(await title(other)).to.equal('The Daily Test')
    await right(stage.useCases.instances.change(await stage.as('admin'), 'patch', { title: 'Another' }))
    stage.clock.advance(3000)
    expect(await title(other)).to.equal('Another')
  })

  it('tell all faults together, and keep what was', async () => {
    const caller = await stage.as('admin')
    const wrong = { title: '', timezone: 'Europe/Nowhere', public_downloads: 'yes', language: null }
    expect(await faultsOf(stage.useCases.instances.change(caller, 'patch', wrong))).to.have.keys([
      'title',
      'timezone',
      'public_downloads',
    ])
    expect(await title()).to.equal('The Daily Test')
  })

  it('change only where the precondition permits it', async () => {
    const caller = await stage.as('admin')
    const change = (expected: string) =>
      stage.useCases.instances.change(
        caller,
        'patch',
        { title: 'Another' },
        (now) => now?.['title'] === expected,
      )
    expect(await left(change('Another'))).to.deep.equal({ _tag: 'PreconditionFailed' })
    await right(change('The Daily Test'))
  })

  it('fail with the store, and what is remembered goes on for its few seconds', async () => {
    await title()
    documents.fail('get', 'instances')
    expect(await title()).to.equal('The Daily Test')
    stage.clock.advance(3000)
    expect(await left(stage.useCases.instances.find(1))).to.deep.equal(outOfReach)
  })
})
