import { blobStoreConformance } from '@publishing-service/conformance'
import { memoryBlobStore } from './memory-blob-store.js'

blobStoreConformance({
  name: 'memory',
  open: async () => {
    const store = memoryBlobStore()
    return { store, reopen: async () => store, dispose: () => store.close() }
  },
  deviations: {
    volatile: 'It is for tests and trials, in the memory of its process.',
    unbounded: 'It is for tests and trials, with little data.',
  },
})
