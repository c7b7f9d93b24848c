import { join } from 'node:path'
import { ContainerModule } from 'inversify'
import { filesystemBlobStore } from '@publishing-service/adapter-filesystem'
import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { provide } from '../token.js'
import { tokens } from '../tokens.js'

const filesystemModule = () =>
  new ContainerModule((options) => {
    provide(options)(
      tokens.blobs,
      [tokens.configuration],
      ({ DATA_DIR }) => filesystemBlobStore({ directory: join(DATA_DIR, 'blobs') }),
      (store) => store.close(),
    )
  })

const memoryModule = () =>
  new ContainerModule((options) => {
    provide(options)(
      tokens.blobs,
      [],
      () => memoryBlobStore(),
      (store) => store.close(),
    )
  })

/** The module for each value of BLOBS. */
export const blobModules = { filesystem: filesystemModule, memory: memoryModule } as const
