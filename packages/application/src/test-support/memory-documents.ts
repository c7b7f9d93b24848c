import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import {
  growingPositions,
  singleChanges,
  singleReads,
  type Change,
  type DocumentStore,
} from '@publishing-service/ports'
import { collections } from '../collections.js'
import type { Documents } from '../ports.js'

const position = growingPositions(() => 0)

export const withChanges = (store: DocumentStore): Documents => ({
  ...store,
  ...singleChanges(store, position),
  ...singleReads(store),
})

/** An empty store. */
export const memoryDocuments = (): Documents => withChanges(memoryDocumentStore(collections))

/** The store, which makes changes of one kind in another way. */
export const changing = (
  store: DocumentStore,
  kind: Change['kind'],
  write: DocumentStore['write'],
): Documents =>
  withChanges({
    ...store,
    write: (...call) => (call[2].kind === kind ? write(...call) : store.write(...call)),
  })
