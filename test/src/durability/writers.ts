/**
 * Clients that write until the service ends. They record each write and its outcome, and compare a restarted service
 * with the records.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { largeDigest, uploadLarge } from './large-data.js'
import type { Random } from './random.js'
import { bootstrapKey } from './service-process.js'
import { readFile, readObject, walk } from './written-objects.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { idOf } from '../harness/object-writer.js'
import { findInconsistencies, thorough, type Extent } from './consistency.js'
import { findBlockedNames, findWrongRecords, type SentValue } from './interrupted-writes.js'
import { createFeedReader } from './feed-reader.js'
import { families } from './families.js'
import { fresh, pathOf, type Choice, type Family } from './family.js'
import { createLedger, type Outcome, type Value } from './ledger.js'
import { createTargets, one, type Targets, type Worker } from './fixed-objects.js'

/** A service: its URL, and a client for instance 1 as an admin. */
export type ServiceClient = { readonly url: string; readonly api: Api }

/** The result of the load on one service. */
export type Load = {
  /** The number of clients whose connection broke. */
  readonly broken: number
  /** The number of responses with 503. */
  readonly refused: number
  /** Responses that the service does not document. */
  readonly faults: readonly string[]
}

export type Writers = Awaited<ReturnType<typeof createWriters>>

const clientCount = 8
/** The maximum number of existing objects that a worker has created in one collection. */
const maxOwned = 3
const concurrentReads = 6
const pauseAfterRefusal = 20
/** The reader of the feed pauses this many times as long as it has read: a slow store has to serve the writers. */
const readerPause = 3

const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String(error.code))

/** Milliseconds within which a store that is slow under load responds. */
const storePatience = 180_000

/** A client that repeats reads, creations and deletions after 503. */
const patient = (api: Api): Api => {
  const repeated =
    <A extends readonly unknown[]>(send: (...args: A) => Promise<ApiResponse>) =>
    async (...args: A): Promise<ApiResponse> => {
      const end = performance.now() + storePatience
      for (;;) {
        const response = await send(...args)
        if (response.status !== 503 || performance.now() > end) return response
        await setTimeout(pauseAfterRefusal)
      }
    }
  return { ...api, get: repeated(api.get), put: repeated(api.put), delete: repeated(api.delete) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const outcomeOf = (
  { method, path, status, text }: ApiResponse,
  rejections: readonly number[] = [],
): Outcome => {
  if (status === 200) return 'acknowledged'
  if (status === 503) return 'unanswered'
  if (rejections.includes(status)) return 'rejected'
  throw new Error(`${method} ${path} → ${status} ${text.slice(0, 300)}`)
}

const forEachConcurrently = async <A>(
  items: readonly A[],
  use: (item: A) => Promise<void>,
): Promise<void> => {
  const queue = [...items]
  const run = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await use(item)
  }
  await Promise.all(Array.from({ length: concurrentReads }, run))
}

/** Writes objects of one family and compares them with the ledger. */
const createFamilyWriter = (
  { collection, names, next, goesOn = false, read = (api, name) => readObject(api, pathOf(name)) }: Family,
  targets: Targets,
  count: { readonly acknowledged: () => void; readonly compared: () => void },
) => {
  const initial: Record<string, Value> = {}
  const namesOf = new Map<Worker, readonly string[]>()
  for (const worker of targets.workers) {
    const values = names?.(worker, targets) ?? {}
    Object.assign(initial, values)
    namesOf.set(worker, Object.keys(values))
  }
  const ledger = createLedger(initial)
  /** The values of writes since the last comparison, and whether each was answered. */
  let sent: SentValue[] = []
  const exists = (name: string): boolean => (ledger.current(name) ?? null) !== null

  /** A name that the worker may write now; undefined if there is none. */
  const chooseName = (worker: Worker): string | undefined => {
    const existing = namesOf.get(worker) ?? []
    if (collection !== undefined && existing.length < maxOwned) {
      const name = `/${collection}/${randomUUID()}`
      namesOf.set(worker, [...existing, name])
      return name
    }
    const writable = existing.filter((name) => ledger.current(name) !== undefined)
    return writable.length === 0 ? undefined : one(targets.random, writable)
  }

  return {
    existing: (): readonly string[] => [...namesOf.values()].flat().filter(exists).map(idOf),
    /** Sends one write. Returns null if no object can be written now. */
    write: async (api: Api, worker: Worker, created: Choice['created']): Promise<Outcome | null> => {
      const name = chooseName(worker)
      if (name === undefined) return null
      const current = ledger.current(name) ?? null
      const { value, send, rejections } = next({ name, current, worker, targets, created })
      sent.push({ name, value: current }, { name, value })
      const outcome = await ledger.write(name, value, async () => outcomeOf(await send(api), rejections))
      if (outcome === 'acknowledged') count.acknowledged()
      return outcome
    },
    /** Returns the values of the writes since the last call. */
    takeSent: (): readonly SentValue[] => {
      const taken = sent
      sent = []
      return taken
    },
    /** While a process goes on that was not killed, it leaves out what waits for the start of one. */
    verify: async (api: Api, isStarted: boolean): Promise<readonly string[]> => {
      if (goesOn && !isStarted) return []
      const findings: string[] = []
      await forEachConcurrently(ledger.names(), async (name) => {
        try {
          const allowed = ledger.allowed(name)
          findings.push(...ledger.settle(name, await read(api, name, targets)))
          const settled = ledger.current(name)
          if (settled !== undefined && allowed.length > 1)
            findings.push(...(await findWrongRecords(api, pathOf(name), allowed, settled)))
          count.compared()
        } catch (error) {
          if (isBroken(error)) throw error
          findings.push(messageOf(error))
        }
      })
      if (collection !== undefined)
        for (const [worker, owned] of namesOf) namesOf.set(worker, owned.filter(exists))
      return findings
    },
  }
}

const collections = ['content', 'sections', 'files', 'tags'] as const

/**
 * Creates the write targets. The stores of the service contain only the sample. `longThreads` are numbers of comments that are
 * deleted and restored with their articles.
 */
export const createWriters = async (
  first: ServiceClient,
  random: Random,
  longThreads: readonly number[] = [],
) => {
  const sample: Record<string, readonly string[]> = {}
  for (const collection of collections) sample[collection] = await walk(first.api, collection, 'title')
  const targets = await createTargets(first.api, random, clientCount, longThreads)
  let acknowledged = 0
  let compared = 0
  const count = {
    acknowledged: (): void => void (acknowledged += 1),
    compared: (): void => void (compared += 1),
  }
  const writers = families.map((family) => ({ ...family, ...createFamilyWriter(family, targets, count) }))
  const weighted = writers.flatMap((writer) => Array.from({ length: writer.weight ?? 1 }, () => writer))
  const created = (collection: string): readonly string[] =>
    writers.flatMap((writer) => ((writer.collection ?? writer.lists) === collection ? writer.existing() : []))

  let tokens: readonly string[] = []
  const fetchToken = async (url: string): Promise<Outcome> => {
    const { key, secret } = bootstrapKey
    const form = { grant_type: 'client_credentials', api_key: key, api_secret: secret }
    const response = await createApi(url).send('POST', '/oauth/token', {
      body: new URLSearchParams(form).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const outcome = outcomeOf(response)
    if (outcome !== 'acknowledged') return outcome
    tokens = [...tokens, String(response.object['access_token'])]
    count.acknowledged()
    return outcome
  }

  const writeUntil = async (
    { url, api }: ServiceClient,
    worker: Worker,
    isEnough: () => boolean,
  ): Promise<Load> => {
    let refused = 0
    try {
      while (!isEnough()) {
        const outcome =
          random.below(60) === 0
            ? await fetchToken(url)
            : await one(random, weighted).write(api, worker, created)
        if (outcome === 'unanswered') refused += 1
        if (outcome === 'unanswered' || outcome === null) await setTimeout(pauseAfterRefusal)
      }
      return { broken: 0, refused, faults: [] }
    } catch (error) {
      return isBroken(error)
        ? { broken: 1, refused, faults: [] }
        : { broken: 0, refused, faults: [messageOf(error)] }
    }
  }

  const feed = createFeedReader()
  /** Reads the feed while others write. A broken connection ends that. */
  const readFeed = async (api: Api, isOver: () => boolean): Promise<void> => {
    try {
      while (!isOver()) {
        const began = performance.now()
        await feed.readOn(api)
        await setTimeout(readerPause * (performance.now() - began))
      }
    } catch (error) {
      if (!isBroken(error)) throw error
    }
  }

  /** What many comparisons together read completely. */
  const sampled: Extent = { orders: (all) => [one(random, all)], some: 5 }

  const large = createLedger()
  const largeFile = randomUUID()

  return {
    /**
     * Writes with all clients, distributed over the services, until their connections break or `isEnough`. Resolves
     * with one result for each service.
     */
    run: async (
      services: readonly ServiceClient[],
      isEnough: () => boolean = () => false,
    ): Promise<readonly Load[]> => {
      let isOver = false
      const reading = services.slice(0, 1).map(({ api }) => readFeed(api, () => isOver))
      const loads = await Promise.all(
        services.map(async (service, index) => {
          const workers = targets.workers.filter((worker) => worker.index % services.length === index)
          const ended = await Promise.all(workers.map((worker) => writeUntil(service, worker, isEnough)))
          return {
            broken: ended.reduce((sum, { broken }) => sum + broken, 0),
            refused: ended.reduce((sum, { refused }) => sum + refused, 0),
            faults: ended.flatMap(({ faults }) => faults),
          }
        }),
      )
      isOver = true
      await Promise.all(reading)
      return loads
    },
    /** Uploads this number of bytes to a separate file. Waits for `pause` after half of them. */
    uploadLarge: async (
      { url, api: { token, put } }: ServiceClient,
      bytes: number,
      pause: () => Promise<void>,
    ): Promise<void> => {
      const title = 'large'
      try {
        if (large.current(largeFile) === null)
          await large.write(largeFile, { title, sha256: null }, async () =>
            outcomeOf(await put(`/files/${largeFile}`, { title, filename: `${title}.bin` })),
          )
        if (large.current(largeFile) === undefined) return
        await large.write(largeFile, { title, sha256: largeDigest(bytes) }, async () => {
          await uploadLarge({ url, token: token ?? '' }, largeFile, bytes, pause)
          count.acknowledged()
          return 'acknowledged'
        })
      } catch (error) {
        // What a slow store has refused may have been applied.
        if (!isBroken(error) && !messageOf(error).includes('"unavailable"')) throw error
      }
    },
    /**
     * Compares all objects with the records, and uses names of writes again. `lists` says how much of lists, searches and versions
     * it compares; none of them without it. Later writes continue from the stored values. `isStarted` says that a process has started since the last kill.
     */
    verify: async (
      { url, api: client }: ServiceClient,
      { lists, isStarted = true }: { readonly lists: 'all' | 'some' | 'none'; readonly isStarted?: boolean },
    ): Promise<readonly string[]> => {
      const api = patient(client)
      const isAccepted = async (token: string | null): Promise<boolean> =>
        (await patient(createApi(`${url}/1`, token)).get('/', fresh)).status === 200
      if (!(await isAccepted(api.token))) return ['lost: the access token of the test']
      const findings: string[] = []
      for (const token of tokens) if (!(await isAccepted(token))) findings.push('lost: an access token')
      tokens = []
      for (const { verify } of writers) findings.push(...(await verify(api, isStarted)))
      for (const name of large.names()) findings.push(...large.settle(name, await readFile(api, name)))
      if (!isStarted) return findings
      const sent = writers.flatMap(({ takeSent }) => takeSent())
      findings.push(...(await findBlockedNames(api, random, sent)))
      const expected = Object.fromEntries(
        collections.map((collection) => [
          collection,
          [
            ...(sample[collection] ?? []),
            ...(targets.ids[collection] ?? []),
            ...created(collection),
            ...(collection === 'files' ? large.names() : []),
          ],
        ]),
      )
      return [
        ...findings,
        ...(lists === 'none'
          ? []
          : await findInconsistencies(api, expected, lists === 'all' ? thorough : sampled)),
        ...(await feed.compare(api, expected)),
      ]
    },
    /** The number of objects and attributes that were compared, each time. */
    compared: (): number => compared,
    acknowledged: (): number => acknowledged,
  }
}
