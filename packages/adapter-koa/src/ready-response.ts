/** Responses that can be sent, and the cache of those that can be sent again. */
import { hash } from 'node:crypto'
import { asciiJsonPieces, asciiPieceLength, asciiText, type Json } from '@publishing-service/domain/json'
import { type Result, acceptsJson, bypassesCache } from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import type { Dependencies, UseCases } from '@publishing-service/application'
import type { CacheLookup, RequestContext } from './request-context.js'
import { E } from '@publishing-service/domain/fp'

/** Content codings of responses, the preferred one first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** The compressed forms of a body, made when they are first requested. */
type CodedForms = Map<Coding, Buffer | Promise<Buffer>>

/** A response as it is sent. */
export type ReadyResponse = {
  /** JSON in ASCII, as text or bytes; or the bytes of another text or of file data. */
  readonly body: string | Buffer
  /** The entity tag of the body; empty if the response has none. */
  readonly tag: string
  /** Cache-Control. */
  readonly control: string
  /** The request headers that it depends on, besides Origin; empty if there are none. */
  readonly vary: string
  /** Its other headers, of 200 only: names and values alternate, which Node.js writes fastest. */
  readonly headers: readonly string[]
  /** Content-Security-Policy instead of that of the request; null for none. */
  readonly policy?: string | null
  /** Null if it is never compressed. */
  readonly forms: CodedForms | null
}

/** Bytes of the compressed forms that have been made. */
const codedBytes = (forms: CodedForms | null): number => {
  let bytes = 0
  for (const form of forms?.values() ?? []) if (Buffer.isBuffer(form)) bytes += form.length
  return bytes
}

/** The value of Vary for these request headers, and Accept-Encoding if the response can be compressed. */
export const varyBy = (names: readonly string[], isCompressed: boolean): string =>
  [...names, ...(isCompressed ? ['Accept-Encoding'] : [])].join(', ')

/** Cache-Control and Vary of a response. */
export type CachingHeaders = { readonly control: string; readonly vary: string }

/** A strong validator: equal bytes, equal tags. */
export const entityTag = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`

/** The body of a response, in ASCII. A long one is encoded in slices; other requests are served between them. */
const encodeJson = async (value: Json, { turn }: Pick<Clock, 'turn'>): Promise<string | Buffer> => {
  await turn()
  const json = JSON.stringify(value)
  // Node.js writes a short text together with its headers.
  if (json.length <= asciiPieceLength) return asciiText(json)
  const pieces: Buffer[] = []
  for (const piece of asciiJsonPieces(json)) {
    pieces.push(Buffer.from(piece, 'latin1'))
    await turn()
  }
  return Buffer.concat(pieces)
}

/** A text in UTF-8. Other requests are served between its pieces. */
const encodeText = async (pieces: Iterable<string>, { turn }: Pick<Clock, 'turn'>): Promise<Buffer> => {
  const encoded: Buffer[] = []
  for (const piece of pieces) {
    encoded.push(Buffer.from(piece))
    await turn()
  }
  return Buffer.concat(encoded)
}

type TextResult = Extract<Result, { readonly _tag: 'Json' | 'Text' }>

/** A successful response with its headers and `more`, in which names and values alternate; it can be sent and cached. */
export const textResponse = async (
  result: TextResult,
  { control, vary }: CachingHeaders,
  more: readonly string[],
  { isTagged, isCompressed }: { readonly isTagged: boolean; readonly isCompressed: boolean },
  clock: Pick<Clock, 'turn'>,
): Promise<ReadyResponse> => {
  const isJson = result._tag === 'Json'
  const body = await (isJson ? encodeJson(result.body, clock) : encodeText(result.pieces, clock))
  const type = ['Content-Type', `${result.mediaType ?? 'application/json'}; charset=utf-8`]
  return {
    body,
    tag: isTagged ? entityTag(body) : '',
    control,
    vary,
    headers: [...type, ...Object.entries((isJson ? result.headers : undefined) ?? {}).flat(), ...more],
    forms: isCompressed ? new Map() : null,
  }
}

// Cached responses: what they are found under, and how long they are valid.

type Entry = ReadyResponse & {
  /** The id of its endpoint. */
  readonly endpoint: string
  readonly dependencies: Dependencies
  /** Whether it is sent regardless of the header Accept. */
  readonly isAnyType: boolean
  readonly until: number
  /** By the wall clock. When that is set back before this time, issue dates may be in the future again. */
  readonly createdAt: number
}

/**
 * Milliseconds within which the writes of other processes on the same stores are seen
 * (docs/behaviour/caching.md#other-processes).
 */
const freshness = 60_000

/** Milliseconds for which a response that changes with time is valid, as when an issue date is reached. */
const clockFreshness = 1000

/** Bytes of an entry besides its body and key. */
const overhead = 600

const isCurrent = ({ dependencies, until, createdAt }: Entry, elapsed: number, wall: number): boolean => {
  if (until <= elapsed || wall < createdAt) return false
  for (const [counter, value] of dependencies) if (counter.value !== value) return false
  return true
}

/** A response with the id of its endpoint. */
export type CachedResponse = Pick<Entry, 'endpoint'> & ReadyResponse

/** The responses that are cached. */
export type ResponseCache = {
  /** Bytes of the largest file data that are cached: a few photographs must not evict the pages. */
  readonly maxDataBytes: number
  /** Null where there is no valid response. */
  readonly find: (lookup: CacheLookup) => CachedResponse | null
  readonly add: (
    lookup: CacheLookup,
    response: ReadyResponse,
    validity: Pick<Entry, 'dependencies' | 'endpoint' | 'isAnyType'> & { readonly isTimed: boolean },
  ) => void
  /** Counts the compressed forms of a response that is cached. */
  readonly resize: (lookup: CacheLookup, response: ReadyResponse) => void
}

/**
 * Caches responses of this process, within a number of bytes; the least recently used are evicted first. A write of this
 * process to a dependency of a response invalidates it before the response to the write is sent
 * (docs/behaviour/caching.md#own-writes).
 */
export const createResponseCache = (limitBytes: number, clock: Clock): ResponseCache => {
  const entries =
    limitBytes === 0
      ? null
      : new LRUCache<string, Entry>({
          maxSize: limitBytes,
          maxEntrySize: Math.max(1, Math.floor(limitBytes / 8)),
          sizeCalculation: ({ body, forms }, key) =>
            body.length + codedBytes(forms) + key.length * 2 + overhead,
        })

  return {
    maxDataBytes: Math.floor(limitBytes / 64),

    find: ({ key, acceptsJson: isJsonAccepted }) => {
      const entry = entries?.get(key)
      if (entry === undefined || !(entry.isAnyType || isJsonAccepted)) return null
      if (isCurrent(entry, clock.monotonic(), clock.now())) return entry
      entries?.delete(key)
      return null
    },

    add: ({ key, since }, response, { isTimed, ...validity }) => {
      const until = since + (isTimed ? clockFreshness : freshness)
      entries?.set(key, { ...response, ...validity, until, createdAt: clock.now() })
    },

    resize: ({ key }, { forms }) => {
      const entry = entries?.peek(key)
      if (entry !== undefined && entry.forms === forms) entries?.set(key, { ...entry })
    },
  }
}

/** What the response of a request is cached under; null if it must not be taken from the cache. */
export const lookupOf = (
  { koa, identity, instance, base }: RequestContext,
  since: number,
): CacheLookup | null => {
  const { req, url } = koa
  const { 'cache-control': control, prefer, range } = req.headers
  if (req.method !== 'GET' && req.method !== 'HEAD') return null
  if (prefer !== undefined || range !== undefined) return null
  if (control !== undefined && bypassesCache(control)) return null
  if (instance === null || (identity !== null && E.isLeft(identity))) return null
  // What a preview shows is for its token alone.
  if (identity?.right.preview !== undefined) return null
  const role = identity === null ? 'public_user' : identity.right.roles.get(instance)
  if (role === undefined) return null
  const key = `${identity === null ? 'no token' : role} ${base} ${url}`
  return { key, instance, acceptsJson: acceptsJson(req.headers.accept), since }
}

type CachingService = {
  readonly cache: ResponseCache
  readonly useCases: Pick<UseCases, 'instances'>
}

/** The cached response of a lookup; null if there is none. */
export const recall = async (
  { cache, useCases: { instances } }: CachingService,
  lookup: CacheLookup,
): Promise<CachedResponse | null> => {
  const cached = cache.find(lookup)
  if (cached === null) return null
  // Another process may have deleted the instance (docs/behaviour/access.md#deleted-instances).
  return E.isRight(await instances.find(lookup.instance)()) ? cached : null
}
