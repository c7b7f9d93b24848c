import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentStoreConformance } from '@publishing-service/conformance'
import { sqliteDocumentStore } from './sqlite-document-store.js'

documentStoreConformance({
  name: 'sqliteDocumentStore',
  open: async (collections) => {
    const folder = await mkdtemp(join(tmpdir(), 'sqlite-document-store-'))
    const file = join(folder, 'documents.sqlite')
    const store = await sqliteDocumentStore({ file, collections, largestDocument: 1024 * 1024 })
    return {
      store,
      reopen: (anew) => sqliteDocumentStore({ file, collections: anew }),
      dispose: async () => {
        await store.close()
        await rm(folder, { recursive: true })
      },
    }
  },
  refusesAbove: 1024 * 1024,
})
