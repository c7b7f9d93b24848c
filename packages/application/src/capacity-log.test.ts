import { E } from '@publishing-service/domain/fp'
import { storageFull } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections } from './collections.js'
import { mayUseReserve } from './may-use-reserve.js'
import { createStage } from './test-support/stage.js'

describe('the log of a full storage', () => {
  it('reports once that a store is full, and once that it has space again', async () => {
    const inner = memoryDocumentStore(collections)
    let isFull = false
    const documents: typeof inner = {
      ...inner,
      write: (...call) =>
        isFull && !call[1].every(mayUseReserve)
          ? async () => E.left(storageFull('document store', 'no room'))
          : inner.write(...call),
    }
    const stage = await createStage({ documents })
    const create = () => stage.useCases.administerInstances.create({ title: 'T', timezone: 'UTC' })()
    const events = () =>
      stage.log.entries().flatMap(({ event }) => (event.startsWith('storage ') ? [event] : []))
    isFull = true
    expect(await create())
      .to.have.property('left')
      .that.includes({ storageFull: true })
    await create()
    expect(events()).to.deep.equal(['storage full'])
    isFull = false
    await create()
    await create()
    expect(events()).to.deep.equal(['storage full', 'storage has space again'])
  })
})
