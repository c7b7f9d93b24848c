/** How the container takes the store in: one module, in place of the one that STORE chooses. */
import { join } from 'node:path'
import { collections } from '@publishing-service/application'
import { providing, tokens } from '@publishing-service/composition-root'
import { journalDocumentStore } from './journal-document-store.js'

/** Documents in a journal in the folder that DATA_DIR names. */
export const journalModule = providing(
  tokens.documents,
  [tokens.configuration],
  ({ DATA_DIR }) => journalDocumentStore({ file: join(DATA_DIR, 'documents.jsonl'), collections }),
  (store) => store.close(),
)
