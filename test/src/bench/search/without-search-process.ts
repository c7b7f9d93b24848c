/** The service on SQLite without a search index: what the cost of writes is compared with. */
import { join } from 'node:path'
import { sqliteDocumentStore } from '@publishing-service/adapter-sqlite'
import { collections } from '@publishing-service/application'
import { providing, startService, tokens } from '@publishing-service/composition-root'
import type { Collection } from '@publishing-service/ports'
import { configurationOf } from '../../harness/start-test-service.js'

const { DATA_DIR = '', PORT = '' } = process.env

const withoutSearch = collections.map(({ searched: _searched, ...collection }): Collection => collection)

const documents = providing(
  tokens.documents,
  [],
  () => sqliteDocumentStore({ file: join(DATA_DIR, 'documents.sqlite'), collections: withoutSearch }),
  (store) => store.close(),
)

const service = await startService(configurationOf({ DATA_DIR, PORT }), { documents })
process.once('SIGTERM', () => void service.stop())
