import { E } from '@publishing-service/domain'
import type { PortFailure, Query } from '@publishing-service/ports'
import type { Outcome } from '../failure.js'
import type { Session } from '../session.js'
import type { PagedQuery, Position } from './read-page.js'

/** The number of items that one query counts. */
const batchSize = 1000

const countAll = async <Item>(
  { find }: PagedQuery<Item>,
  { after, offset }: Position,
): Promise<E.Either<PortFailure, number>> => {
  let total = offset
  for (let next = after; ;) {
    const found: Awaited<ReturnType<ReturnType<typeof find>>> = await find({
      skip: 0,
      limit: batchSize,
      detail: 'light',
      ...(next === null ? {} : { after: next }),
    })()
    if (E.isLeft(found)) return found
    total += found.right.items.length
    next = found.right.next
    if (next === null) return E.right(total)
  }
}

/** Up to `limit` items of several results, one result after the other, after the first `skip` of all. */
export const readSequence =
  <Item>(
    { pages }: Pick<Session, 'pages'>,
    results: readonly PagedQuery<Item>[],
    { skip, limit, detail }: Pick<Query, 'skip' | 'limit' | 'detail'>,
  ): Outcome<readonly Item[]> =>
  async () => {
    const items: Item[] = []
    let before = skip
    for (const result of results) {
      const start = await pages.seek(result, before)
      if (E.isLeft(start)) return start
      const wanted = { skip: before, limit: limit - items.length, detail }
      const read = await pages.read(result, start.right, wanted, async (found) => {
        items.push(...found)
        return null
      })
      if (E.isLeft(read)) return read
      if (items.length === limit) break
      if (items.length > 0) before = 0
      else if (before > 0) {
        const all = await countAll(result, start.right)
        if (E.isLeft(all)) return all
        before -= all.right
      }
    }
    return E.right(items)
  }
