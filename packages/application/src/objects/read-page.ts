/**
 * Reads pages of query results in several reads, so that neither high page numbers nor long documents block the event
 * loop or exhaust memory: each read of the store skips a bounded number of documents and returns a bounded number of
 * bytes.
 */
import { LRUCache } from 'lru-cache'
import { E, type Filter, type Order } from '@publishing-service/domain'
import type { Clock, Cursor, Document, PortFailure, Query } from '@publishing-service/ports'
import { entryLimit } from '../entry-limit.js'
import type { Failure } from '../failure.js'
import type { InstanceDocuments } from '../instance-documents.js'

/** A query of a collection, without its page. */
export type PagedQuery = {
  readonly collection: string
  readonly where: readonly Filter[]
  readonly order: readonly Order[]
  /** The cache key: everything that determines the order of the result. */
  readonly key: string
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

const afterOf = ({ after }: Position): Pick<Query, 'after'> => (after === null ? {} : { after })

export const createPageReader = (clock: Pick<Clock, 'monotonic'>) => {
  const positions = new LRUCache<string, NonNullable<Cursor>>(entryLimit(cachedPositions))

  return {
    /**
     * The position after `skip` documents, or less than a block before it. If the result ends earlier, a position
     * within a block of the end.
     */
    seek: async (
      documents: InstanceDocuments,
      result: PagedQuery,
      skip: number,
    ): Promise<E.Either<PortFailure, Position>> => {
      const { collection, where, order, key } = result
      const exact = positions.get(`${key} ${skip}`)
      if (exact !== undefined) return E.right({ after: exact, offset: skip })
      const age = Math.floor(clock.monotonic() / positionLifetime)
      let position: Position = { after: null, offset: 0 }
      while (position.offset + blockSize <= skip) {
        const offset = position.offset + blockSize
        const name = `${key} ${age} ${offset}`
        let after = positions.get(name) ?? null
        if (after === null) {
          const found = await documents.find(collection, {
            where,
            order,
            ...afterOf(position),
            skip: blockSize - 1,
            limit: 1,
            detail: 'light',
          })()
          if (E.isLeft(found)) return found
          after = found.right.next
          if (after === null) return E.right(position)
          positions.set(name, after)
        }
        position = { after, offset }
      }
      return E.right(position)
    },

    /**
     * Passes up to `limit` documents after the first `skip` to `onDocuments`, in batches, until that returns a failure.
     * Returns whether more follow.
     */
    read: async (
      documents: InstanceDocuments,
      result: PagedQuery,
      start: Position,
      { skip, limit, detail }: Pick<Query, 'skip' | 'limit' | 'detail'>,
      onDocuments: (found: readonly Document[]) => Promise<Failure | null>,
    ): Promise<E.Either<Failure, boolean>> => {
      const { collection, where, order, key } = result
      let position = start
      for (let taken = 0; ;) {
        const found: Awaited<ReturnType<ReturnType<InstanceDocuments['find']>>> = await documents.find(
          collection,
          {
            where,
            order,
            ...afterOf(position),
            // At most one block, because `seek` returns a position within a block unless the result ends.
            skip: Math.max(0, Math.min(skip - position.offset, blockSize)),
            limit: limit - taken,
            detail,
            bytes: maxReadBytes,
          },
        )()
        if (E.isLeft(found)) return found
        const { documents: read, next } = found.right
        const failure = await onDocuments(read)
        if (failure !== null) return E.left(failure)
        taken += read.length
        if (next === null) return E.right(false)
        position = { after: next, offset: skip + taken }
        if (taken < limit) continue
        positions.set(`${key} ${position.offset}`, next)
        return E.right(true)
      }
    },
  }
}

export type PageReader = ReturnType<typeof createPageReader>
