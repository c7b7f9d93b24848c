/** Another process that writes until it is killed. */
import { crashCollections, writeUntilKilled } from '@publishing-service/conformance'
import { mongodbDocumentStore } from '../mongodb-document-store.js'

const [, , url = '', writer = ''] = process.argv
await writeUntilKilled(await mongodbDocumentStore({ url, collections: crashCollections }), writer)
