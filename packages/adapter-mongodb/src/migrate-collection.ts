/**
 * Migrates a database to the declared collections: creates indexes, and adds new keys and words to documents. Several
 * processes can migrate concurrently, and two versions with different declarations can run during a rolling update.
 */
import type { AnyBulkWriteOperation, Db } from 'mongodb'
import { type Collection, readDocument, unreadable } from '@publishing-service/ports'
import { type CollectionLayout, indexesOf, layoutOf } from './collection-layout.js'
import { migrateIndexes } from './migrate-indexes.js'
import { type Registered, readRegistered, register } from './store-records.js'
import { type StoredCollection, storedIn } from './stored-collection.js'
import { contentOf, idOf, instanceOf, replacing, type StoredDocument } from './stored-document.js'

/** FerretDB 1 does not respond to a command with 100 updates. */
const documentsAtOnce = 50

/** Rewrites some documents before the layout with its keys, texts and words. Returns their number. */
const rewriteSome = async ({ documents, layout, vocabulary }: StoredCollection): Promise<number> => {
  const before = { layout: { $lt: layout.number } }
  const earlier = await documents.find(before, { limit: documentsAtOnce }).toArray()
  if (earlier.length === 0) return 0
  const operations: AnyBulkWriteOperation<StoredDocument>[] = []
  for (const { _id, version, layout: former, light, heavy = null } of earlier) {
    const value = readDocument(light, heavy)
    const filter = { _id, version, layout: former }
    if (value === unreadable) {
      // A damaged document is not changed otherwise.
      operations.push({ updateOne: { filter, update: { $set: { layout: layout.number } } } })
      continue
    }
    const { stored, words } = contentOf(layout, instanceOf(_id), { id: idOf(_id), unique: null, value })
    const { unique: _, ...content } = stored
    await vocabulary.add(instanceOf(_id), words)
    operations.push({ updateOne: { filter, update: replacing(content) } })
  }
  await documents.bulkWrite(operations, { ordered: false })
  return earlier.length
}

const rewriteDocuments = async (stored: StoredCollection): Promise<void> => {
  while ((await rewriteSome(stored)) > 0);
}

const registeredLayout = (declared: Collection, registered: Registered): CollectionLayout => {
  const { name, searched = [] } = declared
  const { layout, keys, formerKeys, heavy, tallies = [], formerTallies = [] } = registered
  return layoutOf(layout, {
    name,
    heavy,
    keys: { ...formerKeys, ...keys, ...declared.keys },
    indexes: declared.indexes,
    groupCounts: [...formerTallies, ...tallies],
    searched,
  })
}

/** Returns the layout for writes of this process, which can include keys of another version. */
export const migrateCollection = async (database: Db, declared: Collection): Promise<CollectionLayout> => {
  const registered = await register(database, declared)
  const layout = registeredLayout(declared, registered)
  const stored = storedIn(database, layout)
  await migrateIndexes(stored.documents, indexesOf(declared), [
    ...registered.indexes,
    ...registered.formerIndexes,
  ])
  await rewriteDocuments(stored)
  return layout
}

/** Rewrites documents that processes with an earlier declaration have written, unless a later one exists by now. */
export const rewriteOutdated = async (database: Db, layout: CollectionLayout): Promise<void> => {
  const registered = await readRegistered(database, layout.name)
  if (registered?.layout === layout.number) await rewriteDocuments(storedIn(database, layout))
}
