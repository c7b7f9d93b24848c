/**
 * Numbers for insertions, from a counter in the database that all processes share. Insertions of one process get numbers
 * in the order of their calls. Insertions that wait at the same time share one increment of the counter.
 */
export type InsertionNumbers = {
  /** A number greater than all numbers of this sequence before the call. */
  readonly next: (sequence: string) => Promise<number>
}

type Waiting = { readonly resolve: (number: number) => void; readonly reject: (error: unknown) => void }

/** `increment` adds to the counter of a sequence atomically, and returns the sum. */
export const insertionNumbers = (
  increment: (sequence: string, count: number) => Promise<number>,
): InsertionNumbers => {
  /** The callers that wait while an increment of the sequence is in progress; they share the next one. */
  const waitingFor = new Map<string, Waiting[]>()

  const assign = async (sequence: string, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const last = await increment(sequence, waiting.length)
      waiting.forEach(({ resolve }, i) => resolve(last - waiting.length + 1 + i))
    } catch (error) {
      waiting.forEach(({ reject }) => reject(error))
    }
    // A number of an increment that began before the call could be less than one that another process has received since.
    const next = waitingFor.get(sequence) ?? []
    if (next.length === 0) waitingFor.delete(sequence)
    else {
      waitingFor.set(sequence, [])
      await assign(sequence, next)
    }
  }

  return {
    next: (sequence) =>
      new Promise((resolve, reject) => {
        const waiting = waitingFor.get(sequence)
        if (waiting !== undefined) {
          waiting.push({ resolve, reject })
          return
        }
        waitingFor.set(sequence, [])
        void assign(sequence, [{ resolve, reject }])
      }),
  }
}
