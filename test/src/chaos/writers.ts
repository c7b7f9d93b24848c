/**
 * Clients that write until the service ends, and record each write and whether it was acknowledged; and the comparison of
 * a restarted service with the records.
 */
import { randomUUID } from 'node:crypto'
import type { Json } from '@publishing-service/domain'
import { setTimeout } from 'node:timers/promises'
import { largeDigest, uploadLarge } from '../durability/large-data.js'
import type { Random } from '../durability/random.js'
import { bootstrapKey } from '../durability/service-process.js'
import { readFile, walk, type FileValue } from '../durability/written-objects.js'
import type { ApiResponse, Api } from '../harness/http-client.js'
import { createApi } from '../harness/http-client.js'
import { findInconsistencies } from './consistency.js'
import { eachFamily, type Choice, type Family } from './families.js'
import { createLedger, type Outcome } from './ledger.js'
import { createTargets, one, type Worker } from './write-targets.js'

/** One service: its address, and instance 1 as an admin. */
export type ServiceClient = { readonly url: string; readonly api: Api }

/** `lost`: an acknowledged write is missing. `half-written`: the stores contain a part of a write. */
export type Finding = { readonly kind: 'lost' | 'half-written'; readonly text: string }

/** How the load on one service ended. */
export type Load = {
  /** Clients whose connection broke. */
  readonly broken: number
  /** Responses with 503. */
  readonly refused: number
  /** Responses that the service does not document. */
  readonly faults: readonly string[]
}

export type Writers = {
  /**
   * Writes by all clients, distributed over the services, until the connection of a client breaks or `isEnough`.
   * Resolves, for each service, with how it ended.
   */
  readonly run: (services: readonly ServiceClient[], isEnough?: () => boolean) => Promise<readonly Load[]>
  /** Uploads this number of bytes to a separate file; `pause` runs half-service. */
  readonly uploadLarge: (service: ServiceClient, bytes: number, pause: () => Promise<void>) => Promise<void>
  /**
   * Reads and compares all objects; later writes continue from the stored values. `survivor`: the process was running
   * while another wrote, so objects that it may cache for some seconds are left out.
   */
  readonly verify: (service: ServiceClient, process?: 'fresh' | 'survivor') => Promise<readonly Finding[]>
  readonly acknowledged: () => number
  /** The number of acknowledged writes of each kind. */
  readonly kinds: () => ReadonlyMap<string, number>
}

const clients = 8
/** Maximum number of objects of one collection that a worker has at a time. */
const maxOwned = 3
/** Reads of a verification that run at the same time. */
const readers = 6
const pauseAfterRefusal = 20

const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String(error.code))

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const shown = ({ method, path, status, text }: ApiResponse): string =>
  `${method} ${path} → ${status} ${text.slice(0, 300)}`

const outcomeOf = (answer: ApiResponse, rejections: readonly number[]): Outcome => {
  if (answer.status === 200) return 'acknowledged'
  if (answer.status === 503) return 'unanswered'
  if (rejections.includes(answer.status)) return 'rejected'
  throw new Error(shown(answer))
}

/** Calls `use` with each item, several at a time. */
const onEach = async <A>(items: readonly A[], use: (item: A) => Promise<void>): Promise<void> => {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await use(item)
  }
  await Promise.all(Array.from({ length: readers }, worker))
}

/** Creates the write targets. The stores of the service contain only the sample. */
export const createWriters = async (first: ServiceClient, random: Random): Promise<Writers> => {
  const collections = ['content', 'sections', 'locations', 'files', 'tags'] as const
  const sample = new Map<string, readonly string[]>()
  for (const collection of collections) sample.set(collection, await walk(first.api, collection, 'title'))
  const targets = await createTargets(first.api, random, clients)
  const kinds = new Map<string, number>()
  const count = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1)

  const track = <V extends Json>({
    weight = 1,
    collection,
    names,
    isCached = false,
    next,
    read,
  }: Family<V>) => {
    const ledger = createLedger<V>()
    const owned = new Map<number, readonly string[]>()
    const ownedBy = ({ index }: Worker): readonly string[] => owned.get(index) ?? []
    /** The names that exist from the beginning. */
    const given = names === undefined ? [] : targets.workers.flatMap((worker) => names(worker, targets))
    const isThere = (name: string): boolean => (ledger.current(name) ?? null) !== null

    /** A name that the worker may write now; null if there is none. */
    const chooseName = (worker: Worker): string | null => {
      const existing = names?.(worker, targets) ?? ownedBy(worker)
      if (names === undefined && existing.length < maxOwned) {
        const id = randomUUID()
        owned.set(worker.index, [...existing, id])
        return id
      }
      const settled = existing.filter((name) => ledger.current(name) !== undefined)
      return settled.length === 0 ? null : one(random, settled)
    }

    return {
      weight,
      collection,
      isCached,
      /** Reads the values of the names that exist from the beginning. */
      begin: () => onEach(given, async (name) => void ledger.settle(name, await read(first.api, name))),
      present: (worker: Worker): readonly string[] => ownedBy(worker).filter(isThere),
      /** One write; null if there is nothing to write now. */
      step: async (api: Api, worker: Worker, created: Choice<V>['created']): Promise<Outcome | null> => {
        const name = chooseName(worker)
        if (name === null) return null
        const current = ledger.current(name) ?? null
        const { kind, value, send, rejections = [] } = next({ name, current, worker, targets, created })
        const outcome = await ledger.write(name, value, async () => outcomeOf(await send(api), rejections))
        if (outcome === 'acknowledged') count(kind)
        return outcome
      },
      verify: async (api: Api, found: (finding: Finding) => void): Promise<void> => {
        await onEach([...new Set([...given, ...ledger.names()])], async (name) => {
          const allowed = ledger.allowed(name)
          let value: V | null
          try {
            value = await read(api, name)
          } catch (error) {
            if (isBroken(error)) throw error
            return found({ kind: 'half-written', text: textOf(error) })
          }
          if (ledger.settle(name, value)) return
          const expected = allowed.map((each) => JSON.stringify(each)).join(' or ')
          found({ kind: 'lost', text: `${name} is ${JSON.stringify(value)} and may be ${expected}` })
        })
        for (const worker of targets.workers) owned.set(worker.index, ownedBy(worker).filter(isThere))
      },
    }
  }

  const families = eachFamily(track)
  for (const family of families) await family.begin()
  const chances = families.flatMap((family) => Array.from({ length: family.weight }, () => family))
  const large = createLedger<FileValue>()
  const largeFile = randomUUID()
  let tokens: readonly string[] = []

  const presentIn = (collection: string, worker: Worker): readonly string[] =>
    families.flatMap((family) => (family.collection === collection ? family.present(worker) : []))

  const createdIn = (collection: string): readonly string[] =>
    targets.workers.flatMap((worker) => presentIn(collection, worker))

  const fetchToken = async (url: string): Promise<Outcome> => {
    const { key, secret } = bootstrapKey
    const form = { grant_type: 'client_credentials', api_key: key, api_secret: secret }
    const answer = await createApi(url).send('POST', '/oauth/token', {
      body: new URLSearchParams(form).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const outcome = outcomeOf(answer, [])
    if (outcome !== 'acknowledged') return outcome
    tokens = [...tokens, String(answer.object['access_token'])]
    count('fetch token')
    return outcome
  }

  const client = async (
    { url, api }: ServiceClient,
    worker: Worker,
    isEnough: () => boolean,
  ): Promise<{ readonly broken: boolean; readonly refused: number; readonly fault: string | null }> => {
    let refused = 0
    try {
      while (!isEnough()) {
        const outcome =
          random.below(60) === 0
            ? await fetchToken(url)
            : await one(random, chances).step(api, worker, createdIn)
        if (outcome === 'unanswered') refused += 1
        if (outcome === 'unanswered' || outcome === null) await setTimeout(pauseAfterRefusal)
      }
      return { broken: false, refused, fault: null }
    } catch (error) {
      const broken = isBroken(error)
      return { broken, refused, fault: broken ? null : textOf(error) }
    }
  }

  return {
    run: async (services, isEnough = () => false) => {
      const running = services.map((service, turn) =>
        Promise.all(
          targets.workers
            .filter(({ index }) => index % services.length === turn)
            .map((worker) => client(service, worker, isEnough)),
        ),
      )
      return (await Promise.all(running)).map((ends) => ({
        broken: ends.filter(({ broken }) => broken).length,
        refused: ends.reduce((sum, { refused }) => sum + refused, 0),
        faults: ends.flatMap(({ fault }) => fault ?? []),
      }))
    },
    uploadLarge: async ({ url, api: { token, put } }, bytes, pause) => {
      const title = 'large'
      const [path, body] = [`/files/${largeFile}`, { title, filename: `${title}.bin` }]
      const write = (value: FileValue, send: () => Promise<Outcome>): Promise<Outcome> =>
        large.write(largeFile, value, send)
      try {
        if (large.current(largeFile) === null)
          await write({ title, sha256: null }, async () => outcomeOf(await put(path, body), []))
        if (large.current(largeFile) === undefined) return
        await write({ title, sha256: largeDigest(bytes) }, async () => {
          await uploadLarge({ url, token: token ?? '' }, largeFile, bytes, pause)
          count('upload large data')
          return 'acknowledged'
        })
      } catch (error) {
        if (!isBroken(error)) throw error
      }
    },
    verify: async ({ url, api }, process = 'fresh') => {
      const findings: Finding[] = []
      const found = (finding: Finding): void => void findings.push(finding)
      const accepted = async (token: string | null): Promise<boolean> =>
        (await createApi(`${url}/1`, token).get('/', { 'Cache-Control': 'no-cache' })).status === 200
      if (!(await accepted(api.token))) return [{ kind: 'lost', text: 'the access token of the test' }]
      for (const token of tokens)
        if (!(await accepted(token))) found({ kind: 'lost', text: 'an access token' })
      tokens = []
      for (const family of families)
        if (process === 'fresh' || !family.isCached) await family.verify(api, found)
      for (const name of large.names()) {
        const value = await readFile(api, name)
        if (!large.settle(name, value)) found({ kind: 'lost', text: `large file: ${JSON.stringify(value)}` })
      }
      const expected = new Map(
        collections.map((collection) => [
          collection,
          [
            ...(sample.get(collection) ?? []),
            ...(targets.ids.get(collection) ?? []),
            ...createdIn(collection),
            ...(collection === 'files' ? large.names() : []),
          ],
        ]),
      )
      for (const text of await findInconsistencies(api, expected)) found({ kind: 'half-written', text })
      return findings
    },
    acknowledged: () => [...kinds.values()].reduce((sum, each) => sum + each, 0),
    kinds: () => kinds,
  }
}
