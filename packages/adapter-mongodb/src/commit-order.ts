/**
 * Positions in the order of commits. A writer inserts a document at the position after the highest that it knows, which a
 * unique index lets only one do; so a document is visible before one with a higher position is inserted. A process inserts
 * one at a time, so that only writers of different processes are rejected, and look for the highest position again.
 */
export type CommitOrder = {
  /**
   * Calls `insert` with the next position until it returns a result: null if another document has the position. `highest` reads
   * the highest position; null if there is no document.
   */
  readonly insertAtNext: <A>(
    instance: number,
    atLeast: number,
    highest: () => Promise<number | null>,
    insert: (position: number) => Promise<A | null>,
  ) => Promise<A>
}

/**
 * Positions without documents begin at a multiple of this number, a day in microseconds, so that two processes that find none
 * use the same.
 */
const coarse = 86_400_000_000

export const commitOrder = (): CommitOrder => {
  /** The highest positions that this process has found or given, by instance. */
  const known = new Map<number, number>()
  /** The last insertion of an instance. */
  const running = new Map<number, Promise<unknown>>()

  return {
    insertAtNext: (instance, atLeast, highest, insert) => {
      const insertNow = async () => {
        for (;;) {
          const last = known.get(instance) ?? (await highest())
          const position = last === null ? Math.ceil(atLeast / coarse) * coarse : last + 1
          known.delete(instance)
          const inserted = await insert(position)
          if (inserted === null) continue
          if (last !== null) known.set(instance, position)
          return inserted
        }
      }
      const inserting = (running.get(instance) ?? Promise.resolve()).then(insertNow, insertNow)
      running.set(instance, inserting)
      return inserting
    },
  }
}
