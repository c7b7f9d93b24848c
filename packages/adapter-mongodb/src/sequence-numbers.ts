/**
 * Numbers that ascend with each insertion, whichever process inserts: a counter in the database for each collection
 * and instance. Insertions that wait at the same time share one step of it.
 */
import type { Collection } from 'mongodb'
import { isDuplicate } from './mongodb-failure.js'

export type Counter = { readonly _id: string; readonly last: number }

export type SequenceNumbers = {
  /** A number above all that were given before this was called. */
  readonly next: (place: string) => Promise<number>
}

type Waiting = { readonly resolve: (number: number) => void; readonly reject: (error: unknown) => void }

export const sequenceNumbers = (counters: Collection<Counter>): SequenceNumbers => {
  /** Those that wait at each place where a step is under way; they share the next one. */
  const waitingAt = new Map<string, Waiting[]>()

  const step = async (place: string, count: number): Promise<number> => {
    try {
      const counter = await counters.findOneAndUpdate(
        { _id: place },
        { $inc: { last: count } },
        { upsert: true, returnDocument: 'after' },
      )
      if (counter === null) throw new Error(`MongoDB made no counter ${place}`)
      return counter.last
    } catch (error) {
      // Another process has made the counter at the same moment.
      if (isDuplicate(error)) return step(place, count)
      throw error
    }
  }

  const serve = async (place: string, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const last = await step(place, waiting.length)
      waiting.forEach(({ resolve }, i) => resolve(last - waiting.length + 1 + i))
    } catch (error) {
      waiting.forEach(({ reject }) => reject(error))
    }
    // A number taken from a step that had begun earlier could be below one given meanwhile by another process.
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
