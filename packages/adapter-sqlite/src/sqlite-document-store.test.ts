import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentStoreConformance, searchConformance } from '@publishing-service/conformance'
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

documentStoreConformance({
  name: 'sqliteDocumentStore',
  open: subject,
  openFull: subject,
  maxDocumentBytes: largestDocument,
})

searchConformance({ name: 'sqliteDocumentStore', open: subject })
