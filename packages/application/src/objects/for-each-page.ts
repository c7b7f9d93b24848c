import { E, type Filter, type Order, type TaskEither } from '@publishing-service/domain'
import type { Cursor, Document, Page, PortFailure } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-store.js'
import { maxReadBytes } from './read-page.js'

type Scan = {
  readonly documents: InstanceDocuments
  readonly collection: string
  readonly where?: readonly Filter[]
  /** The order of creation by default. */
  readonly order?: readonly Order[]
  /** The start, by default. */
  readonly after?: Cursor | null
  /** Documents of a page at most. */
  readonly limit: number
}

/**
 * Passes all documents that meet the filters to `onPage`, page by page, without heavy attributes. Waits for a promise
 * that `onPage` returns, and rejects if it does.
 */
export const forEachPage =
  (
    { documents, collection, where = [], order = [], after: start = null, limit }: Scan,
    onPage: (found: readonly Document[]) => unknown,
  ): TaskEither<PortFailure, void> =>
  async () => {
    for (let after = start; ;) {
      const page: E.Either<PortFailure, Page> = await documents.find(collection, {
        where,
        order,
        skip: 0,
        limit,
        detail: 'light',
        bytes: maxReadBytes,
        ...(after === null ? {} : { after }),
      })()
      if (E.isLeft(page)) return page
      await onPage(page.right.documents)
      if (page.right.next === null) return E.right(undefined)
      after = page.right.next
    }
  }
