import { E, t } from '@publishing-service/domain/fp'
import type { SharedUse } from '@publishing-service/access'
import { singleChanges, type Document, type PortFailure } from '@publishing-service/ports'
import { systemCollections, systemInstance } from '../collections.js'
import type { ProvidedPorts } from '../ports.js'

/** How often a name was counted in its window, and the milliseconds until that ends; 0 without a window. */
export type WindowCount = { readonly name: string; readonly count: number; readonly remaining: number }

/** The counts of this process: the names that were counted at least so often, most often first, at most so many. */
type OwnCounts = { readonly busiest: (least: number, most: number) => readonly WindowCount[] }

/** A count in a window that ends at this elapsed time. */
type Counted = { readonly count: number; readonly ends: number }
/** Counts by what is limited, and by client. */
type Counts = ReadonlyMap<string, ReadonlyMap<string, Counted>>
/** The counts of another process, and when this version of its document was first read. */
type ProcessCounts = { readonly version: number; readonly since: number; readonly counts: Counts }

const collection = systemCollections.rateCounts.name

/** Counts of one limit: a client, what it has used, and the milliseconds that are left of its window. */
const ClientCounts = t.readonlyArray(t.tuple([t.string, t.number, t.number]))
type ClientCounts = t.TypeOf<typeof ClientCounts>

/** The counts of one process by limit, as they are stored. */
const StoredCounts = t.readonly(t.record(t.string, ClientCounts), collection)
type StoredCounts = t.TypeOf<typeof StoredCounts>

/** A client is published once it has used this part of its limit, which most never do. */
const publishedFrom = 1 / 10
/** The maximum number of published clients of a limit, busiest first. Limits the size of a document to about 0.4 MB. */
const maxPublished = 1000
/** Milliseconds between writes of a process that has nothing to publish, so that the others count it. */
const heartbeat = 20_000
/** Milliseconds after which a process with an unchanged document counts as ended. */
const lifetime = 3 * heartbeat
/** Milliseconds after which an unchanged document is removed. */
const retention = 3_600_000

const encode = (counts: readonly WindowCount[]): ClientCounts =>
  counts.map(({ name, count, remaining }) => [name, count, Math.ceil(remaining)])

const decode = (counts: ClientCounts, now: number): ReadonlyMap<string, Counted> =>
  new Map(counts.map(([key, count, remaining]) => [key, { count, ends: now + remaining }]))

/** What processes have counted of a client, and the milliseconds until its last window at the other processes ends. */
export type SharedCounts = (client: string) => SharedUse & { readonly othersRemaining: number }

/** The counts of other processes. */
export type SharedRates = {
  /** Has the counts of a limit exchanged from now on, and returns what is known of its clients. */
  readonly share: (name: string, counts: OwnCounts, limit: number) => SharedCounts
  /**
   * Writes and reads counts once. If the store fails, this is logged once, and the process continues with its own
   * counts.
   */
  readonly exchange: () => Promise<void>
  /** Removes the document of this process, so that the others stop counting it. */
  readonly leave: () => Promise<void>
}

/**
 * Shares the counts of several processes through the document store. Each process counts separately and exchanges
 * counts in the background: it writes its busiest clients to its own document, and reads the documents of the others.
 * Windows are stored as remaining time, so clocks of processes are not compared.
 */
export const createSharedRates = ({
  documents,
  clock,
  ids,
  log,
}: Pick<ProvidedPorts, 'documents' | 'clock' | 'ids' | 'log'>): SharedRates => {
  const { insert, replace, remove } = singleChanges(documents, clock.position)
  const limits = new Map<string, { readonly counts: OwnCounts; readonly limit: number }>()
  let id = ''
  let version: number | null = null
  let written = -Infinity
  let published: Counts = new Map()
  let processCounts: ReadonlyMap<string, ProcessCounts> = new Map()
  let others: Counts = new Map()
  let processes = 1
  let isFailing = false

  const write = async (value: StoredCounts): Promise<PortFailure | null> => {
    if (id === '') id = ids.uuid()
    const document = { id, unique: null, value }
    const result = await (
      version === null
        ? insert(collection, systemInstance, document)
        : replace(collection, systemInstance, { ...document, version })
    )()
    if (E.isRight(result)) {
      version = result.right.version
      written = clock.monotonic()
      return null
    }
    if (result.left._tag === 'PortFailure') return result.left
    // Another process has removed it as outdated. The next exchange inserts it again.
    if (result.left._tag === 'VersionConflict') version = null
    else throw new Error(`rate counts were rejected: ${result.left._tag}`)
    return null
  }

  const publish = async (): Promise<PortFailure | null> => {
    const busiest = [...limits].flatMap(([name, { counts, limit }]) => {
      const found = counts.busiest(limit * publishedFrom, maxPublished)
      return found.length === 0 ? [] : [[name, encode(found)] as const]
    })
    const hasChanges = busiest.length > 0 || published.size > 0
    // A process that starts announces itself, and finds this one for as long as a document counts. So a single process that
    // is idle writes nothing.
    const isCounted = version !== null && (processes === 1 || clock.monotonic() - written < heartbeat)
    if (!hasChanges && isCounted) return null
    const failure = await write(Object.fromEntries(busiest))
    if (failure !== null) return failure
    const now = clock.monotonic()
    published = new Map(busiest.map(([name, counts]) => [name, decode(counts, now)]))
    return null
  }

  const readCounts = (document: Document, now: number): ProcessCounts => {
    const before = processCounts.get(document.id)
    if (before?.version === document.version) return before
    // Another version of the service may write another format, which is ignored.
    const { value } = document
    const stored = StoredCounts.is(value) ? value : {}
    const counts = new Map(Object.entries(stored).map(([name, each]) => [name, decode(each, now)]))
    return { version: document.version, since: now, counts }
  }

  const read = async (): Promise<PortFailure | null> => {
    const query = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' } as const
    const found = await documents.find(collection, systemInstance, query)()
    if (E.isLeft(found)) return found.left
    const now = clock.monotonic()
    processCounts = new Map(
      found.right.documents.filter((each) => each.id !== id).map((each) => [each.id, readCounts(each, now)]),
    )
    const live = [...processCounts.values()].filter(({ since }) => now - since < lifetime)
    const sums = new Map<string, Map<string, Counted>>()
    for (const { counts } of live)
      for (const [name, clients] of counts) {
        const sumsOfLimit = sums.get(name) ?? new Map<string, Counted>()
        sums.set(name, sumsOfLimit)
        for (const [client, { count, ends }] of clients) {
          if (ends <= now) continue
          const sum = sumsOfLimit.get(client)
          sumsOfLimit.set(client, { count: count + (sum?.count ?? 0), ends: Math.max(ends, sum?.ends ?? 0) })
        }
      }
    others = sums
    processes = 1 + live.length
    for (const [name, { version: last, since }] of processCounts)
      // Another process may have removed it first.
      if (now - since >= retention) await remove(collection, systemInstance, name, last)()
    return null
  }

  return {
    share: (name, counts, limit) => {
      limits.set(name, { counts, limit })
      return (client) => {
        const now = clock.monotonic()
        const [own, foreign] = [published.get(name)?.get(client), others.get(name)?.get(client)]
        const isOwnOver = own === undefined || own.ends <= now
        const isForeignOver = foreign === undefined || foreign.ends <= now
        return {
          published: isOwnOver ? 0 : own.count,
          others: isForeignOver ? 0 : foreign.count,
          othersRemaining: isForeignOver ? 0 : foreign.ends - now,
          processes,
        }
      }
    },
    exchange: async () => {
      const failure = (await publish()) ?? (await read())
      if (failure !== null && !isFailing)
        log.write('warn', 'rate counts not exchanged', { part: failure.part, reason: failure.reason })
      isFailing = failure !== null
    },
    leave: async () => {
      if (version !== null) await remove(collection, systemInstance, id, version)()
    },
  }
}
