/** The time of the service, whatever the clock of the computer says. */
export type ServiceClock = {
  /** Reads the `Date` of a response. */
  readonly hear: (date: string | null) => void
  readonly now: () => Date
}

/**
 * A clock that is set by responses: the present time is never before the `Date` of one and what has passed since, so the
 * latest is used, and responses from a cache change nothing. `elapsed` is milliseconds since some moment; `fallback` is the
 * time before the first response, since 1970.
 */
export const clockOfService = (elapsed: () => number, fallback: () => number): ServiceClock => {
  let start: number | null = null
  return {
    hear: (date) => {
      const heard = Date.parse(date ?? '') - elapsed()
      if (!Number.isNaN(heard)) start = Math.max(start ?? heard, heard)
    },
    now: () => new Date(start === null ? fallback() : start + elapsed()),
  }
}
