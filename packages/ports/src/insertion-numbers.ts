/**
 * Numbers for insertions, from a counter in the database that all processes share. Insertions of one process get theirs
 * in the order of their calls, and those that wait at the same time share one step of the counter.
 */
export type InsertionNumbers = {
  /** A number above all that were given at this place before the call. */
  readonly next: (place: string) => Promise<number>
}

type Waiting = { readonly resolve: (number: number) => void; readonly reject: (error: unknown) => void }

/** `step` adds to the counter of a place, in one step for all processes, and returns the sum. */
export const insertionNumbers = (
  step: (place: string, count: number) => Promise<number>,
): InsertionNumbers => {
  /** Those that wait at each place where a step is in progress; they share the next one. */
  const waitingAt = new Map<string, Waiting[]>()

  const serve = async (place: string, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const last = await step(place, waiting.length)
      waiting.forEach(({ resolve }, i) => resolve(last - waiting.length + 1 + i))
    } catch (error) {
      waiting.forEach(({ reject }) => reject(error))
    }
    // A number of a step that began before the call could be below one that another process got meanwhile.
    const gathered = waitingAt.get(place) ?? []
    if (gathered.length === 0) waitingAt.delete(place)
    else {
      waitingAt.set(place, [])
      await serve(place, gathered)
    }
  }

  return {
    next: (place) =>
      new Promise((resolve, reject) => {
        const gathering = waitingAt.get(place)
        if (gathering !== undefined) {
          gathering.push({ resolve, reject })
          return
        }
        waitingAt.set(place, [])
        void serve(place, [{ resolve, reject }])
      }),
  }
}
