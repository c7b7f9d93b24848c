/**
 * The document store on MongoDB 6 to 8, for any number of processes. It needs no transactions: a write names the version
 * that it replaces, and a unique index contains ids and unique texts. A group count is computed from an index alone: it
 * reads one entry for each document with a text and the requested values, and returns one group for each distinct list.
 */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import { insertionNumbers } from '@publishing-service/ports'
import type {
  Collection,
  Document,
  DocumentStore,
  NewDocument,
  PortFailure,
  Replacement,
  VersionConflict,
  WriteFailure,
} from '@publishing-service/ports'
import type { Filter } from 'mongodb'
import { boundedUses } from './bounded-uses.js'
import { type Connection, createClient } from './connect.js'
import { type DocumentReader, documentReader } from './document-reader.js'
import { isDuplicate, isDuplicateId } from './mongodb-failure.js'
import { openDatabase } from './open-database.js'
import { type Counter, counterStep } from './counter-step.js'
import { contentOf, nameOf, replacing, type StoredDocument } from './stored-document.js'
import { rewriteOutdated, searchIndexOf, storedIn } from './migrate-collection.js'

export type MongodbDocumentStoreOptions = {
  /** `mongodb://` or `mongodb+srv://`, with the name of the database as its path; default `publishing_service`. */
  readonly url: string
  readonly collections: readonly Collection[]
  /** Milliseconds after which a use without a response fails; default 10 000. */
  readonly deadline?: number
}

type Written = Either<WriteFailure, Document>

/** Interval for rewriting documents of an earlier version, in milliseconds. */
const rewriteInterval = 30_000

/** Interval for checking the heartbeats of the driver, in milliseconds. */
const watchEvery = 1000

const versionConflict: VersionConflict = { _tag: 'VersionConflict' }

/**
 * Opens the store and migrates it to the declared collections. Rejects with an Error that states where and why, without
 * user or password, if the server is unreachable or rejects the login, or a later version wrote the data.
 */
export const mongodbDocumentStore = async (options: MongodbDocumentStoreOptions): Promise<DocumentStore> => {
  const { url, collections, deadline = 10_000 } = options
  const { connection, layouts, hintsOrder } = await openDatabase(url, collections, deadline)
  const uses = boundedUses(deadline)

  const workOn = ({ client, heartbeats, databaseName }: Connection) => {
    const database = client.db(databaseName)
    const partitions = new Map(
      [...layouts].map(([name, layout]) => {
        const stored = storedIn(database, name, deadline)
        const { documents, vocabulary } = stored
        const reader = documentReader(documents, layout, vocabulary, hintsOrder, deadline)
        const searchIndex = searchIndexOf(stored, layout, deadline)
        return [name, { layout, documents, vocabulary, reader, searchIndex }] as const
      }),
    )
    return {
      client,
      heartbeats,
      database,
      partitions,
      sequences: insertionNumbers(counterStep(database.collection<Counter>('sequences'))),
      probes: database.collection<Counter>('probes'),
    }
  }
  let current = workOn(connection)
  const partitionOf = (name: string) => {
    const found = current.partitions.get(name)
    if (found === undefined) throw new Error(`No collection ${name} was declared to this store`)
    return found
  }
  const watching = setInterval(() => {
    if (!current.heartbeats.areStuck(performance.now())) return
    const { client } = current
    current = workOn(createClient(url, deadline))
    // Not awaited: it may never end.
    void Promise.allSettled([client.close()])
  }, watchEvery)
  watching.unref()

  const reading = <A>(collection: string, read: (reader: DocumentReader) => Promise<A>) =>
    uses.use(async () => E.right(await read(partitionOf(collection).reader)))

  /**
   * Which rule a duplicate violates. Without a unique text it is that of ids. If the server does not report it, it is that
   * of unique texts only if another document still has the text: otherwise the write raced with a removal.
   */
  const conflictOf = async (
    error: unknown,
    collection: string,
    { _id, instance, unique }: Pick<StoredDocument, '_id' | 'instance' | 'unique'>,
    hasUnique: boolean,
  ): Promise<Written> => {
    if (!isDuplicate(error)) throw error
    const isThere = async (where: Filter<StoredDocument>): Promise<boolean> =>
      (await partitionOf(collection).documents.findOne(where, { projection: { _id: 1 } })) !== null
    const ofUnique =
      hasUnique &&
      !(isDuplicateId(error) ?? ((await isThere({ _id })) || !(await isThere({ instance, unique }))))
    return E.left(ofUnique ? { _tag: 'UniqueConflict' } : versionConflict)
  }

  const insert = async (collection: string, instance: number, document: NewDocument): Promise<Written> => {
    const { documents, layout, vocabulary } = partitionOf(collection)
    const { value, stored, words, tooLarge } = contentOf(layout, document)
    if (tooLarge !== null) return E.left(tooLarge)
    const _id = nameOf(instance, document.id)
    // The number is requested at once, so that documents are in the order of the calls.
    const [sequence] = await Promise.all([
      current.sequences.next(`${collection}/${instance}`),
      vocabulary.add(instance, words),
    ])
    try {
      await documents.insertOne({ _id, instance, version: 1, sequence, ...stored })
    } catch (error) {
      return conflictOf(error, collection, { _id, instance, ...stored }, document.unique !== null)
    }
    return E.right({ id: document.id.toWellFormed(), version: 1, value })
  }

  const replace = async (collection: string, instance: number, document: Replacement): Promise<Written> => {
    const { documents, layout, vocabulary } = partitionOf(collection)
    const { value, stored, words, tooLarge } = contentOf(layout, document)
    if (tooLarge !== null) return E.left(tooLarge)
    await vocabulary.add(instance, words)
    const version = document.version + 1
    const read = { _id: nameOf(instance, document.id), instance, version: document.version }
    try {
      const { matchedCount } = await documents.updateOne(read, replacing({ ...stored, version }))
      if (matchedCount === 0) return E.left(versionConflict)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      return E.left({ _tag: 'UniqueConflict' })
    }
    return E.right({ id: document.id.toWellFormed(), version, value })
  }

  const remove = async (
    collection: string,
    instance: number,
    id: string,
    version: number,
  ): Promise<Either<VersionConflict, void>> => {
    const read = { _id: nameOf(instance, id), instance, version }
    const { deletedCount } = await partitionOf(collection).documents.deleteOne(read)
    return deletedCount === 0 ? E.left(versionConflict) : E.right(undefined)
  }

  /** In steps, because the words of all documents can take longer than the deadline of a use. */
  const removeWords =
    (collection: string): TaskEither<PortFailure, void> =>
    async () => {
      const { searchIndex } = partitionOf(collection)
      let after: string | null = null
      do {
        const removed: Either<PortFailure, string | null> = await uses.use(async () =>
          E.right(await searchIndex.removeSome(after)),
        )()
        if (E.isLeft(removed)) return removed
        after = removed.right
      } while (after !== null)
      return E.right(undefined)
    }

  const probe = async (): Promise<void> => {
    const { probes } = current
    try {
      await probes.updateOne({ _id: 'probe' }, { $inc: { last: 1 } }, { upsert: true })
    } catch (error) {
      // Another process created the probe concurrently.
      if (!isDuplicate(error)) throw error
    }
    await probes.findOne({ _id: 'probe' })
  }

  const catchingUp = setInterval(() => {
    void uses.use(async () => {
      for (const layout of layouts.values()) await rewriteOutdated(current.database, layout)
      return E.right(undefined)
    })()
  }, rewriteInterval)
  catchingUp.unref()

  return {
    get: (collection, instance, id) => reading(collection, (reader) => reader.get(instance, id)),
    getMany: (collection, instance, ids, detail) =>
      reading(collection, (reader) => reader.getMany(instance, ids, detail)),
    find: (collection, instance, query) => reading(collection, (reader) => reader.find(instance, query)),
    findTexts: (collection, instance, query) =>
      reading(collection, (reader) => reader.findTexts(instance, query)),
    countGroups: (collection, instance, key, within) =>
      reading(collection, (reader) => reader.countGroups(instance, key, within)),
    insert: (collection, instance, document) => uses.use(() => insert(collection, instance, document)),
    replace: (collection, instance, document) => uses.use(() => replace(collection, instance, document)),
    remove: (collection, instance, id, version) => uses.use(() => remove(collection, instance, id, version)),
    searchIndex: {
      isComplete: (collection) =>
        uses.use(async () => E.right(await partitionOf(collection).searchIndex.isComplete())),
      index: (collection) => uses.use(async () => E.right(await partitionOf(collection).searchIndex.index())),
      remove: removeWords,
    },
    check: () => uses.use(async () => E.right(await probe())),
    close: () => {
      clearInterval(catchingUp)
      clearInterval(watching)
      return uses.close(() => current.client.close())
    },
  }
}
