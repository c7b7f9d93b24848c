/**
 * The group counts of one collection of one instance: documents for each text in a list. They are updated with every
 * write, so reading them reads no documents.
 */
import type { Json, JsonObject } from '@publishing-service/domain/json'
import {
  groupCountFinder,
  groupOfFilters,
  groupOfDocument,
  plainKeys,
  textsUnder,
} from '@publishing-service/ports'
import type { Collection, TextCount, GroupCount } from '@publishing-service/ports'

export type MemoryGroupCounts = {
  /** Counts a value that is now stored (1), or is no longer stored (-1). */
  readonly count: (value: JsonObject, step: 1 | -1) => void
  readonly read: (key: string, within: Readonly<Record<string, Json>>) => readonly TextCount[]
}

/** For each group, the number of documents with each text. A text without documents has no entry. */
type Counts = Map<string, Map<string, number>>

export const memoryGroupCounts = (collection: Collection): MemoryGroupCounts => {
  const counted = new Map<GroupCount, Counts>(
    collection.groupCounts.map((groupCount) => [groupCount, new Map()]),
  )
  const find = groupCountFinder(collection)
  return {
    count: (value, step) => {
      for (const [{ key, within }, counts] of counted) {
        const group = JSON.stringify(groupOfDocument(collection, within, value))
        const texts = counts.get(group) ?? new Map<string, number>()
        counts.set(group, texts)
        for (const text of textsUnder(value, key)) {
          const count = (texts.get(text) ?? 0) + step
          if (count === 0) texts.delete(text)
          else texts.set(text, count)
        }
      }
    },
    read: (key, within) => {
      const groupCount = find(key, within)
      const group = groupOfFilters(plainKeys(collection, groupCount.within), within)
      const texts = group === null ? undefined : counted.get(groupCount)?.get(JSON.stringify(group))
      return Array.from(texts ?? [], ([text, count]) => ({ text, count }))
    },
  }
}
