/**
 * Clients that write until the service goes away, each recording what it sent and what was acknowledged, and the
 * check of a restarted service against that record.
 */
import { randomUUID } from 'node:crypto'
import type { Json } from '@publishing-service/domain'
import { setTimeout } from 'node:timers/promises'
import { largeDigest, uploadLarge } from '../durability/large-data.js'
import type { Random } from '../durability/random.js'
import { bootstrapKey } from '../durability/service-process.js'
import { readFile, walk, type FileValue } from '../durability/written-things.js'
import type { Answer, Api } from '../harness/http-client.js'
import { createApi } from '../harness/http-client.js'
import { findInconsistencies } from './consistency.js'
import { eachFamily, type Choice, type Family } from './families.js'
import { createLedger, type Outcome } from './ledger.js'
import { createStage, one, type Worker } from './stage.js'

/** One service: its address, and instance 1 as an admin. */
export type Way = { readonly url: string; readonly api: Api }

/** `lost`: an acknowledged write is not there. `half-written`: the stores hold what no whole write made. */
export type Finding = { readonly kind: 'lost' | 'half-written'; readonly text: string }

/** How the load on one service ended. */
export type Load = {
  /** Clients whose connection broke. */
  readonly broken: number
  /** Answers of 503. */
  readonly refused: number
  /** What no client may meet: statuses and answers that the service does not document. */
  readonly faults: readonly string[]
}

export type Writers = {
  /**
   * Writes by all clients, distributed over the services, until the connection of a client breaks or `isEnough`.
   * Resolves, for each service, with how it ended.
   */
  readonly run: (ways: readonly Way[], isEnough?: () => boolean) => Promise<readonly Load[]>
  /** Uploads so many bytes to a file of its own; `pause` runs half-way. */
  readonly uploadLarge: (way: Way, bytes: number, pause: () => Promise<void>) => Promise<void>
  /**
   * Reads everything again. What was found is what later writes start from. `survivor`: the process was running while
   * another wrote, so that what it may remember for some seconds is left out.
   */
  readonly verify: (way: Way, process?: 'fresh' | 'survivor') => Promise<readonly Finding[]>
  readonly acknowledged: () => number
  /** How many writes of each kind were acknowledged. */
  readonly kinds: () => ReadonlyMap<string, number>
}

const clients = 8
/** Objects of one collection that a worker has at a time. */
const mostOwned = 3
/** Reads of a verification that run at the same time. */
const readers = 6
const pauseAfterRefusal = 20

const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String(error.code))

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const shown = ({ method, path, status, text }: Answer): string =>
  `${method} ${path} → ${status} ${text.slice(0, 300)}`

const outcomeOf = (answer: Answer, rejections: readonly number[]): Outcome => {
  if (answer.status === 200) return 'acknowledged'
  if (answer.status === 503) return 'unanswered'
  if (rejections.includes(answer.status)) return 'rejected'
  throw new Error(shown(answer))
}

/** Runs `use` on every item, several at a time. */
const onEach = async <A>(items: readonly A[], use: (item: A) => Promise<void>): Promise<void> => {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await use(item)
  }
  await Promise.all(Array.from({ length: readers }, worker))
}

/** Makes what the storm writes to, by a service on stores that hold the sample alone. */
export const createWriters = async (first: Way, random: Random): Promise<Writers> => {
  const collections = ['content', 'sections', 'locations', 'files', 'tags'] as const
  const sample = new Map<string, readonly string[]>()
  for (const collection of collections) sample.set(collection, await walk(first.api, collection, 'title'))
  const stage = await createStage(first.api, random, clients)
  const kinds = new Map<string, number>()
  const count = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1)

  const track = <V extends Json>({
    weight = 1,
    collection,
    names,
    isRemembered = false,
    next,
    read,
  }: Family<V>) => {
    const ledger = createLedger<V>()
    const owned = new Map<number, readonly string[]>()
    const ownedBy = ({ index }: Worker): readonly string[] => owned.get(index) ?? []
    /** The names that exist from the beginning. */
    const given = names === undefined ? [] : stage.workers.flatMap((worker) => names(worker, stage))
    const isThere = (name: string): boolean => (ledger.current(name) ?? null) !== null

    /** A name that the worker may write now; null where there is none. */
    const chosen = (worker: Worker): string | null => {
      const existing = names?.(worker, stage) ?? ownedBy(worker)
      if (names === undefined && existing.length < mostOwned) {
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
      isRemembered,
      /** Reads what the names have that exist from the beginning. */
      begin: () => onEach(given, async (name) => void ledger.settle(name, await read(first.api, name))),
      present: (worker: Worker): readonly string[] => ownedBy(worker).filter(isThere),
      /** One write; null where there is nothing to write now. */
      step: async (api: Api, worker: Worker, created: Choice<V>['created']): Promise<Outcome | null> => {
        const name = chosen(worker)
        if (name === null) return null
        const current = ledger.current(name) ?? null
        const { kind, value, send, rejections = [] } = next({ name, current, worker, stage, created })
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
        for (const worker of stage.workers) owned.set(worker.index, ownedBy(worker).filter(isThere))
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
    stage.workers.flatMap((worker) => presentIn(collection, worker))

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
    { url, api }: Way,
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
    run: async (ways, isEnough = () => false) => {
      const running = ways.map((way, turn) =>
        Promise.all(
          stage.workers
            .filter(({ index }) => index % ways.length === turn)
            .map((worker) => client(way, worker, isEnough)),
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
      if (!(await accepted(api.token))) return [{ kind: 'lost', text: 'the access token of the storm' }]
      for (const token of tokens)
        if (!(await accepted(token))) found({ kind: 'lost', text: 'an access token' })
      tokens = []
      for (const family of families)
        if (process === 'fresh' || !family.isRemembered) await family.verify(api, found)
      for (const name of large.names()) {
        const value = await readFile(api, name)
        if (!large.settle(name, value)) found({ kind: 'lost', text: `large file: ${JSON.stringify(value)}` })
      }
      const expected = new Map(
        collections.map((collection) => [
          collection,
          [
            ...(sample.get(collection) ?? []),
            ...(stage.ids.get(collection) ?? []),
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
