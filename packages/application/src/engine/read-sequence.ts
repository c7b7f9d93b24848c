import type { Query } from '@publishing-service/ports'
import type { Session } from '../session.js'
import type { PagedQuery, Position } from './read-page.js'

/** The number of items that one query counts. */
const batchSize = 1000

const countAll = async <Item>({ find }: PagedQuery<Item>, { after, offset }: Position): Promise<number> => {
  let total = offset
  for (let next = after; ;) {
    const found: Awaited<ReturnType<typeof find>> = await find({
      skip: 0,
      limit: batchSize,
      detail: 'light',
      ...(next === null ? {} : { after: next }),
    })
    total += found.items.length
    next = found.next
    if (next === null) return total
  }
}

/** Up to `limit` items of several results, one result after the other, after the first `skip` of all. */
export const readSequence = async <Item>(
  { pages }: Pick<Session, 'pages'>,
  results: readonly PagedQuery<Item>[],
  { skip, limit, detail }: Pick<Query, 'skip' | 'limit' | 'detail'>,
): Promise<readonly Item[]> => {
  const items: Item[] = []
  let before = skip
  for (const result of results) {
    const start = await pages.seek(result, before)
    const wanted = { skip: before, limit: limit - items.length, detail }
    await pages.read(result, start, wanted, (found) => void items.push(...found))
    if (items.length === limit) break
    if (items.length > 0) before = 0
    else if (before > 0) before -= await countAll(result, start)
  }
  return items
}
