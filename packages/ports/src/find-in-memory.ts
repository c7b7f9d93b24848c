/** Queries and group counts over documents in memory, which read each of them. */
import {
  queryConditions,
  comparePositions,
  cursorAt,
  isNewestFirst,
  matchesConditions,
  positionIn,
  positionOf,
  queryOrder,
  wellFormedRange,
} from './query-conditions.js'
import { matchesWords } from './words-condition.js'
import type { JsonObject } from '@publishing-service/domain/json'
import { isInRange } from '@publishing-service/domain/lists'
import type { Collection, Document, Page, Query, TextCount, TextsPage, TextsQuery } from './document-store.js'
import { findGroupCount, groupOfFilters, groupOfDocument, requireTexts, textsUnder } from './key-values.js'

const compareTextPositions = comparePositions([{ key: 'text', direction: 'asc' }])

/** A document with the number of its insertion. */
export type Numbered = { readonly document: Document; readonly sequence: number }

/** The document in this detail. */
export const withDetail = (
  { heavy }: Pick<Collection, 'heavy'>,
  detail: Query['detail'],
  document: Document,
): Document => {
  if (detail === 'full' || heavy.length === 0) return document
  const light = Object.entries(document.value).filter(([name]) => !heavy.includes(name))
  return Object.freeze({ ...document, value: Object.freeze(Object.fromEntries(light)) })
}

/** The page of the query over these documents, which may be in any order. */
export const findInMemory = (collection: Collection, entries: Iterable<Numbered>, query: Query): Page => {
  const { after, skip, limit, bytes = Infinity, detail, words } = query
  const conditions = queryConditions(collection, query.where)
  const order = queryOrder(collection, query.order, conditions ?? [])
  const compare = comparePositions(order, isNewestFirst(query))
  const start = after === undefined ? null : positionIn(after, order.length)
  const found =
    conditions === null
      ? []
      : Array.from(entries)
          .filter(({ document }) => matchesConditions(conditions, document.value))
          .filter(({ document }) => words === undefined || matchesWords(collection, words, document.value))
          .map(({ document, sequence }) => ({
            document,
            position: positionOf(collection, order, document.value, sequence),
          }))
          .filter(({ position }) => start === null || compare(position, start) > 0)
          .toSorted((a, b) => compare(a.position, b.position))
  const documents: Document[] = []
  for (let size = 0; documents.length < limit && size < bytes;) {
    const entry = found[skip + documents.length]
    if (entry === undefined) break
    const document = withDetail(collection, detail, entry.document)
    documents.push(document)
    if (bytes !== Infinity) size += JSON.stringify(document.value).length
  }
  const end = skip + documents.length
  const last = found[end - 1]
  return { documents, next: last !== undefined && found.length > end ? cursorAt(last.position) : null }
}

/** The page of a query for texts over these documents, which may be in any order. */
export const findTextsInMemory = (
  collection: Collection,
  entries: Iterable<Numbered>,
  { key, range, where, after, skip, limit, detail }: TextsQuery,
): TextsPage => {
  requireTexts(collection, key)
  const conditions = queryConditions(collection, where)
  const wanted = wellFormedRange(range)
  const start = after === undefined ? null : positionIn(after, 1)
  const found =
    conditions === null
      ? []
      : Array.from(entries)
          .filter(({ document }) => matchesConditions(conditions, document.value))
          .flatMap(({ document, sequence }) =>
            textsUnder(document.value, key)
              .filter((text) => isInRange(text, wanted))
              .map((text) => ({ text, document, position: { values: [text], sequence } })),
          )
          .filter(({ position }) => start === null || compareTextPositions(position, start) > 0)
          .toSorted((a, b) => compareTextPositions(a.position, b.position))
  const shown = found.slice(skip, skip + limit)
  const last = shown.at(-1)
  return {
    texts: shown.map(({ text, document }) => ({ text, document: withDetail(collection, detail, document) })),
    next: last !== undefined && found.length > skip + limit ? cursorAt(last.position) : null,
  }
}

/** The group count over these documents. */
export const countGroupsInMemory = (
  collection: Collection,
  entries: Iterable<Numbered>,
  key: string,
  within: JsonObject,
): readonly TextCount[] => {
  const keys = findGroupCount(collection, key, within).within
  const group = JSON.stringify(groupOfFilters(collection, keys, within))
  const counts = new Map<string, number>()
  for (const { document } of entries)
    if (JSON.stringify(groupOfDocument(collection, keys, document.value)) === group)
      for (const text of textsUnder(document.value, key)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Array.from(counts, ([text, count]) => ({ text, count }))
}
