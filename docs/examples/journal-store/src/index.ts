/** What the service loads for STORE=package:journal-store. */
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { declareDocumentStore } from '@publishing-service/ports'
import { journalDocumentStore } from './journal-document-store.js'

/** Documents in a journal, in the file that JOURNAL_FILE names. */
export const documentStore = declareDocumentStore({
  variables: {
    JOURNAL_FILE: {
      meaning: 'File of the journal; created if missing, with its folder.',
      secret: false,
      fallback: null,
      problem: (value) => (value.endsWith('.jsonl') ? null : 'must be a path that ends in .jsonl'),
    },
  },
  location: ['JOURNAL_FILE'],
  place: ({ JOURNAL_FILE }) => resolve(JOURNAL_FILE),
  open: async ({ JOURNAL_FILE }, collections) => {
    await mkdir(dirname(JOURNAL_FILE), { recursive: true, mode: 0o700 })
    return journalDocumentStore({ file: JOURNAL_FILE, collections })
  },
})
