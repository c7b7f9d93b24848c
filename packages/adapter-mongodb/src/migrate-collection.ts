/**
 * Migrates a database to the declared collections: creates indexes, drops those that neither of the last two versions
 * needs, and adds new keys to documents. Several processes can migrate concurrently, and two versions with different
 * declarations can run during a rolling update.
 */
import { foldingVersion } from '@publishing-service/domain/search'
import {
  type AnyBulkWriteOperation,
  type Collection as MongodbCollection,
  type Db,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb'
import {
  type Collection,
  type GroupCount,
  readDocument,
  type SearchProgress,
  unreadable,
} from '@publishing-service/ports'
import {
  type CollectionLayout,
  indexesOf,
  keyIndexPrefix,
  type LayoutIndex,
  layoutOf,
} from './collection-layout.js'
import { storedGroupCounts } from './stored-group-count.js'
import { isDuplicate } from './mongodb-failure.js'
import { contentOf, idOf, replacing, type StoredDocument } from './stored-document.js'
import { type Vocabulary, vocabularyOf } from './vocabulary.js'

type Keys = Collection['keys']

/** The stored declaration, with what the previous one needs for processes that still run. */
type Registered = {
  readonly _id: string
  /** Incremented with each change of this record. */
  readonly revision: number
  readonly layout: number
  readonly keys: Keys
  readonly formerKeys: Keys
  readonly heavy: readonly string[]
  /** Absent if a version without group counts wrote the record. */
  readonly tallies?: readonly GroupCount[]
  readonly formerTallies?: readonly GroupCount[]
  /** What the words of documents depend on; absent if a version without search wrote the record. */
  readonly words?: string
  /** The layout since which only the words of documents have changed. */
  readonly keysLayout?: number
  readonly indexes: readonly string[]
  readonly formerIndexes: readonly string[]
}

type StoreRecord = Registered | { readonly _id: 'format'; readonly version: number }

/** Incremented when the format of stored data changes. */
const formatVersion = 1

/** The collection of these records. */
const recordsName = 'store'

const records = (database: Db): MongodbCollection<StoreRecord> => database.collection(recordsName)

/** Throws when the database was written by a later version of this program. */
export const rejectLaterFormat = async (database: Db): Promise<void> => {
  const found = await records(database).findOne({ _id: 'format' })
  const version = found !== null && 'version' in found ? found.version : formatVersion
  if (version > formatVersion)
    throw new Error('its data were written by a later version of this program; run that one, or one after it')
  if (found !== null) return
  try {
    await records(database).insertOne({ _id: 'format', version: formatVersion })
  } catch (error) {
    // Another process initializes the same empty database.
    if (!isDuplicate(error)) throw error
  }
}

const without = (keys: Keys, others: Keys): Keys =>
  Object.fromEntries(Object.entries(keys).filter(([key]) => others[key] === undefined))

const namesOf = (tallies: readonly GroupCount[]): ReadonlySet<string> =>
  new Set(storedGroupCounts(tallies).map(({ name }) => name))

/** Incremented when other tokens are made of the same words. */
const wordsVersion = 2

/** The record for this declaration; the same object if it is up to date. */
const updatedRecord = (known: Registered | null, declared: Collection): Registered => {
  const own = {
    _id: `collection ${declared.name}`,
    keys: declared.keys,
    heavy: declared.heavy.toSorted(),
    tallies: storedGroupCounts(declared.groupCounts).map(({ key, within }) => ({ key, within })),
    indexes: indexesOf(declared).map(({ name }) => name),
    words:
      declared.searched === undefined
        ? ''
        : JSON.stringify([wordsVersion, foldingVersion, declared.searched]),
  }
  if (known === null)
    return {
      ...own,
      revision: 1,
      layout: 1,
      keysLayout: 1,
      formerKeys: {},
      formerTallies: [],
      formerIndexes: [],
    }
  const keys = { ...known.formerKeys, ...known.keys }
  const { tallies: knownTallies = [], formerTallies = [] } = known
  const counted = namesOf([...formerTallies, ...knownTallies])
  const sameWords = own.words === (known.words ?? '')
  const sameKeys =
    [...namesOf(own.tallies)].every((name) => counted.has(name)) &&
    Object.entries(own.keys).every(([key, type]) => keys[key] === type) &&
    JSON.stringify(own.heavy) === JSON.stringify(known.heavy)
  const sameIndexes = own.indexes.every(
    (name) => known.indexes.includes(name) || known.formerIndexes.includes(name),
  )
  if (sameKeys && sameWords && sameIndexes) return known
  const layout = known.layout + (sameKeys && sameWords ? 0 : 1)
  return {
    ...own,
    revision: known.revision + 1,
    layout,
    keysLayout: sameKeys ? (known.keysLayout ?? known.layout) : layout,
    formerKeys: without(known.keys, own.keys),
    formerTallies: knownTallies,
    formerIndexes: known.indexes.filter((name) => !own.indexes.includes(name)),
  }
}

const readRegistered = async (database: Db, name: string): Promise<Registered | null> => {
  const found = await records(database).findOne({ _id: `collection ${name}` })
  return found !== null && 'revision' in found ? found : null
}

const register = async (database: Db, declared: Collection): Promise<Registered> => {
  const known = await readRegistered(database, declared.name)
  const wanted = updatedRecord(known, declared)
  if (wanted === known) return known
  if (known === null) {
    try {
      await records(database).insertOne(wanted)
      return wanted
    } catch (error) {
      if (!isDuplicate(error)) throw error
      return register(database, declared)
    }
  }
  const { matchedCount } = await records(database).replaceOne(
    { _id: known._id, revision: known.revision },
    wanted,
  )
  return matchedCount === 1 ? wanted : register(database, declared)
}

const indexNotFound = 27
const namespaceNotFound = 26

const codeOf = (error: unknown): unknown => (error instanceof MongoServerError ? error.code : null)

const indexNames = async (collection: MongodbCollection<StoredDocument>): Promise<readonly string[]> => {
  try {
    const indexes = await collection.listIndexes().toArray()
    return indexes.flatMap(({ name }: { readonly name?: unknown }) =>
      typeof name === 'string' ? [name] : [],
    )
  } catch (error) {
    if (codeOf(error) === namespaceNotFound) return []
    throw error
  }
}

const attempts = 3

/** Creates all missing indexes in one command, so that documents are read once. */
const createIndexes = async (
  collection: MongodbCollection<StoredDocument>,
  wanted: readonly LayoutIndex[],
  attempt = 1,
): Promise<void> => {
  const existing = await indexNames(collection)
  const missing = wanted.filter(({ name }) => !existing.includes(name))
  if (missing.length === 0) return
  try {
    await collection.createIndexes([...missing])
  } catch (error) {
    // FerretDB 1 closes the connection if another process creates the same indexes concurrently.
    if (!(error instanceof MongoNetworkError) || attempt === attempts) throw error
    await createIndexes(collection, wanted, attempt + 1)
  }
}

const migrateIndexes = async (
  collection: MongodbCollection<StoredDocument>,
  declared: Collection,
  registered: Registered,
): Promise<void> => {
  await createIndexes(collection, indexesOf(declared))
  const needed = new Set([...registered.indexes, ...registered.formerIndexes])
  for (const name of await indexNames(collection)) {
    if (!name.startsWith(keyIndexPrefix) || needed.has(name)) continue
    try {
      await collection.dropIndex(name)
    } catch (error) {
      // Another process dropped it concurrently.
      if (codeOf(error) !== indexNotFound) throw error
    }
  }
}

/** FerretDB 1 does not respond to a command with 100 updates. */
const documentsAtOnce = 50

/** The documents of a collection and their words. */
export type Stored = {
  readonly documents: MongodbCollection<StoredDocument>
  readonly vocabulary: Vocabulary
}

/** `maxTimeMS` limits the time of a read on the server. */
export const storedIn = (database: Db, name: string, maxTimeMS?: number): Stored => ({
  documents: database.collection(`documents_${name}`),
  vocabulary: vocabularyOf(database, name, maxTimeMS),
})

/** Rewrites some documents before a layout with the keys, texts and words of this one. Returns their number. */
const rewriteSome = async (
  { documents, vocabulary }: Stored,
  layout: CollectionLayout,
  before: number,
): Promise<number> => {
  const earlier = await documents.find({ layout: { $lt: before } }, { limit: documentsAtOnce }).toArray()
  if (earlier.length === 0) return 0
  const operations: AnyBulkWriteOperation<StoredDocument>[] = []
  for (const { _id, instance, version, layout: former, light, heavy = null } of earlier) {
    const value = readDocument(light, heavy)
    const filter = { _id, instance, version, layout: former }
    if (value === unreadable) {
      // A damaged document is not changed otherwise.
      operations.push({ updateOne: { filter, update: { $set: { layout: layout.number } } } })
      continue
    }
    const { stored, words } = contentOf(layout, { id: idOf(_id), unique: null, value })
    const { unique: _, ...content } = stored
    await vocabulary.add(instance, words)
    operations.push({ updateOne: { filter, update: replacing(content) } })
  }
  await documents.bulkWrite(operations, { ordered: false })
  return earlier.length
}

/** Rewrites all documents before a layout. */
const rewriteDocuments = async (stored: Stored, layout: CollectionLayout, before: number): Promise<void> => {
  while ((await rewriteSome(stored, layout, before)) > 0);
}

const registeredLayout = (declared: Collection, registered: Registered): CollectionLayout => {
  const { name, searched = [] } = declared
  const { layout, keys, formerKeys, heavy, tallies = [], formerTallies = [] } = registered
  return layoutOf(layout, {
    name,
    heavy,
    keys: { ...formerKeys, ...keys },
    groupCounts: [...formerTallies, ...tallies],
    searched,
  })
}

/**
 * Returns the layout for writes of this process, which can include keys of another version. Documents that lack only words
 * are rewritten later.
 */
export const migrateCollection = async (database: Db, declared: Collection): Promise<CollectionLayout> => {
  const registered = await register(database, declared)
  const layout = registeredLayout(declared, registered)
  const stored = storedIn(database, declared.name)
  await migrateIndexes(stored.documents, declared, registered)
  await rewriteDocuments(stored, layout, registered.keysLayout ?? registered.layout)
  return layout
}

/** Rewrites documents that processes with an earlier declaration have written, unless a later one exists by now. */
export const rewriteOutdated = async (database: Db, layout: CollectionLayout): Promise<void> => {
  const registered = await readRegistered(database, layout.name)
  if (registered?.layout === layout.number)
    await rewriteDocuments(storedIn(database, layout.name), layout, layout.number)
}

/** Documents whose words are removed at a time. */
const removedAtOnce = 5000

/** The words of the documents of a collection as an index that can be completed and made again. */
export const searchIndexOf = (stored: Stored, layout: CollectionLayout, maxTimeMS: number) => {
  const { documents } = stored
  const { number } = layout
  const outdated = { layout: { $lt: number } }
  /** Documents that are not indexed yet, about; null before they are counted. */
  let remaining: number | null = null
  return {
    isComplete: async (): Promise<boolean> =>
      (await documents.findOne(outdated, { projection: { _id: 1 }, maxTimeMS })) === null,
    index: async (): Promise<SearchProgress> => {
      remaining ??= await documents.countDocuments(outdated, { maxTimeMS })
      const indexed = await rewriteSome(stored, layout, number)
      const total = await documents.estimatedDocumentCount({ maxTimeMS })
      const isCurrent = indexed < documentsAtOnce
      remaining = isCurrent ? null : Math.max(0, remaining - indexed)
      return { isCurrent, done: Math.max(0, total - (remaining ?? 0)), total }
    },
    /** Removes the words of the next documents after an id. Returns the last id, or null if no more follow. */
    removeSome: async (after: string | null): Promise<string | null> => {
      const found = await documents
        .find(after === null ? {} : { _id: { $gt: after } }, {
          projection: { _id: 1 },
          sort: { _id: 1 },
          limit: removedAtOnce,
          maxTimeMS,
        })
        .toArray()
      const last = found.at(-1)?._id ?? null
      const range = { ...(after === null ? {} : { $gt: after }), ...(last === null ? {} : { $lte: last }) }
      if (last !== null) await documents.updateMany({ _id: range, layout: number }, { $set: { layout: 0 } })
      return found.length < removedAtOnce ? null : last
    },
  }
}
