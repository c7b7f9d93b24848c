import { E, type Filter, type Order, type TaskEither } from '@publishing-service/domain'
import type { Cursor, Document, Page, PortFailure } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-documents.js'
import { stepBytes } from './read-page.js'

/**
 * Passes the documents that meet the filters to `take`, without what is heavy, at most `limit` with each query; all of
 * them, or those behind a cursor. They come in the order of creation unless another order is given.
 */
export const everyPage =
  (
    documents: InstanceDocuments,
    collection: string,
    where: readonly Filter[],
    limit: number,
    take: (found: readonly Document[]) => void,
    start: Cursor | null = null,
    order: readonly Order[] = [],
  ): TaskEither<PortFailure, void> =>
  async () => {
    for (let after = start; ;) {
      const page: E.Either<PortFailure, Page> = await documents.find(collection, {
        where,
        order,
        skip: 0,
        limit,
        detail: 'light',
        bytes: stepBytes,
        ...(after === null ? {} : { after }),
      })()
      if (E.isLeft(page)) return page
      take(page.right.documents)
      if (page.right.next === null) return E.right(undefined)
      after = page.right.next
    }
  }
