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
          const tally = documents.tally(collection, key, { [within]: id })
          return { count, id, tally: await tally() }
        }),
      ),
    )
    const numbers = new Map<Count, Map<string, number>>(counts.map((count) => [count, new Map()]))
    for (const { count, id, tally } of found) {
      if (E.isLeft(tally)) return tally
      const counted = tally.right.find(({ text }) => text === count.text)
      numbers.get(count)?.set(id, counted?.count ?? 0)
    }
    return E.right((count, id) => numbers.get(count)?.get(id) ?? 0)
  }
