/**
 * Reads pages of query results in several reads, so that neither high page numbers nor long documents block the event
 * loop or exhaust memory: each read of the store skips a bounded number of documents and returns a bounded number of
 * bytes.
 */
import { LRUCache } from 'lru-cache'
import type { CollectionQuery } from '@publishing-service/domain/lists'
import type { Clock, Cursor, Document, Query } from '@publishing-service/ports'
import { entryLimit } from '../entry-limit.js'
import type { InstanceDocuments } from '../instance-store.js'

/** One read of a result, in its order. */
export type PagedRead = Pick<Query, 'after' | 'skip' | 'limit' | 'detail' | 'bytes'>

/** A result, without its page. */
export type PagedQuery<Item = Document> = {
  readonly find: (
    read: PagedRead,
  ) => Promise<{ readonly items: readonly Item[]; readonly next: Cursor | null }>
  /** The cache key: everything that determines the order of the result. */
  readonly key: string
}

/** What a query selects, and its order. */
export type Selection = Pick<Query, 'where' | 'words' | 'order' | 'insertion'>

/** The condition of a query that must contain terms, if it must. */
export const containing = (terms: CollectionQuery['terms']): Pick<Query, 'words'> =>
  terms === null ? {} : { words: { terms } }

/** The documents of a collection that meet filters, in an order. */
export const documentsMeeting =
  (
    documents: Pick<InstanceDocuments, 'find'>,
    collection: string,
    selection: Selection,
  ): PagedQuery['find'] =>
  async (read) => {
    const { documents: items, next } = await documents.find(collection, { ...selection, ...read })
    return { items, next }
  }

/** A position in a result, after `offset` documents. */
export type Position = { readonly after: Cursor | null; readonly offset: number }

/** The number of cached positions of all results. */
export const cachedPositions = 4000
/** The maximum number of documents that one read skips. Positions at multiples of it are cached. */
export const blockSize = 2000
/** Milliseconds for which these positions are used, because other processes may write. */
export const positionLifetime = 60_000
/** The maximum number of bytes of JSON that one read returns, without its last document. */
export const maxReadBytes = 1024 * 1024

export const afterOf = ({ after }: Position): Pick<Query, 'after'> => (after === null ? {} : { after })

export type PageReader = {
  /**
   * The position after `skip` documents, or less than a block before it. If the result ends earlier, a position within a
   * block of the end.
   */
  readonly seek: <Item>(query: PagedQuery<Item>, skip: number) => Promise<Position>
  /**
   * Passes up to `limit` items after the first `skip` to `onItems`, in batches. Returns whether more
   * follow.
   */
  readonly read: <Item>(
    query: PagedQuery<Item>,
    start: Position,
    page: Pick<Query, 'skip' | 'limit' | 'detail'>,
    onItems: (found: readonly Item[]) => Promise<void> | void,
  ) => Promise<boolean>
}

export const createPageReader = (clock: Pick<Clock, 'monotonic'>): PageReader => {
  const positions = new LRUCache<string, NonNullable<Cursor>>(entryLimit(cachedPositions))

  return {
    seek: async <Item>({ find, key }: PagedQuery<Item>, skip: number): Promise<Position> => {
      const exact = positions.get(`${key} ${skip}`)
      if (exact !== undefined) return { after: exact, offset: skip }
      const age = Math.floor(clock.monotonic() / positionLifetime)
      let position: Position = { after: null, offset: 0 }
      while (position.offset + blockSize <= skip) {
        const offset = position.offset + blockSize
        const name = `${key} ${age} ${offset}`
        let after = positions.get(name) ?? null
        if (after === null) {
          const found = await find({
            ...afterOf(position),
            skip: blockSize - 1,
            limit: 1,
            detail: 'light',
          })
          after = found.next
          if (after === null) return position
          positions.set(name, after)
        }
        position = { after, offset }
      }
      return position
    },

    read: async <Item>(
      { find, key }: PagedQuery<Item>,
      start: Position,
      { skip, limit, detail }: Pick<Query, 'skip' | 'limit' | 'detail'>,
      onItems: (found: readonly Item[]) => Promise<void> | void,
    ): Promise<boolean> => {
      let position = start
      for (let taken = 0; ;) {
        const { items: read, next }: Awaited<ReturnType<typeof find>> = await find({
          ...afterOf(position),
          // At most one block, because `seek` returns a position within a block unless the result ends.
          skip: Math.max(0, Math.min(skip - position.offset, blockSize)),
          limit: limit - taken,
          detail,
          bytes: maxReadBytes,
        })
        await onItems(read)
        taken += read.length
        if (next === null) return false
        position = { after: next, offset: skip + taken }
        if (taken < limit) continue
        positions.set(`${key} ${position.offset}`, next)
        return true
      }
    },
  }
}
