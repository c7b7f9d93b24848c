import { E, type Filter, type TaskEither } from '@publishing-service/domain'
import type { Cursor, Document, DocumentStore, Page, PortFailure } from '@publishing-service/ports'

/** Hands over the documents that filters let through, without what is heavy, so many a query, in the order of creation. */
export const everyPage =
  (
    documents: DocumentStore,
    collection: string,
    instance: number,
    where: readonly Filter[],
    limit: number,
    take: (found: readonly Document[]) => void,
  ): TaskEither<PortFailure, void> =>
  async () => {
    for (let after: Cursor | null = null; ;) {
      const page: E.Either<PortFailure, Page> = await documents.find(collection, instance, {
        where,
        order: [],
        skip: 0,
        limit,
        detail: 'light',
        ...(after === null ? {} : { after }),
      })()
      if (E.isLeft(page)) return page
      take(page.right.documents)
      if (page.right.next === null) return E.right(undefined)
      after = page.right.next
    }
  }
