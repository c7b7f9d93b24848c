import { blobStoreConformance } from '@publishing-service/conformance'
import { memoryBlobStore } from './memory-blob-store.js'

blobStoreConformance({
  name: 'memory',
  open: async () => {
    const store = memoryBlobStore()
    return { store, reopen: async () => store, dispose: () => store.close() }
  },
  deviations: {
    volatile: 'it lives in the memory of its process',
    unbounded: 'its memory is where the blobs are',
  },
})
