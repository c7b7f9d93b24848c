import type BetterSqlite3 from 'better-sqlite3'
import { documentStoreConformance, searchConformance } from '@publishing-service/conformance'
import type { Collection } from '@publishing-service/ports'
import { exampleStore } from './test-support/example-store.js'

// Release 13 requires Node 22.
const driver = process.versions.node.startsWith('20.') ? 'better-sqlite3-12' : 'better-sqlite3'
const { default: Database }: { readonly default: typeof BetterSqlite3 } = await import(driver)

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
    blurredSnapshots: 'A database in memory has one connection, which others write with.',
    crashes: 'Its data are in memory.',
    fullStorage: 'Its data are in memory.',
    lostResponses: 'It has no connection.',
    outages: 'It has no server.',
  },
})

searchConformance({ name: 'The example dialect of the kit', open })
