/**
 * Counts of one collection of one instance, by the texts of its lists: kept with every write, so that asking them
 * looks at no document.
 */
import type { Json, JsonObject } from '@publishing-service/domain'
import type { Collection, Tallied, Tally } from '@publishing-service/ports'
import { operandOf, textsUnder, valueUnder } from './memory-query.js'

export type MemoryTallies = {
  /** Counts a value that is now held (1), or is held no more (-1). */
  readonly count: (value: JsonObject, step: 1 | -1) => void
  readonly read: (key: string, within: Readonly<Record<string, Json>>) => readonly Tallied[]
}

/** For each combination of the values within, how many have each text; a text that none has isn't there. */
type Counts = Map<string, Map<string, number>>

const sameKeys = (within: readonly string[], asked: readonly string[]): boolean =>
  within.length === asked.length && within.every((key) => asked.includes(key))

/** Opens the counts of no document. */
export const memoryTallies = (collection: Collection): MemoryTallies => {
  const kept: readonly (readonly [Tally, Counts])[] = collection.tallies.map((tally) => [tally, new Map()])
  return {
    count: (value, step) => {
      for (const [{ key, within }, counts] of kept) {
        const place = JSON.stringify(within.map((each) => valueUnder(collection, each, value)))
        const texts = counts.get(place) ?? new Map<string, number>()
        counts.set(place, texts)
        for (const text of textsUnder(collection, key, value)) {
          const count = (texts.get(text) ?? 0) + step
          if (count === 0) texts.delete(text)
          else texts.set(text, count)
        }
      }
    },
    read: (key, within) => {
      const found = kept.find(([tally]) => tally.key === key && sameKeys(tally.within, Object.keys(within)))
      if (found === undefined)
        throw new Error(
          `Collection ${collection.name} declares no tally of ${key} within ${Object.keys(within).join(', ')}`,
        )
      const [tally, counts] = found
      const values = tally.within.map((each) => operandOf(collection, each, within[each] ?? null))
      // JSON would write undefined as null, which is a value that documents have.
      if (values.includes(undefined)) return []
      const texts = counts.get(JSON.stringify(values)) ?? new Map<string, number>()
      return Array.from(texts, ([text, count]) => ({ text, count }))
    },
  }
}
