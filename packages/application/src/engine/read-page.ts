/**
 * Reads pages of query results in several reads, so that neither high page numbers nor long documents block the event
 * loop or exhaust memory: each read of the store skips a bounded number of documents and returns a bounded number of
 * bytes.
 *
 * A link to the page before or after has its number and, if it is known, the place where the page starts, so that a walk
 * reads no row twice in any process. A client that sends only the number gets the page by counting.
 */
import { badParameters, fault, type Resource } from '@publishing-service/domain'
import type { Filter } from '@publishing-service/domain/filters'
import type { Json } from '@publishing-service/domain/json'
import type { CollectionQuery, Listing } from '@publishing-service/domain/lists'
import { type Cursor, type Document, InvalidCursor, type Query } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import type { InstanceDocuments } from '../instance-store.js'

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
    fail(
      badParameters([
        fault(
          'after',
          'parameter',
          'must be that of a page with the same filters and order, without another change',
        ),
      ]),
    )
  }
}

/** One read of a result, in its order. */
export type PagedRead = Pick<Query, 'after' | 'skip' | 'limit' | 'detail' | 'bytes'>

/** A result, without its page. */
export type FindPage<Item = Document> = (
  read: PagedRead,
) => Promise<{ readonly items: readonly Item[]; readonly next: Cursor | null }>

/** What a query selects, and its order. */
export type Selection = Pick<Query, 'where' | 'words' | 'ids' | 'notIds' | 'order' | 'insertion'>

/** A kind of object that is listed, alone or with others. */
export type ListedKind = {
  readonly resource: Resource
  readonly where: readonly Filter[]
  /** Whether stores cannot evaluate all that decides what is listed. */
  readonly isRefined: boolean
  /** Its objects, in an order and with further restrictions. */
  readonly selected: (selection: Omit<Selection, 'where'>) => FindPage
}

/** The documents of a collection that meet filters, in an order. */
export const documentsMeeting =
  (documents: Pick<InstanceDocuments, 'find'>, collection: string, selection: Selection): FindPage =>
  async (read) => {
    const { documents: items, next } = await documents.find(collection, { ...selection, ...read })
    return { items, next }
  }

/** A position in a result, after `offset` documents. */
export type Position = { readonly after: Cursor | null; readonly offset: number }

/** The maximum number of documents that one read skips. */
export const blockSize = 5000
/** The maximum number of bytes of JSON that one read returns, without its last document. */
export const maxReadBytes = 1024 * 1024

export const afterOf = ({ after }: Pick<Position, 'after'>): Pick<Query, 'after'> =>
  after === null ? {} : { after }

/**
 * The position after `skip` documents, or less than a block before it. If the result ends earlier, a position within a
 * block of the end.
 */
export const seek = async <Item>(find: FindPage<Item>, skip: number): Promise<Position> => {
  let position: Position = { after: null, offset: 0 }
  while (position.offset + blockSize <= skip) {
    const found = await find({ ...afterOf(position), skip: blockSize - 1, limit: 1, detail: 'light' })
    if (found.next === null) return position
    position = { after: found.next, offset: position.offset + blockSize }
  }
  return position
}

/** Passes the items of a page to `onItems`, in batches. Returns the links of the page. */
export const readPage = <Item>(
  find: FindPage<Item>,
  request: PageRequest,
  detail: Query['detail'],
  onItems: (found: readonly Item[]) => Promise<void> | void,
): Promise<PageLinks> =>
  readingFromPlace(async () => {
    const before = rowsBefore(request)
    const position =
      request.after === null && before > 0
        ? await seek(find, before)
        : { after: request.after?.[0] ?? null, offset: before }
    let { after } = position
    for (let taken = 0; ;) {
      const { items, next }: Awaited<ReturnType<typeof find>> = await find({
        ...afterOf({ after }),
        // At most one block, because `seek` returns a position within a block unless the result ends.
        skip: taken === 0 ? Math.min(before - position.offset, blockSize) : 0,
        limit: request.rpp - taken,
        detail,
        bytes: maxReadBytes,
      })
      await onItems(items)
      taken += items.length
      if (next === null || taken >= request.rpp) return pageLinks(request, next)
      after = next
    }
  })
