import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentStoreConformance } from '@publishing-service/conformance'
import { journalDocumentStore, largestDocument } from './journal-document-store.js'

documentStoreConformance({
  name: 'journalDocumentStore',
  open: async (collections) => {
    const folder = await mkdtemp(join(tmpdir(), 'journal-'))
    const file = join(folder, 'documents.jsonl')
    const store = await journalDocumentStore({ file, collections })
    return {
      store,
      reopen: (anew) => journalDocumentStore({ file, collections: anew }),
      dispose: async () => {
        await store.close()
        await rm(folder, { recursive: true })
      },
    }
  },
  refusesAbove: largestDocument,
  deviations: { unevenTallies: 'A tally looks at every document of its collection and instance.' },
})
