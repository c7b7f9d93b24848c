import {
  growingPositions,
  singleChanges,
  type DocumentStore,
  type SingleChanges,
} from '@publishing-service/ports'

/** The position of a new document, after all before. */
export const nextPosition = growingPositions(Date.now)

/** The changes of a store as functions. Each new document has a position after all before. */
export const changes = (store: Pick<DocumentStore, 'write'>): SingleChanges =>
  singleChanges(store, nextPosition)
