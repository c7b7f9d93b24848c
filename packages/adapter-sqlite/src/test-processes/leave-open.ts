/** Another process that writes one document and never closes its store. */
import { changes } from '@publishing-service/conformance'
import { sqliteDocumentStore } from '../sqlite-document-store.js'
import { things } from '../test-support/fixture-collection.js'

const [, , file = ''] = process.argv
const store = await sqliteDocumentStore({ file, collections: [things] })
await changes(store).insert('things', 1, { id: 'a', unique: null, value: {} })()
