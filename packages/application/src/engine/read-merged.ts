/** Reads pages of several results that are merged in one order. A page reads its rows from each result. */
import { isJsonObject, type Json } from '@publishing-service/domain/json'
import type { Order } from '@publishing-service/domain/filters'
import {
  comparePlaces,
  InvalidCursor,
  type Cursor,
  type Document,
  type Place,
} from '@publishing-service/ports'
import {
  afterOf,
  maxReadBytes,
  type FindPage,
  pageLinks,
  readingFromPlace,
  rowsBefore,
  type PageLinks,
  type PageRequest,
} from './read-page.js'

/** One of the merged results. */
export type Source<Item = Document> = {
  readonly find: FindPage<Item>
  /** The detail in which the items of a page are read. */
  readonly detail: 'light' | 'full'
  /**
   * The place of an item in the merged order; its position is the number of the source. Null for a damaged document, which
   * follows the one before it in its result.
   */
  readonly placeOf: (item: Item) => Place | null
}

/** An item and the result that it is from. */
export type Merged<Item, S extends Source<Item>> = { readonly source: S; readonly item: Item }

/** Where a page starts in one result: after a cursor, and then after so many items. */
type Start = { readonly after: Cursor | null; readonly skip: number }

/** The items of a result that were read and not merged yet. */
type Stream<Item, S extends Source<Item>> = {
  readonly source: S
  /** Where the first waiting item is. */
  start: Start
  waiting: readonly Item[]
  /** The cursor after the waiting items: undefined before the first read, null at the end. */
  next: Cursor | null | undefined
}

type Result<Item, S extends Source<Item>> = {
  readonly sources: readonly S[]
  /** Without an order the results follow each other. */
  readonly order: readonly Order[]
}

/** The maximum number of items that one read returns. */
const maxRead = 1000

/** The maximum number of items between a cursor and the start of a page. */
const maxGap = 200

const beginning: Start = { after: null, skip: 0 }

/** The first in the order. */
const firstOf = <Item, S extends Source<Item>>(
  compare: (a: Place, b: Place) => number,
  streams: readonly Stream<Item, S>[],
): { readonly stream: Stream<Item, S>; readonly item: Item } | undefined => {
  let first: { readonly stream: Stream<Item, S>; readonly item: Item; readonly place: Place } | undefined
  for (const stream of streams) {
    const [item] = stream.waiting
    if (item === undefined) continue
    const place = stream.source.placeOf(item)
    if (place === null) return { stream, item }
    if (first === undefined || compare(place, first.place) < 0) first = { stream, item, place }
  }
  return first
}

/** Merges up to `most` items. Returns where the others start, and whether there are any. */
const merge = async <Item, S extends Source<Item>>(
  { sources, order }: Result<Item, S>,
  starts: readonly Start[],
  most: number,
  detailOf: (source: S) => 'light' | 'full',
  onItems: (found: readonly Merged<Item, S>[]) => Promise<void>,
): Promise<{ readonly starts: readonly Start[]; readonly more: boolean }> => {
  const streams = sources.map((source, index): Stream<Item, S> => ({
    source,
    start: starts[index] ?? beginning,
    waiting: [],
    next: undefined,
  }))
  const read = async (stream: Stream<Item, S>, limit: number): Promise<void> => {
    const { source, start } = stream
    const found = await source.find({
      ...afterOf(start),
      skip: start.skip,
      limit: Math.min(limit, maxRead),
      detail: detailOf(source),
      bytes: maxReadBytes,
    })
    stream.waiting = found.items
    stream.next = found.next
  }
  const compare = comparePlaces(order)
  let batch: Merged<Item, S>[] = []
  for (let taken = 0; ;) {
    const current: Stream<Item, S>[] = []
    const empty: Stream<Item, S>[] = []
    for (const stream of streams) {
      const isEmpty = stream.waiting.length === 0
      if (isEmpty && stream.next === null) continue
      current.push(stream)
      if (isEmpty) empty.push(stream)
      if (order.length === 0) break
    }
    const isEnd = current.length === 0 || (empty.length === 0 && taken === most)
    if (batch.length > 0 && (isEnd || empty.length > 0)) {
      await onItems(batch)
      batch = []
    }
    if (isEnd) return { starts: streams.map(({ start }) => start), more: current.length > 0 }
    // Concurrently, so that network latency counts once.
    await Promise.all(empty.map((stream) => read(stream, most - taken + 1)))
    const first = firstOf(compare, current)
    if (first === undefined || taken === most) continue
    const { stream, item } = first
    stream.waiting = stream.waiting.slice(1)
    const { start, next } = stream
    const isAtCursor = stream.waiting.length === 0 && next !== null && next !== undefined
    stream.start = isAtCursor ? { after: next, skip: 0 } : { ...start, skip: start.skip + 1 }
    batch.push({ source: stream.source, item })
    taken += 1
  }
}

/** The same start with a cursor near it, so that reading from it skips few items. */
const withCursor = async <Item>({ find }: Source<Item>, start: Start): Promise<Start> => {
  if (start.skip <= maxGap) return start
  const found = await find({ ...afterOf(start), skip: start.skip - 1, limit: 1, detail: 'light' })
  return found.next === null ? start : { after: found.next, skip: 0 }
}

const jsonOf = (starts: readonly Start[]): Json => starts.map(({ after, skip }) => ({ after, skip }))

const startsIn = (json: Json, count: number): readonly Start[] => {
  const starts: readonly Json[] = Array.isArray(json) ? json : []
  if (starts.length !== count) throw new InvalidCursor()
  return starts.map((each) => {
    const { after = null, skip = null } = isJsonObject(each) ? each : {}
    if (typeof skip !== 'number' || !Number.isInteger(skip) || skip < 0 || skip > maxRead + maxGap)
      throw new InvalidCursor()
    return { after, skip }
  })
}

/** Passes the items of a page to `onItems`, in batches. Returns the links of the page. */
export const readMerged = <Item, S extends Source<Item>>(
  result: Result<Item, S>,
  request: PageRequest,
  onItems: (found: readonly Merged<Item, S>[]) => Promise<void>,
): Promise<PageLinks> =>
  readingFromPlace(async () => {
    const { sources } = result
    const before = rowsBefore(request)
    let starts: readonly Start[] = []
    if (request.after !== null) starts = startsIn(request.after[0], sources.length)
    else if (before > 0)
      starts = (
        await merge(
          result,
          starts,
          before,
          () => 'light',
          async () => undefined,
        )
      ).starts
    const page = await merge(result, starts, request.rpp, ({ detail }) => detail, onItems)
    if (!page.more) return pageLinks(request, null)
    const next = await Promise.all(
      sources.map((source, index) => withCursor(source, page.starts[index] ?? beginning)),
    )
    return pageLinks(request, jsonOf(next))
  })
