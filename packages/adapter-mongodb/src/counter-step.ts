/** A counter in the database for each place, which every process adds to in one step. */
import type { Collection } from 'mongodb'
import { isDuplicate } from './mongodb-failure.js'

export type Counter = { readonly _id: string; readonly last: number }

/** Adds to the counter of a place, and returns the sum. */
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
      // Another process has made the counter at the same moment.
      if (isDuplicate(error)) return step(place, count)
      throw error
    }
  }
  return step
}
