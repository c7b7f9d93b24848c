/** docs/behaviour/administration.md#audit-log: a change and its entry are one, and an entry alone is written later. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import { TE } from '@publishing-service/domain/fp'
import { portFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { expectError, expectOk } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { moduleProviding, startTestService, type TestService } from '../harness/start-test-service.js'
import { unscaled } from '../harness/unscaled.js'

describe('while the store accepts no write of a collection', () => {
  let failing: string | null
  let service: TestService
  let api: Api
  let entriesOf: (operation: string) => Promise<number>
  beforeEach(async () => {
    const store = memoryDocumentStore(collections)
    const documents: typeof store = {
      ...store,
      write: (instance, changes, appended) =>
        changes.some(({ collection }) => collection === failing)
          ? TE.left(portFailure('document store', 'the disk is broken'))
          : store.write(instance, changes, appended),
    }
    failing = null
    service = await startTestService(
      {},
      { documents: moduleProviding(tokens.documents, documents), ...unscaled },
    )
    api = createApi(`${service.url}/1`, await service.tokenFor('admin'))
    entriesOf = async (operation) => {
      const where = [{ key: 'operation', equals: operation }]
      const query = { where, order: [], skip: 0, limit: 10, detail: 'light' } as const
      const found = await TE.toUnion(store.find('audit', 0, query))()
      return 'documents' in found ? found.documents.length : NaN
    }
  })

  it('a change that it does not make has no entry', async () => {
    failing = 'instances'
    expectError(await api.patch('/settings', { title: 'Another' }), 503, 'unavailable')
    failing = null
    expect(expectOk(await api.get('/settings')).object['title']).to.not.equal('Another')
    await service.stop()
    expect(await entriesOf('changeSettings')).to.equal(0)
  })

  it('a change has its entry, and that of a request that changes nothing is written at the stop', async () => {
    failing = 'audit'
    expectOk(await api.patch('/settings', { title: 'Another' }))
    expect(await entriesOf('changeSettings')).to.equal(1)
    expectOk(await api.patch('/settings', { title: 'Another' }))
    expect(await entriesOf('changeSettings')).to.equal(1)
    failing = null
    await service.stop()
    expect(await entriesOf('changeSettings')).to.equal(2)
  })
})
