/**
 * The document store on MongoDB 6 to 8, for any number of processes. It needs no transactions: a write names the version
 * that it replaces, contains the documents that are appended, and unique indexes contain ids, positions and unique texts. A
 * group count is computed from an index alone: it reads one entry for each document with a text and the requested values,
 * and returns one group for each distinct list.
 */
import { E } from '@publishing-service/domain/fp'
import type { Collection, DocumentStore } from '@publishing-service/ports'
import { boundedUses } from './bounded-uses.js'
import { layoutOf } from './collection-layout.js'
import { type Connection, createClient } from './connect.js'
import { type DocumentReader, documentReader } from './document-reader.js'
import { documentWriter } from './document-writer.js'
import { isDuplicate } from './mongodb-failure.js'
import { createMover } from './mover.js'
import { openDatabase } from './open-database.js'
import { rewriteOutdated } from './migrate-collection.js'
import { storedIn } from './stored-collection.js'

export type MongodbDocumentStoreOptions = {
  /** `mongodb://` or `mongodb+srv://`, with the name of the database as its path; default `publishing_service`. */
  readonly url: string
  readonly collections: readonly Collection[]
  /** Milliseconds after which a use without a response fails; default 10 000. */
  readonly deadline?: number
}

/** Interval for rewriting documents of an earlier version, in milliseconds. */
const rewriteInterval = 30_000

/** Interval for checking the heartbeats of the driver, in milliseconds. */
const watchEvery = 1000

/** Interval for moving appended documents that other processes have left, in milliseconds. */
const sweepInterval = 2000

type Probe = { readonly _id: 'probe'; readonly last: number }

/** For the documents of a collection that this process does not declare: processes that do rewrite them. */
const undeclared = (name: string) => layoutOf(0, { name, heavy: [], keys: {}, indexes: [], groupCounts: [] })

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
    const declared = new Map(
      [...layouts].map(([name, layout]) => [name, storedIn(database, layout, deadline)] as const),
    )
    const mover = createMover(
      [...declared.values()],
      (name) => declared.get(name) ?? storedIn(database, undeclared(name), deadline),
    )
    const partitions = new Map(
      [...declared].map(([name, stored]) => {
        const read = documentReader(stored, hintsOrder, deadline)
        return [name, { read, write: documentWriter(stored, mover) }] as const
      }),
    )
    return {
      client,
      heartbeats,
      database,
      partitions,
      mover,
      probes: database.collection<Probe>('probes'),
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
    uses.use(async () => E.right(await read(partitionOf(collection).read)))

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

  const repeatedly = (interval: number, work: () => Promise<void>): NodeJS.Timeout =>
    setInterval(() => {
      void uses.use(async () => E.right(await work()))()
    }, interval).unref()
  const rewriting = repeatedly(rewriteInterval, async () => {
    for (const layout of layouts.values()) await rewriteOutdated(current.database, layout)
  })
  const sweeping = repeatedly(sweepInterval, () => current.mover.sweep())
  // A failure concerns what others have left, which the sweeps move later.
  await uses.use(async () => E.right(await current.mover.moveAll()))()

  return {
    get: (collection, instance, id) => reading(collection, (reader) => reader.get(instance, id)),
    getRelated: (instance, related) =>
      uses.use(async () => {
        const readerOf = ({ collection }: { readonly collection: string }) => partitionOf(collection).read
        // Concurrently, so that network latency counts once.
        const [documents, counts] = await Promise.all([
          Promise.all(
            related.documents.map((each) => readerOf(each).getMany(instance, each.ids, each.detail)),
          ),
          Promise.all(
            related.counts.map((each) => readerOf(each).countGroups(instance, each.key, each.within)),
          ),
        ])
        return E.right({ documents, counts })
      }),
    find: (collection, instance, query) => reading(collection, (reader) => reader.find(instance, query)),
    findTexts: (collection, instance, query) =>
      reading(collection, (reader) => reader.findTexts(instance, query)),
    count: (collection, instance, selection, limit) =>
      reading(collection, (reader) => reader.count(instance, selection, limit)),
    countTexts: (collection, instance, keys, selection, most) =>
      reading(collection, (reader) => reader.countTexts(instance, keys, selection, most)),
    write: (collection, instance, change, appended) =>
      uses.use(() => {
        const { write } = partitionOf(collection)
        for (const each of appended) partitionOf(each.collection)
        return write(instance, change, appended)
      }),
    check: () => uses.use(async () => E.right(await probe())),
    close: () => {
      for (const timer of [rewriting, sweeping, watching]) clearInterval(timer)
      return uses.close(
        () => current.mover.idle(),
        () => current.client.close(),
      )
    },
  }
}
