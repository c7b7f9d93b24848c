import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '@publishing-service/ports'
import { blobStoreConformance } from '@publishing-service/conformance'
import { filesystemBlobStore } from './filesystem-blob-store.js'

blobStoreConformance({
  name: 'filesystem',
  manyBlobs: 100,
  open: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'blobs-'))
    const opened: BlobStore[] = []
    const start = async () => {
      const store = await filesystemBlobStore({ directory })
      opened.push(store)
      return store
    }
    const stop = () => Promise.all(opened.map((store) => store.close()))
    return {
      store: await start(),
      reopen: async () => {
        await stop()
        return start()
      },
      dispose: async () => {
        await stop()
        await rm(directory, { recursive: true })
      },
    }
  },
})
