import { E, t } from '@publishing-service/domain/fp'
import {
  forEachPolicy,
  ratePolicies,
  type RateLimits,
  type RatePolicy,
  type SharedUse,
} from '@publishing-service/domain/access'
import {
  singleChanges,
  type Document,
  type PortFailure,
  type RateCount,
  type RateCounter,
} from '@publishing-service/ports'
import { systemCollections, systemInstance } from '../collections.js'
import type { ProvidedPorts } from '../ports.js'

export type RateCounters = Readonly<Record<RatePolicy, RateCounter>>

/** A count in a window that ends at this elapsed time. */
type Counted = { readonly count: number; readonly ends: number }
type Counts = Readonly<Record<RatePolicy, ReadonlyMap<string, Counted>>>
/** The counts of another process, and when this version of its document was first read. */
type ProcessCounts = { readonly version: number; readonly since: number; readonly counts: Counts }

const collection = systemCollections.rateCounts.name

/** Counts of one policy: a client, what it has used, and the milliseconds that are left of its window. */
const ClientCounts = t.readonlyArray(t.tuple([t.string, t.number, t.number]))
type ClientCounts = t.TypeOf<typeof ClientCounts>

/** The counts of one process, as they are stored. */
const StoredCounts = t.readonly(
  t.type({ key: ClientCounts, address: ClientCounts, public: ClientCounts, comments: ClientCounts }),
  collection,
)
type StoredCounts = t.TypeOf<typeof StoredCounts>

/** A client is published once it has used this part of its limit, which most never do. */
const publishedFrom = 1 / 10
/** The maximum number of published clients of a policy, busiest first. Limits a document to 100 KB. */
const maxPublished = 1000
/** Milliseconds between writes of a process that has nothing to publish, so that others count it. */
const heartbeat = 20_000
/** Milliseconds after which a process with an unchanged document counts as ended. */
const lifetime = 3 * heartbeat
/** Milliseconds after which an unchanged document is removed. */
const retention = 3_600_000

const noCounts = (): Readonly<Record<RatePolicy, Map<string, Counted>>> => forEachPolicy(() => new Map())

const encode = (counts: readonly RateCount[]): ClientCounts =>
  counts.map(({ key, count, remaining }) => [key, count, Math.ceil(remaining)])

const decode = (counts: ClientCounts, now: number): ReadonlyMap<string, Counted> =>
  new Map(counts.map(([key, count, remaining]) => [key, { count, ends: now + remaining }]))

/** The counts of other processes. */
export type SharedRates = {
  /** The counts of a client, and the milliseconds until its last window at the other processes ends. */
  readonly of: (policy: RatePolicy, key: string) => SharedUse & { readonly othersRemaining: number }
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
export const createSharedRates = (
  { documents, clock, ids, log }: Pick<ProvidedPorts, 'documents' | 'clock' | 'ids' | 'log'>,
  counters: RateCounters,
  limits: RateLimits,
): SharedRates => {
  const { insert, replace, remove } = singleChanges(documents, clock.position)
  const id = ids.uuid()
  let version: number | null = null
  let written = -Infinity
  let published: Counts = noCounts()
  let processCounts: ReadonlyMap<string, ProcessCounts> = new Map()
  let others: Counts = noCounts()
  let processes = 1
  let isFailing = false

  const write = async (value: StoredCounts): Promise<PortFailure | null> => {
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
    const busiest = forEachPolicy((policy) =>
      counters[policy].busiest(limits[policy] * publishedFrom, maxPublished),
    )
    const hasChanges = ratePolicies.some((policy) => busiest[policy].length > 0 || published[policy].size > 0)
    if (!hasChanges && clock.monotonic() - written < heartbeat) return null
    const failure = await write(forEachPolicy((policy) => encode(busiest[policy])))
    if (failure !== null) return failure
    const now = clock.monotonic()
    published = forEachPolicy(
      (policy) =>
        new Map(busiest[policy].map(({ key, count, remaining }) => [key, { count, ends: now + remaining }])),
    )
    return null
  }

  const readCounts = (document: Document, now: number): ProcessCounts => {
    const before = processCounts.get(document.id)
    if (before?.version === document.version) return before
    // Another version of the service may write another format, which is ignored.
    const { value } = document
    const counts = StoredCounts.is(value) ? value : null
    return {
      version: document.version,
      since: now,
      counts: forEachPolicy((policy) => decode(counts?.[policy] ?? [], now)),
    }
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
    const sums = noCounts()
    for (const { counts } of live)
      for (const policy of ratePolicies)
        for (const [key, { count, ends }] of counts[policy]) {
          if (ends <= now) continue
          const sum = sums[policy].get(key)
          sums[policy].set(key, { count: count + (sum?.count ?? 0), ends: Math.max(ends, sum?.ends ?? 0) })
        }
    others = sums
    processes = 1 + live.length
    for (const [name, { version: last, since }] of processCounts)
      // Another process may have removed it first.
      if (now - since >= retention) await remove(collection, systemInstance, name, last)()
    return null
  }

  return {
    of: (policy, key) => {
      const now = clock.monotonic()
      const [own, foreign] = [published[policy].get(key), others[policy].get(key)]
      const isOwnOver = own === undefined || own.ends <= now
      const isForeignOver = foreign === undefined || foreign.ends <= now
      return {
        published: isOwnOver ? 0 : own.count,
        others: isForeignOver ? 0 : foreign.count,
        othersRemaining: isForeignOver ? 0 : foreign.ends - now,
        processes,
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
