/** Judges whether what begins and ends at a time is there when it is looked at, whatever the machine takes for that. */
import type { FastService, TimeSpan } from './fast-service.js'

export type TimedWatch = {
  readonly what: string
  /** When it begins and ends, in milliseconds. */
  readonly from: number
  readonly until: number
  /** How long after these times it may take effect. */
  readonly delay: number
  /** When it is looked at first, and whether once: a look may change when it ends. */
  readonly first?: number
  readonly once?: true
  /** Whether it is looked at no more when it was there. */
  readonly untilSeen?: true
  /** Whether it is there. */
  readonly look: () => Promise<boolean>
}

/** Times that are rounded differently. */
const rounding = 10

/**
 * What is wrong with a look between two times of the service, the earliest and the latest possible; null if it is right, or if
 * the look was made around the begin or the end.
 */
export const faultOf = (
  { what, from, until, delay }: Omit<TimedWatch, 'look'>,
  { earliest, latest }: TimeSpan,
  isThere: boolean,
): string | null => {
  const between = `${new Date(earliest).toISOString()} and ${new Date(latest).toISOString()}`
  if (isThere && latest < from - rounding) return `${what} was there before its time, between ${between}`
  if (isThere && earliest > until + delay + rounding)
    return `${what} was there after its end, between ${between}`
  if (!isThere && earliest > from + delay + rounding && latest < until - rounding)
    return `${what} was not there in its time, between ${between}`
  return null
}

export type TimedWatches = {
  readonly add: (watch: TimedWatch) => void
  /** Looks at all that are pending. Returns what is wrong. */
  readonly look: (service: Pick<FastService, 'now'>) => Promise<readonly string[]>
  readonly pending: () => number
  /** The looks at what was there, and at what was not there. */
  readonly looks: { present: number; absent: number }
}

export const createWatches = (): TimedWatches => {
  let pending: readonly TimedWatch[] = []
  const looks = { present: 0, absent: 0 }
  const lookAt = async (watch: TimedWatch, service: Pick<FastService, 'now'>): Promise<readonly string[]> => {
    const { earliest } = service.now()
    if (earliest < (watch.first ?? 0)) return []
    const isThere = await watch.look()
    const { latest } = service.now()
    looks[isThere ? 'present' : 'absent'] += 1
    const isOver =
      watch.once === true ||
      (isThere && watch.untilSeen === true) ||
      earliest > (Number.isFinite(watch.until) ? watch.until : watch.from) + watch.delay
    if (isOver) pending = pending.filter((each) => each !== watch)
    const fault = faultOf(watch, { earliest, latest }, isThere)
    return fault === null ? [] : [fault]
  }
  return {
    add: (watch) => void (pending = [...pending, watch]),
    look: async (service) => {
      const faults: string[] = []
      const all = pending
      // A few at a time: so many connections are no light load.
      for (let at = 0; at < all.length; at += 4)
        for (const found of await Promise.all(all.slice(at, at + 4).map((each) => lookAt(each, service))))
          faults.push(...found)
      return faults
    },
    pending: () => pending.length,
    looks,
  }
}
