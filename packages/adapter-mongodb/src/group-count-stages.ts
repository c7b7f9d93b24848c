/**
 * A group count as stages of an aggregation that an index covers. The server counts equal lists, and their texts are
 * added up here.
 */
import type { Document } from 'mongodb'
import type { Json } from '@publishing-service/domain/json'
import { type TextCount, groupOfFilters, plainKeys } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { findStoredGroupCount, listIn, groupCountPath, groupCountRange } from './stored-group-count.js'

export type CountedList = { readonly _id: string; readonly count: number }

/** Null if no document can have the values. Throws if no such group count is declared. */
export const groupCountStages = (
  layout: CollectionLayout,
  instance: number,
  key: string,
  within: Readonly<Record<string, Json>>,
): Document[] | null => {
  const requested = Object.keys(within)
  const stored = findStoredGroupCount(layout.groupCounts, key, requested)
  if (stored === null)
    throw new Error(
      `Collection ${layout.name} declares no group count of ${key} within ${requested.join(', ')}`,
    )
  const group = groupOfFilters(plainKeys(layout, stored.within), within)
  if (group === null) return null
  const [from, to] = groupCountRange(group)
  const path = groupCountPath(stored.name)
  return [
    { $match: { instance, [path]: { $gte: from, $lt: to } } },
    { $group: { _id: `$${path}`, count: { $sum: 1 } } },
  ]
}

/** The number of documents with each text. */
export const readGroupCounts = async (lists: AsyncIterable<CountedList>): Promise<readonly TextCount[]> => {
  const counts = new Map<string, number>()
  for await (const { _id, count } of lists)
    for (const text of listIn(_id)) counts.set(text, (counts.get(text) ?? 0) + count)
  return Array.from(counts, ([text, count]) => ({ text, count }))
}
