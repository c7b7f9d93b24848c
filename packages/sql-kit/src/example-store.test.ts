import Database from 'better-sqlite3'
import { documentStoreConformance, searchConformance } from '@publishing-service/conformance'
import type { Collection } from '@publishing-service/ports'
import { exampleStore } from './test-support/example-store.js'

const open = async (collections: readonly Collection[]) => {
  const database = new Database(':memory:')
  return {
    store: exampleStore(database, collections),
    reopen: async (declared: readonly Collection[]) => exampleStore(database, declared),
    dispose: async () => void database.close(),
  }
}

documentStoreConformance({
  name: 'The example dialect of the kit',
  open,
  maxDocumentBytes: 1024 * 1024,
  deviations: {
    crashes: 'Its data are in memory.',
    fullStorage: 'Its data are in memory.',
    lostResponses: 'It has no connection.',
    outages: 'It has no server.',
  },
})

searchConformance({ name: 'The example dialect of the kit', open })
