/** Another process that writes until it is killed. */
import { crashCollections, writeUntilKilled } from '@publishing-service/conformance'
import { sqliteDocumentStore } from '../sqlite-document-store.js'

const [, , file = '', writer = ''] = process.argv
await writeUntilKilled(await sqliteDocumentStore({ file, collections: crashCollections }), writer)
