/**
 * Reads pages of query results in short steps, so that neither a far page nor long documents hold the event loop or
 * fill the memory: each read of the store passes over a bounded number of documents and returns a bounded number of
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
  /** Everything that decides which document is at which position, as a key. */
  readonly key: string
}

/** A position in a result: behind so many documents. */
export type Position = { readonly after: Cursor | null; readonly offset: number }

/** How many positions are remembered, of all results together. */
const cachedPositions = 4000
/** Documents that one read passes over at most; positions at its multiples are remembered. */
export const blockSize = 2000
/** Milliseconds for which a jump uses a remembered position; other processes may have written meanwhile. */
const positionLifetime = 60_000
/** Bytes of JSON that one read returns at most, but for its last document. */
export const maxReadBytes = 1024 * 1024

const afterOf = ({ after }: Position): Pick<Query, 'after'> => (after === null ? {} : { after })

export const createPageReader = (clock: Pick<Clock, 'monotonic'>) => {
  const positions = new LRUCache<string, NonNullable<Cursor>>(entryLimit(cachedPositions))

  return {
    /**
     * The position behind `skip` documents, or fewer than a stride before it. Where the result ends before it, a
     * position no more than a stride before the end.
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
     * Passes up to `limit` documents after the first `skip` to `take`, step by step, until it returns a failure; says
     * whether more follow.
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
            // Further than a stride there is nothing, or `seek` would have gone there.
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
