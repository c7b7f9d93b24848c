/**
 * A tally as stages of an aggregation that an index covers: equal lists are counted on the server, so that as many
 * groups come back as lists differ, and their texts are added up here.
 */
import type { Document } from 'mongodb'
import type { Json } from '@publishing-service/domain'
import { type TextCount, groupOfFilters } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { findStoredGroupCount, listIn, groupCountPath, groupCountRange } from './stored-group-count.js'

export type CountedList = { readonly _id: string; readonly count: number }

/** Null where no document can have the values; throws where no such tally is declared. */
export const groupCountStages = (
  layout: CollectionLayout,
  instance: number,
  key: string,
  within: Readonly<Record<string, Json>>,
): Document[] | null => {
  const asked = Object.keys(within)
  const kept = findStoredGroupCount(layout.groupCounts, key, asked)
  if (kept === null)
    throw new Error(`Collection ${layout.name} declares no tally of ${key} within ${asked.join(', ')}`)
  const group = groupOfFilters(layout, kept.within, within)
  if (group === null) return null
  const [from, to] = groupCountRange(group)
  const path = groupCountPath(kept.name)
  return [
    { $match: { instance, [path]: { $gte: from, $lt: to } } },
    { $group: { _id: `$${path}`, count: { $sum: 1 } } },
  ]
}

/** How many documents have each text. */
export const readGroupCounts = async (lists: AsyncIterable<CountedList>): Promise<readonly TextCount[]> => {
  const counts = new Map<string, number>()
  for await (const { _id, count } of lists)
    for (const text of listIn(_id)) counts.set(text, (counts.get(text) ?? 0) + count)
  return Array.from(counts, ([text, count]) => ({ text, count }))
}
