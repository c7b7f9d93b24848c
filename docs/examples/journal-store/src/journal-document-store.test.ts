import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  crashCollections,
  documentStoreConformance,
  searchConformance,
} from '@publishing-service/conformance'
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
  const setFault = (next: Fault) => async () => {
    fault = next
    return store
  }
  return {
    store,
    reopen: (declared: readonly Collection[]) => journalDocumentStore({ file, collections: declared }),
    dispose: async () => {
      await store.close()
      await rm(folder, { recursive: true })
    },
    loseResponses: setFault('lost responses'),
    restore: setFault('none'),
    fill: setFault('full'),
    freeSpace: setFault('none'),
    reservesSpace: false,
  }
}

const program = fileURLToPath(new URL('./write-until-killed.js', import.meta.url))

documentStoreConformance({
  name: 'journalDocumentStore',
  open: subject,
  lostResponses: subject,
  fullStorage: subject,
  crashes: {
    prepare: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'journal-'))
      const file = join(folder, 'documents.jsonl')
      return {
        program: (writer) => [program, file, writer],
        open: () => journalDocumentStore({ file, collections: crashCollections }),
        dispose: () => rm(folder, { recursive: true }),
      }
    },
  },
  maxDocumentBytes: largestDocument,
  deviations: {
    unevenGroupCounts: 'A group count reads every document of its collection and instance.',
    outages: 'It has no server.',
  },
})

searchConformance({ name: 'journalDocumentStore', open: subject })
