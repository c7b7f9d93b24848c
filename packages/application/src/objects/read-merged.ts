/**
 * Reads pages of several results that are merged in one order. A position in the merged result is the number of
 * documents of each result before it. A page reads its rows from each result. A distant page is located by single
 * documents of each result at certain distances, so that the documents before it need not be read.
 */
import { LRUCache } from 'lru-cache'
import { E, type Order } from '@publishing-service/domain'
import {
  comparePositions,
  unreadable,
  type Clock,
  type Cursor,
  type Document,
  type PortFailure,
  type Position,
} from '@publishing-service/ports'
import { entryLimit } from '../entry-limit.js'
import type { Failure } from '../failure.js'
import {
  afterOf,
  blockSize,
  cachedPositions,
  maxReadBytes,
  positionLifetime,
  type PagedQuery,
  type PageReader,
} from './read-page.js'

/** One of the merged results. */
export type Source = {
  readonly result: PagedQuery
  /** The detail in which the documents of a page are read. */
  readonly detail: 'light' | 'full'
  /** The position of a document in the merged order; its sequence is the number of the source. */
  readonly positionOf: (document: Document) => Position
}

/** A document and the result that it is from. */
export type Merged<S extends Source> = { readonly source: S; readonly document: Document }

type OnDocuments<S extends Source> = (found: readonly Merged<S>[]) => Promise<Failure | null>

/** The number of documents before a position, for each result. */
type Counts = readonly number[]

/** The documents of a result that were read and not merged yet. */
type Stream<S extends Source> = {
  readonly source: S
  readonly index: number
  waiting: readonly Document[]
  /** Where the next read starts: undefined before the first read, null at the end. */
  after: Cursor | null | undefined
}

/** The distances of the documents that are compared to locate a page: each as many blocks as possible, then shorter. */
const distances = [blockSize, blockSize / 4, blockSize / 16, blockSize / 64].map(Math.floor)

/** The maximum number of documents that one read returns. */
const maxRead = 1000

const isDamaged = ({ value }: Document): boolean => value === unreadable

export const createMergedReader = (pages: PageReader, clock: Pick<Clock, 'monotonic'>) => {
  const positions = new LRUCache<string, Counts>(entryLimit(cachedPositions))

  return {
    /**
     * Passes up to `limit` documents after the first `skip` to `onDocuments`, in batches, until that returns a failure.
     * Without an order the results follow each other. Returns whether more follow.
     */
    read: async <S extends Source>(
      sources: readonly S[],
      order: readonly Order[],
      { skip, limit }: { readonly skip: number; readonly limit: number },
      onDocuments: OnDocuments<S>,
    ): Promise<E.Either<Failure, boolean>> => {
      const compare = comparePositions(order)
      const age = Math.floor(clock.monotonic() / positionLifetime)
      const key = JSON.stringify([age, ...sources.map(({ result }) => result.key)])

      /** The first in the order. */
      const firstOf = <A extends Merged<S>>(candidates: readonly A[]): A | undefined => {
        let first: { readonly candidate: A; readonly position: Position } | undefined
        for (const candidate of candidates) {
          // A damaged document has no values: it follows the one before it in its result.
          if (isDamaged(candidate.document)) return candidate
          const position = candidate.source.positionOf(candidate.document)
          if (first === undefined || compare(position, first.position) < 0) first = { candidate, position }
        }
        return first?.candidate
      }

      const readMore = async (
        stream: Stream<S>,
        start: number,
        wanted: number,
        detail: 'light' | 'full',
      ): Promise<PortFailure | null> => {
        const { result } = stream.source
        let position = { after: stream.after ?? null, offset: start }
        if (stream.after === undefined) {
          const found = await pages.seek(result, start)
          if (E.isLeft(found)) return found.left
          position = found.right
        }
        const found = await result.find({
          ...afterOf(position),
          skip: Math.min(start - position.offset, blockSize),
          limit: Math.min(wanted, maxRead),
          detail,
          bytes: maxReadBytes,
        })()
        if (E.isLeft(found)) return found.left
        stream.waiting = found.right.items
        stream.after = found.right.next
        return null
      }

      /** Merges up to `most` documents after a position. Returns the position after them, and whether more follow. */
      const merge = async (
        start: Counts,
        most: number,
        detailOf: (source: S) => 'light' | 'full',
        onBatch: OnDocuments<S>,
      ): Promise<E.Either<Failure, { readonly counts: Counts; readonly more: boolean }>> => {
        const counts = [...start]
        let streams = sources.map((source, index): Stream<S> => ({
          source,
          index,
          waiting: [],
          after: undefined,
        }))
        let batch: Merged<S>[] = []
        for (let taken = 0; ;) {
          streams = streams.filter(({ waiting, after }) => waiting.length > 0 || after !== null)
          const current = order.length === 0 ? streams.slice(0, 1) : streams
          const empty = current.filter(({ waiting }) => waiting.length === 0)
          const isEnd = current.length === 0 || (empty.length === 0 && taken === most)
          if (batch.length > 0 && (isEnd || empty.length > 0)) {
            const failure = await onBatch(batch)
            if (failure !== null) return E.left(failure)
            batch = []
          }
          if (isEnd) return E.right({ counts, more: current.length > 0 })
          if (empty.length > 0) {
            const failures = await Promise.all(
              empty.map((stream) =>
                readMore(stream, counts[stream.index] ?? 0, most - taken + 1, detailOf(stream.source)),
              ),
            )
            const failure = failures.find((each) => each !== null)
            if (failure !== undefined) return E.left(failure)
            continue
          }
          const first = firstOf(
            current.flatMap((stream) =>
              stream.waiting.slice(0, 1).map((document) => ({ source: stream.source, document, stream })),
            ),
          )
          if (first === undefined) continue
          const { stream, source, document } = first
          stream.waiting = stream.waiting.slice(1)
          counts[stream.index] = (counts[stream.index] ?? 0) + 1
          batch.push({ source, document })
          taken += 1
        }
      }

      /** The document of a result that follows this number of others. */
      const documentAfter = async (
        source: S,
        count: number,
      ): Promise<E.Either<Failure, Document | undefined>> => {
        const start = await pages.seek(source.result, count)
        if (E.isLeft(start)) return start
        let found: Document | undefined
        const wanted = { skip: count, limit: 1, detail: 'light' } as const
        const read = await pages.read(source.result, start.right, wanted, async ([first]) => {
          found = first
          return null
        })
        return E.isLeft(read) ? read : E.right(found)
      }

      /**
       * A position before the first `skip` documents of all, near it. Of the documents at some distance from a position,
       * one for each of n results, the first one follows at most n times this distance of documents: so many may be
       * skipped, and the documents of its result up to it are among them.
       */
      const approach = async (): Promise<E.Either<Failure, Counts>> => {
        let counts: Counts = sources.map(() => 0)
        let left = skip
        for (const distance of distances) {
          const ahead = new Map<number, Document | undefined>()
          while (left >= distance * sources.length) {
            const name = `${key} ${distance} ${skip - left}`
            const cached = distance === blockSize ? positions.get(name) : undefined
            let next = cached
            if (next === undefined) {
              const read = await Promise.all(
                sources.map(async (source, index) =>
                  ahead.has(index)
                    ? E.right(ahead.get(index))
                    : documentAfter(source, (counts[index] ?? 0) + distance - 1),
                ),
              )
              for (const [index, found] of read.entries()) {
                if (E.isLeft(found)) return found
                ahead.set(index, found.right)
              }
              const first = firstOf(
                sources.flatMap((source, index) => {
                  const document = ahead.get(index)
                  return document === undefined ? [] : [{ source, document, index }]
                }),
              )
              if (first === undefined || isDamaged(first.document)) break
              next = counts.map((count, index) => (index === first.index ? count + distance : count))
              ahead.delete(first.index)
              if (distance === blockSize) positions.set(name, next)
            } else ahead.clear()
            counts = next
            left -= distance
          }
        }
        return E.right(counts)
      }

      const locate = async (): Promise<E.Either<Failure, Counts>> => {
        const near = await approach()
        if (E.isLeft(near)) return near
        const left = skip - near.right.reduce((total, count) => total + count, 0)
        if (left === 0) return near
        const found = await merge(
          near.right,
          left,
          () => 'light',
          async () => null,
        )
        return E.isLeft(found) ? found : E.right(found.right.counts)
      }

      const known = positions.get(`${key} ${skip}`)
      const start = known === undefined ? await locate() : E.right(known)
      if (E.isLeft(start)) return start
      const page = await merge(start.right, limit, ({ detail }) => detail, onDocuments)
      if (E.isLeft(page)) return page
      const { counts, more } = page.right
      if (more) positions.set(`${key} ${skip + limit}`, counts)
      return E.right(more)
    },
  }
}

export type MergedReader = ReturnType<typeof createMergedReader>
