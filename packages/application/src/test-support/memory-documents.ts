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

/** Whether a write has a change of this kind in a collection. */
export const hasChange = (
  changes: readonly Change[],
  kind: Change['kind'] | 'any',
  collection: string,
): boolean =>
  changes.some((change) => change.collection === collection && (kind === 'any' || change.kind === kind))

/** The store, which makes writes with a change of one kind in a collection in another way. */
export const changing = (
  store: DocumentStore,
  kind: Change['kind'] | 'any',
  collection: string,
  write: DocumentStore['write'],
): Documents =>
  withChanges({
    ...store,
    write: (instance, changes, appended) =>
      (hasChange(changes, kind, collection) ? write : store.write)(instance, changes, appended),
  })
