import type { Resource } from '@publishing-service/domain'
import type { Cursor, Document } from '@publishing-service/ports'
import type { Session } from '../session.js'
import { visibleDocuments } from './load-related.js'
import type { FindPage } from './read-page.js'

/**
 * The documents of a result without those that are hidden because another object is hidden. The store can find too many of
 * them, because it copies the state of the other object and the copy can be outdated. A page is filled up, unless the result
 * ends.
 */
export const visibleOnly =
  (session: Session, resource: Pick<Resource, 'attributes' | 'visibleWith'>, find: FindPage): FindPage =>
  async ({ after: start, skip: first, limit, ...read }) => {
    const items: Document[] = []
    for (let [after, skip]: readonly [Cursor | undefined, number] = [start, first]; ;) {
      const found: Awaited<ReturnType<typeof find>> = await find({
        ...read,
        ...(after === undefined ? {} : { after }),
        skip,
        limit: limit - items.length,
      })
      items.push(...(await visibleDocuments(session, resource, found.items)))
      const { next } = found
      // A page may end early, so that it is not much longer than a read of the store.
      const isFull = items.length === limit || (read.bytes !== undefined && items.length > 0)
      if (next === null || isFull) return { items, next }
      ;[after, skip] = [next, 0]
    }
  }
