import { E, type Count } from '@publishing-service/domain'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'

/** Returns the value of a count for an object. */
export type Counted = (count: Count, id: string) => number

const nothing: Counted = () => 0

/** The counts of objects. Reads one group count for each count and object, and no documents. */
export const loadCounts =
  ({ documents }: Session, counts: readonly Count[], ids: readonly string[]): Outcome<Counted> =>
  async () => {
    if (counts.length === 0) return E.right(nothing)
    const found = await Promise.all(
      counts.flatMap((count) =>
        ids.map(async (id) => {
          const { collection, key, within } = count
          const groups = documents.countGroups(collection, key, { [within]: id })
          return { count, id, groups: await groups() }
        }),
      ),
    )
    const numbers = new Map<Count, Map<string, number>>(counts.map((count) => [count, new Map()]))
    for (const { count, id, groups } of found) {
      if (E.isLeft(groups)) return groups
      const counted = groups.right.find(({ text }) => text === count.text)
      numbers.get(count)?.set(id, counted?.count ?? 0)
    }
    return E.right((count, id) => numbers.get(count)?.get(id) ?? 0)
  }
