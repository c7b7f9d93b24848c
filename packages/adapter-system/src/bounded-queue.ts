/** Runs a few jobs at a time and lets a few more wait, first come, first served; past that it refuses at once. */

export type BoundedQueue = {
  /** The job's promise, or null where too many are waiting; then the job is never begun. */
  readonly run: <Result>(job: () => Promise<Result>) => Promise<Result> | null
}

export const boundedQueue = (running: number, waiting: number): BoundedQueue => {
  const queue: (() => void)[] = []
  let busy = 0

  const leave = (): void => {
    const next = queue.shift()
    // The place is handed on, so that a newcomer can't take it in between.
    if (next === undefined) busy -= 1
    else next()
  }

  const turn = (): Promise<void> | null => {
    if (busy < running) {
      busy += 1
      return Promise.resolve()
    }
    return queue.length < waiting ? new Promise((resolve) => queue.push(resolve)) : null
  }

  return {
    run: (job) => turn()?.then(job).finally(leave) ?? null,
  }
}
