/**
 * The document store on MongoDB 6 to 8, for any number of processes. It needs no transactions: a change of a document names
 * the version that it replaces, several together are prepared as an intent, and unique indexes contain ids, positions and unique
 * texts. A group count is computed from an index alone: it reads one entry for each document with a text and the requested values,
 * and returns one group for each distinct list.
 */
import { E } from '@publishing-service/domain/fp'
import {
  countInMemory,
  snapshotWithoutMoment,
  type Collection,
  type DocumentStore,
} from '@publishing-service/ports'
import { boundedUses } from './bounded-uses.js'
import { concluderOf } from './conclude-intents.js'
import { type Connection, createClient } from './connect.js'
import { DocumentReader } from './document-reader.js'
import { DocumentWriter, type Partition } from './document-writer.js'
import { intentsIn } from './intents.js'
import { isDuplicate } from './mongodb-failure.js'
import { openDatabase } from './open-database.js'
import { rewriteOutdated } from './migrate-collection.js'
import { takerOf } from './take-document.js'
import { storedIn, storedInAny } from './stored-collection.js'

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

/** Interval for concluding intents that other processes have left, in milliseconds. */
const sweepInterval = 2000

type Probe = { readonly _id: 'probe'; readonly last: number }

/**
 * Opens the store and migrates it to the declared collections. Rejects with an Error that states where and why, without
 * user or password, if the server is unreachable or rejects the login, or a later version wrote the data.
 */
export const mongodbDocumentStore = async (options: MongodbDocumentStoreOptions): Promise<DocumentStore> => {
  const { url, collections, deadline = 10_000 } = options
  const { connection, layouts, hintsOrder } = await openDatabase(url, collections, deadline)
  const inCommitOrder = new Map(
    collections.flatMap((each) => (each.inCommitOrder === true ? [[each.name, each]] : [])),
  )
  const uses = boundedUses(deadline)

  const workOn = ({ client, heartbeats, databaseName }: Connection) => {
    const database = client.db(databaseName)
    const declared = new Map(
      [...layouts].map(([name, layout]) => [name, storedIn(database, layout, deadline)] as const),
    )
    const partitions = new Map(
      [...declared].map(([name, stored]) => {
        return [name, { stored, read: new DocumentReader(stored, hintsOrder, deadline) }] as const
      }),
    )
    const partitionOf = (name: string): Partition => {
      const found = partitions.get(name)
      if (found === undefined) throw new Error(`No collection ${name} was declared to this store`)
      return found
    }
    const anyStored = storedInAny(database, declared, deadline)
    const intents = intentsIn(database)
    const concluder = concluderOf(intents, anyStored)
    return {
      client,
      heartbeats,
      database,
      partitionOf,
      concluder,
      writer: new DocumentWriter({
        partitionOf,
        storedIn: anyStored,
        intents,
        concluder,
        taker: takerOf(concluder.isConcluded),
        deadline,
      }),
      probes: database.collection<Probe>('probes'),
    }
  }
  let current = workOn(connection)
  const watching = setInterval(() => {
    if (!current.heartbeats.areStuck(performance.now())) return
    const { client } = current
    current = workOn(createClient(url, deadline))
    // Not awaited: it may never end.
    void Promise.allSettled([client.close()])
  }, watchEvery)
  watching.unref()

  const reading = <A>(collection: string, read: (reader: DocumentReader) => Promise<A>) =>
    uses.use(async () => E.right(await read(current.partitionOf(collection).read)))

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
  const sweeping = repeatedly(sweepInterval, () => current.concluder.sweep())
  // A failure concerns what others have left, which the sweeps apply later.
  await uses.use(async () => E.right(await current.concluder.applyAll()))()

  const get: DocumentStore['get'] = (collection, instance, id) =>
    reading(collection, (reader) => reader.get(instance, id))

  const find: DocumentStore['find'] = (collection, instance, query) =>
    reading(collection, async (reader) => {
      const ordered = query.order.length === 0 ? undefined : inCommitOrder.get(collection)
      // Who knows that a write was made finds what it has appended.
      if (ordered !== undefined)
        await current.concluder.completed(
          (each) =>
            each.collection === collection &&
            each.instance === instance &&
            countInMemory(ordered, [{ ...each.document, version: 1, position: 1 }], query, 1) > 0,
        )
      return reader.find(instance, query)
    })

  return {
    get,
    getRelated: (instance, related) =>
      uses.use(async () => {
        const readerOf = ({ collection }: { readonly collection: string }) =>
          current.partitionOf(collection).read
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
    find,
    findTexts: (collection, instance, query) =>
      reading(collection, (reader) => reader.findTexts(instance, query)),
    count: (collection, instance, selection, limit) =>
      reading(collection, (reader) => reader.count(instance, selection, limit)),
    countTexts: (collection, instance, keys, selection, most) =>
      reading(collection, (reader) => reader.countTexts(instance, keys, selection, most)),
    write: (instance, changes, appended) => uses.use(() => current.writer.write(instance, changes, appended)),
    snapshot: () => uses.use(async () => E.right(snapshotWithoutMoment({ get, find }))),
    check: () => uses.use(async () => E.right(await probe())),
    close: () => {
      for (const timer of [rewriting, sweeping, watching]) clearInterval(timer)
      return uses.close(
        () => current.concluder.idle(),
        () => current.client.close(),
      )
    },
  }
}
