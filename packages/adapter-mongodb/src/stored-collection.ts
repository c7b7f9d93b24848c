/** A collection in the database: its layout, its documents and the words of its documents. */
import type { Collection, Db } from 'mongodb'
import { type CommitOrder, commitOrder } from './commit-order.js'
import type { CollectionLayout } from './collection-layout.js'
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
