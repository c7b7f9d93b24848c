import { join } from 'node:path'
import { ContainerModule } from 'inversify'
import { provide } from '../token.js'
import { tokens } from '../tokens.js'

const filesystemModule = () =>
  new ContainerModule((options) => {
    provide(options)(
      tokens.blobs,
      [tokens.configuration],
      async ({ DATA_DIR }) => {
        const { filesystemBlobStore } = await import('@publishing-service/adapter-filesystem')
        return filesystemBlobStore({ directory: join(DATA_DIR, 'blobs') })
      },
      (store) => store.close(),
    )
  })

const memoryModule = () =>
  new ContainerModule((options) => {
    provide(options)(
      tokens.blobs,
      [],
      async () => {
        const { memoryBlobStore } = await import('@publishing-service/adapter-memory')
        return memoryBlobStore()
      },
      (store) => store.close(),
    )
  })

/** The module for each value of BLOBS. An adapter is loaded when it is asked for. */
export const blobModules = { filesystem: filesystemModule, memory: memoryModule } as const
