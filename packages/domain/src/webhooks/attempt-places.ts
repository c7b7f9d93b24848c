/** Which deliveries are attempted at the same time, so that a receiver does not delay those to others (docs/behaviour/webhooks.md#places). */

/** A delivery that is attempted, or waits for that. */
export type Attempt = {
  readonly hook: string
  readonly instance: number
  /** The host of the receiver. */
  readonly host: string
  /** Whether the last attempt of the web hook has failed. */
  readonly isFailing: boolean
}

/** Attempts at the same time. Those of web hooks that fail have at most half of the places of an instance, and of all. */
export const attemptPlaces = {
  all: 32,
  ofInstance: 8,
  /** Of one instance. */
  ofHost: 4,
  ofFailingHook: 1,
} as const

/** The host of an address of `http` or `https`, in lower case; the address itself if it has none. */
export const hostOf = (url: string): string =>
  (/^https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]+)/i.exec(url)?.[1] ?? url).toLowerCase()

/**
 * Whether an attempt may begin while others run. An instance without any attempt of a web hook that does not fail may always
 * begin one, whatever those of other instances do.
 */
export const mayAttempt = (running: readonly Attempt[], next: Attempt): boolean => {
  const { all, ofInstance, ofHost, ofFailingHook } = attemptPlaces
  const sameInstance = running.filter(({ instance }) => instance === next.instance)
  const sameHost = sameInstance.filter(({ host }) => host === next.host)
  if (sameInstance.length >= ofInstance || sameHost.length >= ofHost) return false
  const failing = (attempts: readonly Attempt[]): number =>
    attempts.filter(({ isFailing }) => isFailing).length
  if (!next.isFailing) return running.length < all || failing(sameInstance) === sameInstance.length
  return (
    sameHost.filter(({ hook }) => hook === next.hook).length < ofFailingHook &&
    failing(sameInstance) < ofInstance / 2 &&
    failing(running) < all / 2 &&
    running.length < all
  )
}

/** The attempts that may begin of those that wait, first those of the instance, then of the web hook, with the fewest that run. */
export const nextAttempts = (
  running: readonly Attempt[],
  waiting: readonly Attempt[],
): readonly Attempt[] => {
  const counts = new Map<number | string, number>()
  for (const { instance, hook } of running)
    for (const name of [instance, hook]) counts.set(name, (counts.get(name) ?? 0) + 1)
  const countOf = (name: number | string): number => counts.get(name) ?? 0
  const inOrder = waiting.toSorted(
    (one, other) =>
      countOf(one.instance) - countOf(other.instance) || countOf(one.hook) - countOf(other.hook),
  )
  const begun: Attempt[] = []
  for (const next of inOrder) if (mayAttempt([...running, ...begun], next)) begun.push(next)
  return begun
}
