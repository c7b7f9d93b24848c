/**
 * Reads pages of several results that are merged in one order. A page reads its rows from each result. A distant page
 * is located by single documents of each result at certain distances, so that the documents before it need not be read.
 */
import { LRUCache } from 'lru-cache'
import type { Order } from '@publishing-service/domain/lists'
import {
  comparePlaces,
  unreadable,
  type Clock,
  type Cursor,
  type Document,
  type Place as OrderPlace,
  type Query,
} from '@publishing-service/ports'
import { entryLimit } from '../entry-limit.js'
import { blockSize, cachedPositions, maxReadBytes, positionLifetime, type PagedQuery } from './read-page.js'

/** One of the merged results. */
export type Source = {
  readonly result: PagedQuery
  /** The detail in which the documents of a page are read. */
  readonly detail: 'light' | 'full'
  /** The place of a document in the merged order; its position is the number of the source. */
  readonly placeOf: (document: Document) => OrderPlace
}

/** A document and the result that it is from. */
export type Merged<S extends Source> = { readonly source: S; readonly document: Document }

type OnDocuments<S extends Source> = (found: readonly Merged<S>[]) => Promise<void>

/** A position in one result: a cursor, and how many documents there are before the cursor and before the position. */
type Place = { readonly after: Cursor | null; readonly offset: number; readonly count: number }

/** The documents of a result that were read and not merged yet. */
type Stream<S extends Source> = {
  readonly source: S
  /** The position of the first waiting document. */
  place: Place
  waiting: readonly Document[]
  /** The cursor after the waiting documents: undefined before the first read, null at the end. */
  next: Cursor | null | undefined
}

/** The distances of the documents that are compared to locate a page: each as many blocks as possible, then shorter. */
const distances = [blockSize, blockSize / 4, blockSize / 16, blockSize / 64].map(Math.floor)

/** The maximum number of documents that one read returns. */
const maxRead = 1000

/** The maximum number of documents between a cursor and a cached position. */
const maxGap = 200

const start: Place = { after: null, offset: 0, count: 0 }

const countOf = (places: readonly Place[]): number => places.reduce((total, { count }) => total + count, 0)

const isDamaged = ({ value }: Document): boolean => value === unreadable

/** Reads documents of a result after the first `skip` that follow a position. */
const readAfter = (
  { find }: PagedQuery,
  { after, offset, count }: Place,
  { skip, limit, detail }: Pick<Query, 'skip' | 'limit' | 'detail'>,
) =>
  find({
    ...(after === null ? {} : { after }),
    skip: count - offset + skip,
    limit,
    detail,
    bytes: maxReadBytes,
  })

/** The first in the order. */
const firstOf = <A extends Merged<Source>>(
  order: readonly Order[],
  candidates: readonly A[],
): A | undefined => {
  const compare = comparePlaces(order)
  let first: { readonly candidate: A; readonly place: OrderPlace } | undefined
  for (const candidate of candidates) {
    // A damaged document has no values: it follows the one before it in its result.
    if (isDamaged(candidate.document)) return candidate
    const place = candidate.source.placeOf(candidate.document)
    if (first === undefined || compare(place, first.place) < 0) first = { candidate, place }
  }
  return first?.candidate
}

type Found = { readonly items: readonly Document[]; readonly next: Cursor | null }

type Result<S extends Source> = {
  readonly sources: readonly S[]
  /** Without an order the results follow each other. */
  readonly order: readonly Order[]
}

/** Merges up to `most` documents after a position. Returns the position after them, and whether more follow. */
const merge = async <S extends Source>(
  { sources, order }: Result<S>,
  places: readonly Place[],
  most: number,
  detailOf: (source: S) => 'light' | 'full',
  onDocuments: OnDocuments<S>,
): Promise<{ readonly places: readonly Place[]; readonly more: boolean }> => {
  const streams = sources.map((source, index): Stream<S> => ({
    source,
    place: places[index] ?? start,
    waiting: [],
    next: undefined,
  }))
  const read = async (stream: Stream<S>, limit: number): Promise<void> => {
    const { source, place } = stream
    const found = await readAfter(source.result, place, {
      skip: 0,
      limit: Math.min(limit, maxRead),
      detail: detailOf(source),
    })
    stream.waiting = found.items
    stream.next = found.next
  }
  let batch: Merged<S>[] = []
  for (let taken = 0; ;) {
    const unfinished = streams.filter(({ waiting, next }) => waiting.length > 0 || next !== null)
    const current = order.length === 0 ? unfinished.slice(0, 1) : unfinished
    const empty = current.filter(({ waiting }) => waiting.length === 0)
    const isEnd = current.length === 0 || (empty.length === 0 && taken === most)
    if (batch.length > 0 && (isEnd || empty.length > 0)) {
      await onDocuments(batch)
      batch = []
    }
    if (isEnd) return { places: streams.map(({ place }) => place), more: current.length > 0 }
    // Concurrently, so that network latency counts once.
    await Promise.all(empty.map((stream) => read(stream, most - taken + 1)))
    const first = firstOf(
      order,
      current.flatMap((stream) =>
        stream.waiting.slice(0, 1).map((document) => ({ source: stream.source, document, stream })),
      ),
    )
    if (first === undefined || taken === most) continue
    const { stream, source, document } = first
    stream.waiting = stream.waiting.slice(1)
    const { place, next } = stream
    const count = place.count + 1
    const isAtCursor = stream.waiting.length === 0 && next !== null && next !== undefined
    stream.place = isAtCursor ? { after: next, offset: count, count } : { ...place, count }
    batch.push({ source, document })
    taken += 1
  }
}

/** The position with cursors near it, so that reading from it skips few documents. */
const withCursors = async <S extends Source>(
  { sources }: Result<S>,
  places: readonly Place[],
): Promise<readonly Place[]> => {
  const near: Place[] = []
  for (const [index, place] of places.entries()) {
    const source = sources[index]
    if (source === undefined || place.count - place.offset <= maxGap) {
      near.push(place)
      continue
    }
    const one = { skip: -1, limit: 1, detail: 'light' } as const
    const found = await readAfter(source.result, place, one)
    const { count } = place
    near.push(found.next === null ? place : { after: found.next, offset: count, count })
  }
  return near
}

export type MergedReader = {
  /**
   * Passes up to `limit` documents after the first `skip` to `onDocuments`, in batches. Returns whether more follow.
   */
  readonly read: <S extends Source>(
    result: Result<S>,
    page: Pick<Query, 'skip' | 'limit'>,
    onDocuments: OnDocuments<S>,
  ) => Promise<boolean>
}

export const createMergedReader = (clock: Pick<Clock, 'monotonic'>): MergedReader => {
  const positions = new LRUCache<string, readonly Place[]>(entryLimit(cachedPositions))

  /**
   * A position before the first `skip` documents of all, near it. Of the documents at some distance from a position, one
   * for each of n results, the first one follows at most n times this distance of documents: so many may be skipped, and
   * the documents of its result up to it are among them.
   */
  const approach = async <S extends Source>(
    { sources, order }: Result<S>,
    key: string,
    skip: number,
  ): Promise<readonly Place[]> => {
    const age = Math.floor(clock.monotonic() / positionLifetime)
    let places: readonly Place[] = sources.map(() => start)
    for (const distance of distances) {
      const ahead = new Map<number, Found>()
      while (skip - countOf(places) >= distance * sources.length) {
        const name = `${key} ${age} ${countOf(places)}`
        const cached = distance === blockSize ? positions.get(name) : undefined
        if (cached !== undefined) {
          places = cached
          ahead.clear()
          continue
        }
        const one = { skip: distance - 1, limit: 1, detail: 'light' } as const
        const read = await Promise.all(
          sources.map(async ({ result }, index) => {
            const known = ahead.get(index)
            return known === undefined ? readAfter(result, places[index] ?? start, one) : known
          }),
        )
        for (const [index, found] of read.entries()) ahead.set(index, found)
        const first = firstOf(
          order,
          sources.flatMap((source, index) =>
            (ahead.get(index)?.items ?? []).map((document) => ({ source, document, index })),
          ),
        )
        if (first === undefined || isDamaged(first.document)) break
        const after = ahead.get(first.index)?.next ?? null
        ahead.delete(first.index)
        places = places.map((place, index) => {
          if (index !== first.index) return place
          const count = place.count + distance
          return after === null ? { ...place, count } : { after, offset: count, count }
        })
        if (distance === blockSize) positions.set(name, places)
      }
    }
    return places
  }

  const locate = async <S extends Source>(
    result: Result<S>,
    key: string,
    skip: number,
  ): Promise<readonly Place[]> => {
    const near = await approach(result, key, skip)
    const left = skip - countOf(near)
    if (left === 0) return near
    const found = await merge(
      result,
      near,
      left,
      () => 'light',
      async () => undefined,
    )
    return found.places
  }

  return {
    read: async <S extends Source>(
      result: Result<S>,
      { skip, limit }: Pick<Query, 'skip' | 'limit'>,
      onDocuments: OnDocuments<S>,
    ): Promise<boolean> => {
      const key = JSON.stringify(result.sources.map((source) => source.result.key))
      const known = positions.get(`${key} ${skip}`)
      const places = known ?? (await locate(result, key, skip))
      if (known === undefined) positions.set(`${key} ${skip}`, places)
      const page = await merge(result, places, limit, ({ detail }) => detail, onDocuments)
      if (!page.more) return false
      const end = await withCursors(result, page.places)
      positions.set(`${key} ${skip + limit}`, end)
      return true
    },
  }
}
