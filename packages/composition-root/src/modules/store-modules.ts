import { join } from 'node:path'
import { ContainerModule } from 'inversify'
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { sqliteDocumentStore } from '@publishing-service/adapter-sqlite'
import { collections } from '@publishing-service/application'
import { provide } from '../token.js'
import { tokens } from '../tokens.js'

const sqliteStoreModule = () =>
  new ContainerModule((options) => {
    provide(options)(
      tokens.documents,
      [tokens.configuration],
      ({ DATA_DIR }) => sqliteDocumentStore({ file: join(DATA_DIR, 'documents.sqlite'), collections }),
      (store) => store.close(),
    )
  })

const memoryStoreModule = () =>
  new ContainerModule((options) => {
    provide(options)(
      tokens.documents,
      [],
      () => memoryDocumentStore(collections),
      (store) => store.close(),
    )
  })

/** The module for each value of STORE. */
export const storeModules = { sqlite: sqliteStoreModule, memory: memoryStoreModule } as const
