import { E, type Count } from '@publishing-service/domain'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'

/** The number of objects that a count finds for an object. */
export type Counted = (count: Count, id: string) => number

const nothing: Counted = () => 0

/** The counts of objects: one read of a tally for each of both, and no read of a document. */
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
