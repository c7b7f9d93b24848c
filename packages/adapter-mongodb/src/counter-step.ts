/** Counters in the database, incremented atomically by all processes. */
import type { Collection } from 'mongodb'
import { isDuplicate } from './mongodb-failure.js'

export type Counter = { readonly _id: string; readonly last: number }

/** Increments a counter and returns its value. */
export const counterStep = (counters: Collection<Counter>) => {
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
      // Another process created the counter concurrently.
      if (isDuplicate(error)) return step(place, count)
      throw error
    }
  }
  return step
}
