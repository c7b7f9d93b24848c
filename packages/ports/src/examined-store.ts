/** What a document store has, and what its next opening does with it, without changing anything. */
import type { Document } from './document-store.js'

/** What opening a store does with a collection: it creates tables or indexes, or writes all documents anew. */
export type CollectionWork = 'create' | 'index' | 'rewrite'

export type ExaminedCollection = {
  readonly name: string
  /** Null if the collection is as declared. */
  readonly work: CollectionWork | null
  /** The number of documents by instance. */
  readonly documents: ReadonlyMap<number, number>
}

export type ExaminedStore = {
  readonly collections: readonly ExaminedCollection[]
  /** The size of all data. */
  readonly bytes: number
  /** The size of the copy that is made before anything is changed; 0 without one. */
  readonly copied: number
  /** The documents of one collection. */
  readonly read: readonly Document[]
}
