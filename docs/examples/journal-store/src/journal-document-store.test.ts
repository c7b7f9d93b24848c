import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentStoreConformance } from '@publishing-service/conformance'
import type { Collection } from '@publishing-service/ports'
import { faultyJournal, type Fault } from './faulty-journal.js'
import { journalDocumentStore, largestDocument } from './journal-document-store.js'
import { openJournal } from './journal.js'

const subject = async (collections: readonly Collection[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'))
  const file = join(folder, 'documents.jsonl')
  let fault: Fault = 'none'
  const open = faultyJournal(openJournal, () => fault)
  const store = await journalDocumentStore({ file, collections, open })
  const becoming = (next: Fault) => async () => {
    fault = next
    return store
  }
  return {
    store,
    reopen: (anew: readonly Collection[]) => journalDocumentStore({ file, collections: anew }),
    dispose: async () => {
      await store.close()
      await rm(folder, { recursive: true })
    },
    loseResponses: becoming('lost answers'),
    restore: becoming('none'),
    fill: becoming('full'),
    freeSpace: becoming('none'),
    reservesSpace: false,
  }
}

documentStoreConformance({
  name: 'journalDocumentStore',
  open: subject,
  openLosingResponses: subject,
  openFull: subject,
  maxDocumentBytes: largestDocument,
  deviations: { unevenGroupCounts: 'A group count reads every document of its collection and instance.' },
})
