import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobStoreConformance } from '@publishing-service/conformance'
import { filesystemBlobStore } from './filesystem-blob-store.js'

blobStoreConformance({
  name: 'filesystem',
  manyBlobs: 100,
  open: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'blobs-'))
    const start = () => filesystemBlobStore({ directory })
    const store = await start()
    return {
      store,
      reopen: start,
      dispose: async () => {
        await store.close()
        await rm(directory, { recursive: true })
      },
    }
  },
})
