/** A store that a package opens can be an instance of a class; the service copies stores by their own properties. */
import type { BlobStore, DocumentStore } from '@publishing-service/ports'

export const plainDocumentStore = (store: DocumentStore): DocumentStore => ({
  get: (...call) => store.get(...call),
  getMany: (...call) => store.getMany(...call),
  find: (...call) => store.find(...call),
  tally: (...call) => store.tally(...call),
  insert: (...call) => store.insert(...call),
  replace: (...call) => store.replace(...call),
  remove: (...call) => store.remove(...call),
  check: () => store.check(),
  close: () => store.close(),
})

export const plainBlobStore = (store: BlobStore): BlobStore => ({
  write: (...call) => store.write(...call),
  read: (...call) => store.read(...call),
  size: (key) => store.size(key),
  remove: (path) => store.remove(path),
  list: (path) => store.list(path),
  check: () => store.check(),
  close: () => store.close(),
})
