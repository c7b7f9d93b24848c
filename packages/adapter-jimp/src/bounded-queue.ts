/**
 * Lets so many works run at a time and so many wait, first come, first served. Past both bounds a work is turned
 * away at once, without having been started.
 */

export type BoundedQueue = {
  /** `undefined` where no place is left. */
  readonly enter: <A>(work: () => Promise<A>) => Promise<A> | undefined
}

export const boundedQueue = (bounds: {
  readonly running: number
  readonly waiting: number
}): BoundedQueue => {
  const waiting: (() => void)[] = []
  let running = 0

  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  const turn = async (): Promise<void> => {
    if (running < bounds.running) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  return {
    enter: (work) => {
      if (running >= bounds.running && waiting.length >= bounds.waiting) return undefined
      return turn().then(work).finally(leave)
    },
  }
}
