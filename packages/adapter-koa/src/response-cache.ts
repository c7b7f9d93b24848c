import { LRUCache } from 'lru-cache'
import type { Dependencies } from '@publishing-service/application'
import type { Clock } from '@publishing-service/ports'
import type { CacheLookup } from './request-context.js'
import { codedBytes, type ReadyResponse } from './ready-response.js'

type Entry = ReadyResponse & {
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

/** The responses that are cached. */
export type ResponseCache = {
  /** Bytes of the largest file data that are cached: a few photographs must not evict the pages. */
  readonly maxDataBytes: number
  /** Null where there is no valid response. */
  readonly find: (lookup: CacheLookup) => ReadyResponse | null
  readonly add: (
    lookup: CacheLookup,
    response: ReadyResponse,
    validity: Pick<Entry, 'dependencies' | 'isAnyType'> & { readonly isTimed: boolean },
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

    add: ({ key, since }, response, { dependencies, isAnyType, isTimed }) => {
      const until = since + (isTimed ? clockFreshness : freshness)
      entries?.set(key, { ...response, dependencies, isAnyType, until, createdAt: clock.now() })
    },

    resize: ({ key }, { forms }) => {
      const entry = entries?.peek(key)
      if (entry !== undefined && entry.forms === forms) entries?.set(key, { ...entry })
    },
  }
}
