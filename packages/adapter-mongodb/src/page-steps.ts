/**
 * Plans a page as a few reads, each of which starts at its first document in an index, however far into the result. In
 * one `$or` MongoDB might scan from the beginning.
 */
import type { Document, SortDirection } from 'mongodb'
import {
  type Cursor,
  cursorAt,
  type Order,
  plainTypeOf,
  placeIn,
  type Query,
  queryConditions,
  queryOrder,
  rangesAfter,
  requireSearched,
  tieDirection,
} from '@publishing-service/ports'
import { type CollectionLayout, keyPath } from './collection-layout.js'
import { afterValue, equalTo, filterOf } from './mongodb-filters.js'
import { wordsFilters } from './stored-words.js'
import { nameOf, type StoredDocument } from './stored-document.js'
import type { WordsWith } from './vocabulary.js'

export type Step = {
  readonly filter: Document
  readonly sort: ReadonlyMap<string, SortDirection>
}

export type PagePlan = {
  readonly steps: readonly Step[]
  /** The keys whose values are in the cursor, before the position. */
  readonly order: readonly Order[]
}

export const cursorOf = (order: readonly Order[], { keys, sequence }: StoredDocument): Cursor =>
  cursorAt({ values: order.map(({ key }) => keys[key] ?? null), position: sequence })

/** The reads that return the documents of the page, in this order; none if no document can match. */
export const pagePlan = (
  layout: CollectionLayout,
  instance: number,
  query: Query,
  wordsWith: WordsWith,
): PagePlan => {
  const conditions = queryConditions(layout, query.where)
  if (conditions === null) return { steps: [], order: [] }
  const order = queryOrder(layout, query.order, conditions)
  const { words, ids, notIds } = query
  const newestFirst = tieDirection(query) === 'desc'
  if (words !== undefined) requireSearched(layout)
  const namesOf = (named: readonly string[]): readonly string[] => named.map((id) => nameOf(instance, id))
  const filters = [
    ...conditions.map(filterOf),
    ...(ids === undefined ? [] : [{ _id: { $in: namesOf(ids) } }]),
    ...(notIds === undefined ? [] : [{ _id: { $nin: namesOf(notIds) } }]),
    ...(query.from === undefined ? [] : [{ sequence: { $gte: query.from } }]),
    ...(words === undefined ? [] : wordsFilters(words, wordsWith)),
  ]

  const step = (more: readonly Document[], remaining: readonly Order[], after: number | null): Step => {
    const all = [...filters, ...more]
    return {
      filter: {
        instance,
        ...(all.length === 0 ? {} : { $and: all }),
        ...(after === null ? {} : { sequence: newestFirst ? { $lt: after } : { $gt: after } }),
      },
      sort: new Map<string, SortDirection>([
        ...remaining.map(({ key, direction }) => [keyPath(key), direction === 'asc' ? 1 : -1] as const),
        ['sequence', newestFirst ? -1 : 1],
      ]),
    }
  }

  const { after = null } = query
  if (after === null) return { steps: [step([], order, null)], order }

  const { values, position } = placeIn(after, order.length)
  const steps = rangesAfter(order, values).flatMap((range) => {
    const equal = range.equal.map((value, i) => equalTo(order[i]?.key ?? '', value))
    if (range.after === null) return [step(equal, [], position)]
    const { order: first, value } = range.after
    const further = afterValue(first, plainTypeOf(layout, first.key), value)
    return further === null ? [] : [step([...equal, further], range.remaining, null)]
  })
  return { steps, order }
}
