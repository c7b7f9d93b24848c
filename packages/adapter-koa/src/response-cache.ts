import type { Counter } from '@publishing-service/application'

/** An answer as it went out, and what it was made from. */
export type KeptAnswer = {
  /** ASCII, as a text or bytes; or the bytes of file data. */
  readonly body: string | Buffer
  readonly tag: string
  /** The headers that are the same whenever it is sent: names and values in turn, as Node writes them fastest. */
  readonly headers: readonly string[]
  /** The headers of 304. */
  readonly unchangedHeaders: readonly string[]
}

/** What a response was made from: it is valid while no counter has moved, for a time. Milliseconds. */
export type Basis = {
  readonly counters: readonly Counter[]
  readonly values: readonly number[]
  /** By elapsed time. */
  readonly until: number
  /** By the wall clock: when it was made. Before that, after a step back, issue dates may have to pass again. */
  readonly made: number
}

export type Moment = { readonly elapsed: number; readonly wall: number }

type Entry = KeptAnswer & Basis & { readonly cost: number }

/** Beside the text: the entry, its key and its place in the map. */
const overhead = 600

export const basisOf = (counters: readonly Counter[], until: number, made: number): Basis => ({
  counters,
  values: counters.map(({ value }) => value),
  until,
  made,
})

const holds = ({ counters, values, until, made }: Basis, { elapsed, wall }: Moment): boolean => {
  if (until <= elapsed || wall < made) return false
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
    find: (key: string, now: Moment): KeptAnswer | null => {
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
