/** Counters in the database, incremented atomically by all processes. */
import type { Collection } from 'mongodb'
import { isDuplicate } from './mongodb-failure.js'

export type Counter = { readonly _id: string; readonly last: number }

/** Increments a counter and returns its value. */
export const counterStep = (counters: Collection<Counter>) => {
  const increment = async (sequence: string, count: number): Promise<number> => {
    try {
      const counter = await counters.findOneAndUpdate(
        { _id: sequence },
        { $inc: { last: count } },
        { upsert: true, returnDocument: 'after' },
      )
      if (counter === null) throw new Error(`MongoDB created no counter ${sequence}`)
      return counter.last
    } catch (error) {
      // Another process created the counter concurrently.
      if (isDuplicate(error)) return increment(sequence, count)
      throw error
    }
  }
  return increment
}
