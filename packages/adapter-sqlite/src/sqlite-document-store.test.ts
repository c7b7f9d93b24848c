import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Database } from './better-sqlite3.js'
import { expect } from 'chai'
import {
  crashCollections,
  documentStoreConformance,
  searchConformance,
} from '@publishing-service/conformance'
import type { Collection, DocumentStore } from '@publishing-service/ports'
import { sqliteDocumentStore } from './sqlite-document-store.js'

const largestDocument = 1024 * 1024

/** More bytes than any disk has, so that the reserve can't be made: only what may use it is written. */
const unattainable = 2 ** 60

const subject = async (collections: readonly Collection[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-document-store-'))
  const file = join(folder, 'documents.sqlite')
  const opened: DocumentStore[] = []
  const open = async (anew: readonly Collection[], reserve = 0): Promise<DocumentStore> => {
    const store = await sqliteDocumentStore({ file, collections: anew, largestDocument, reserve })
    opened.push(store)
    return store
  }
  return {
    store: await open(collections),
    reopen: (anew: readonly Collection[]) => open(anew),
    dispose: async () => {
      for (const store of opened) await store.close()
      await rm(folder, { recursive: true })
    },
    fill: () => open(collections, unattainable),
    freeSpace: () => open(collections),
    reservesSpace: true,
  }
}

const program = fileURLToPath(new URL('./test-processes/write-until-killed.js', import.meta.url))

documentStoreConformance({
  name: 'sqliteDocumentStore',
  open: subject,
  fullStorage: subject,
  crashes: {
    prepare: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sqlite-document-store-'))
      const file = join(folder, 'documents.sqlite')
      return {
        program: (name) => [program, file, name],
        open: () => sqliteDocumentStore({ file, collections: crashCollections }),
        inspect: async () => {
          const database = new Database(file)
          expect(database.pragma('integrity_check', { simple: true })).to.equal('ok')
          database.close()
        },
        dispose: () => rm(folder, { recursive: true }),
      }
    },
  },
  maxDocumentBytes: largestDocument,
  deviations: {
    outages: 'It has no server.',
    lostResponses: 'A commit returns in the process that has begun it.',
  },
})

searchConformance({ name: 'sqliteDocumentStore', open: subject })
