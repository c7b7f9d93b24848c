/**
 * The pages before and after a page. A link has the number of its page and, if it is known, the place where the page starts,
 * so that a walk reads no row twice in any process. A client that sends only the number gets the page by counting.
 */
import { badParameters, fault } from '@publishing-service/domain'
import type { Json } from '@publishing-service/domain/json'
import type { CollectionQuery, Listing } from '@publishing-service/domain/lists'
import { InvalidCursor } from '@publishing-service/ports'

/** The page that is requested. */
export type PageRequest = Pick<CollectionQuery, 'page' | 'rpp' | 'after'>

export type PageLinks = Pick<Listing, 'page' | 'next' | 'previous'>

/** The number of rows before the page, which are counted if its start is not known. */
export const rowsBefore = ({ page, rpp }: PageRequest): number => (page - 1) * rpp

/** The links of a page that `next` follows, or that is the last if that is null. */
export const pageLinks = ({ page, after }: PageRequest, next: Json): PageLinks => {
  const [start, previous] = after ?? [null, null]
  return {
    page,
    next: next === null ? null : { page: page + 1, after: [next, start] },
    previous: page === 1 ? null : { page: page - 1, after: previous === null ? null : [previous, null] },
  }
}

/** The links of a page without known places. */
export const countedLinks = ({ page }: Pick<PageRequest, 'page'>, hasNext: boolean): PageLinks => ({
  page,
  next: hasNext ? { page: page + 1, after: null } : null,
  previous: page === 1 ? null : { page: page - 1, after: null },
})

/** Reads from the place of a request. Throws BadParameters if it is one of another query. */
export const readingFromPlace = async <A>(read: () => Promise<A>): Promise<A> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof InvalidCursor)) throw error
    throw badParameters([
      fault(
        'after',
        'parameter',
        'must be that of a page with the same filters and order, without another change',
      ),
    ])
  }
}
