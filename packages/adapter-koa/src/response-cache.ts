import type { Counter } from '@publishing-service/application'

/** An answer as it went out, and what it was made from. */
export type KeptAnswer = {
  /** ASCII, or the bytes of file data. */
  readonly body: string | Buffer
  readonly tag: string
  /** The headers that are the same whenever it is sent: names and values in turn, as Node writes them fastest. */
  readonly headers: readonly string[]
  /** The headers of 304. */
  readonly unchangedHeaders: readonly string[]
}

/** What an answer was read from: it holds while no counter has moved, and until a moment in milliseconds. */
export type Basis = {
  readonly counters: readonly Counter[]
  readonly values: readonly number[]
  readonly until: number
}

type Entry = KeptAnswer & Basis & { readonly cost: number }

/** Beside the text: the entry, its key and its place in the map. */
const overhead = 600

export const basisOf = (counters: readonly Counter[], until: number): Basis => ({
  counters,
  values: counters.map(({ value }) => value),
  until,
})

const holds = ({ counters, values, until }: Basis, now: number): boolean => {
  if (until <= now) return false
  for (let index = 0; index < counters.length; index += 1)
    if (counters[index]?.value !== values[index]) return false
  return true
}

/**
 * Keeps answers of this process in front of the use cases (decisions §14), within a number of bytes; the least
 * recently used go first. A write on this process ends what was made from it before the writer has its answer.
 */
export const createResponseCache = (limitBytes: number) => {
  const entries = new Map<string, Entry>()
  let bytes = 0

  const forget = (key: string, entry: Entry): void => {
    entries.delete(key)
    bytes -= entry.cost
  }

  return {
    /** Bytes of the largest file data that are kept: pages shall not make room for a few photographs. */
    mostData: Math.floor(limitBytes / 64),
    find: (key: string, now: number): KeptAnswer | null => {
      const entry = entries.get(key)
      if (entry === undefined) return null
      if (!holds(entry, now)) {
        forget(key, entry)
        return null
      }
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },
    keep: (key: string, answer: KeptAnswer, basis: Basis): void => {
      const cost = answer.body.length + key.length * 2 + overhead
      if (cost > limitBytes / 8) return
      const before = entries.get(key)
      if (before !== undefined) forget(key, before)
      entries.set(key, { ...answer, ...basis, cost })
      bytes += cost
      for (const [oldest, entry] of entries) {
        if (bytes <= limitBytes) return
        forget(oldest, entry)
      }
    },
  }
}
