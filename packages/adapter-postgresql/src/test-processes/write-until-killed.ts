/** Writes to the database of a connection string until it is killed: `writeUntilKilled` of the conformance suite. */
import { crashCollections, writeUntilKilled } from '@publishing-service/conformance'
import { postgresqlDocumentStore } from '../postgresql-document-store.js'

const [url = '', writer = ''] = process.argv.slice(2)
await writeUntilKilled(await postgresqlDocumentStore({ url, collections: crashCollections }), writer)
