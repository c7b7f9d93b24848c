/** docs/behaviour/administration.md#audit-log: entries that the store does not accept are written later. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import { TE } from '@publishing-service/domain/fp'
import { portFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import { it } from 'mocha'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { moduleProviding, startTestService } from '../harness/start-test-service.js'

it('a change whose audit entry cannot be written is made, and the entry is written at the stop at the latest', async () => {
  const store = memoryDocumentStore(collections)
  let isFailing = false
  const documents: typeof store = {
    ...store,
    insert: (collection, instance, document) =>
      isFailing && collection === 'audit'
        ? TE.left(portFailure('document store', 'the disk is broken'))
        : store.insert(collection, instance, document),
  }
  const service = await startTestService(
    { STORE: 'memory', BLOBS: 'memory' },
    { documents: moduleProviding(tokens.documents, documents) },
  )
  const api = createApi(`${service.url}/1`, await service.tokenFor('admin'))
  isFailing = true
  const response = await api.patch('/settings', { title: 'Another' })
  isFailing = false
  expectOk(response)
  expect(expectOk(await api.get('/settings')).object['title']).to.equal('Another')
  await service.stop()
  const where = [{ key: 'operation', equals: 'changeSettings' }]
  const query = { where, order: [], skip: 0, limit: 10, detail: 'light' } as const
  const found = await TE.toUnion(store.find('audit', 0, query))()
  expect(found).to.have.property('documents').with.lengthOf(1)
})
