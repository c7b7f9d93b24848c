import type { Count } from '@publishing-service/domain/engine'
import type { Session } from '../session.js'

/** Returns the value of a count for an object. */
export type Counted = (count: Count, id: string) => number

const nothing: Counted = () => 0

/** The counts of objects. Reads one group count for each count and object, and no documents. */
export const loadCounts = async (
  { documents }: Session,
  counts: readonly Count[],
  ids: readonly string[],
): Promise<Counted> => {
  if (counts.length === 0) return nothing
  // Concurrently, so that network latency counts once.
  const reads: ReturnType<typeof documents.countGroups>[] = []
  for (const { collection, key, within } of counts)
    for (const id of ids) reads.push(documents.countGroups(collection, key, { [within]: id }))
  const groups = await Promise.all(reads)
  const numbers = new Map<Count, Map<string, number>>()
  for (const [index, read] of groups.entries()) {
    const [count, id] = [counts[Math.floor(index / ids.length)], ids[index % ids.length]]
    if (count === undefined || id === undefined) continue
    const ofCount = numbers.get(count) ?? new Map<string, number>()
    numbers.set(count, ofCount)
    for (const { text, count: number } of read) if (text === count.text) ofCount.set(id, number)
  }
  return (count, id) => numbers.get(count)?.get(id) ?? 0
}
