import type { JsonObject } from '@publishing-service/domain/json'
import {
  type Change,
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

// Changes of a write of several.

export const inserted = (
  collection: string,
  id: string,
  value: JsonObject = {},
  unique: string | null = null,
): Change => ({
  collection,
  kind: 'insert',
  document: { id, position: nextPosition(), unique, value },
})

export const replaced = (
  collection: string,
  id: string,
  version: number,
  value: JsonObject = {},
  unique: string | null = null,
): Change => ({ collection, kind: 'replace', document: { id, unique, version, value } })

export const removed = (collection: string, id: string, version: number): Change => ({
  collection,
  kind: 'remove',
  id,
  version,
})

export const expected = (collection: string, id: string, version: number | null = null): Change => ({
  collection,
  kind: 'expect',
  id,
  version,
})
