import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crashCollections, documentStoreCrashes } from '@publishing-service/conformance'
import { journalDocumentStore } from './journal-document-store.js'

const program = fileURLToPath(new URL('./write-until-killed.js', import.meta.url))

documentStoreCrashes({
  name: 'journalDocumentStore',
  prepare: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'journal-'))
    const file = join(folder, 'documents.jsonl')
    return {
      program: (writer) => [program, file, writer],
      open: () => journalDocumentStore({ file, collections: crashCollections }),
      dispose: () => rm(folder, { recursive: true }),
    }
  },
})
