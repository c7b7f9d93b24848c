/** A collection in the database: its layout, its documents and the words of its documents. */
import type { Collection, Db } from 'mongodb'
import { type CommitOrder, commitOrder } from './commit-order.js'
import { type CollectionLayout, layoutOf } from './collection-layout.js'
import type { StoredDocument } from './stored-document.js'
import { type Vocabulary, vocabularyOf } from './vocabulary.js'

export type StoredCollection = {
  readonly layout: CollectionLayout
  readonly documents: Collection<StoredDocument>
  readonly vocabulary: Vocabulary
  readonly commitOrder: CommitOrder
}

/** `maxTimeMS` limits the time of a read on the server. */
export const storedIn = (database: Db, layout: CollectionLayout, maxTimeMS?: number): StoredCollection => {
  const documents = database.collection<StoredDocument>(`documents_${layout.name}`)
  return {
    layout,
    documents,
    vocabulary: vocabularyOf(database, layout.name, maxTimeMS),
    commitOrder: commitOrder(documents),
  }
}

/** The layout of a collection whose keys are unknown. */
export const undeclared = (name: string): CollectionLayout =>
  layoutOf(0, { name, heavy: [], keys: {}, indexes: [], groupCounts: [] })

/**
 * Any collection: those that this process declares, and others, which intents of other versions can name. Processes that declare
 * these write their keys.
 */
export const storedInAny = (
  database: Db,
  declared: ReadonlyMap<string, StoredCollection>,
  maxTimeMS?: number,
): ((name: string) => StoredCollection) => {
  const others = new Map<string, StoredCollection>()
  return (name) => {
    const found = declared.get(name) ?? others.get(name) ?? storedIn(database, undeclared(name), maxTimeMS)
    if (!declared.has(name)) others.set(name, found)
    return found
  }
}
