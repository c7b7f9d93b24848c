/** A process that writes to a journal until it is killed, for the test. */
import { crashCollections, writeUntilKilled } from '@publishing-service/conformance'
import { journalDocumentStore } from './journal-document-store.js'

const [, , file = '', writer = ''] = process.argv
await writeUntilKilled(await journalDocumentStore({ file, collections: crashCollections }), writer)
