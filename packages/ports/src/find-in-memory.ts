/** Queries and counts over documents in memory, which read each of them. */
import {
  queryConditions,
  comparePlaces,
  cursorAt,
  estimatingSample,
  isSampled,
  sampleFor,
  tieDirection,
  matchesConditions,
  placeIn,
  placeOf,
  queryOrder,
  wellFormedRange,
} from './query-conditions.js'
import { matchesWords } from './words-condition.js'
import type { JsonObject } from '@publishing-service/domain/json'
import { isInRange } from '@publishing-service/domain/filters'
import type {
  Collection,
  CountedTexts,
  Document,
  Page,
  Query,
  Selection,
  TextCount,
  TextsPage,
  TextsQuery,
} from './document-store.js'
import {
  countedTexts,
  groupCountFinder,
  groupOfFilters,
  groupOfDocument,
  plainKeys,
  requireTexts,
  textCounts,
  textsUnder,
} from './key-values.js'

/** What a selection depends on. */
type Selecting = Pick<Collection, 'name' | 'keys' | 'searched'>

const compareTextPlaces = comparePlaces([{ key: 'text', direction: 'asc' }])

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

/** Those of these documents that are selected, in the same order. */
const selectInMemory = (
  collection: Selecting,
  entries: Iterable<Document>,
  { where, words, ids, notIds }: Selection,
): readonly Document[] => {
  const conditions = queryConditions(collection, where)
  if (conditions === null) return []
  return Array.from(entries)
    .filter(({ value }) => matchesConditions(conditions, value))
    .filter(({ id }) => ids?.includes(id) !== false && notIds?.includes(id) !== true)
    .filter(({ value }) => words === undefined || matchesWords(collection, words, value))
}

/** The page of the query over these documents, which may be in any order. */
export const findInMemory = (collection: Collection, entries: Iterable<Document>, query: Query): Page => {
  const { from = 0, after, skip, limit, bytes = Infinity, detail } = query
  const conditions = queryConditions(collection, query.where)
  const order = queryOrder(collection, query.order, conditions ?? [])
  const compare = comparePlaces(order, tieDirection(query))
  const start = after === undefined ? null : placeIn(after, order.length)
  const found = selectInMemory(collection, entries, query)
    .filter(({ position }) => position >= from)
    .map((document) => ({ document, place: placeOf(collection, order, document) }))
    .filter(({ place }) => start === null || compare(place, start) > 0)
    .toSorted((a, b) => compare(a.place, b.place))
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
  return { documents, next: last !== undefined && found.length > end ? cursorAt(last.place) : null }
}

/** The page of a query for texts over these documents, which may be in any order. */
export const findTextsInMemory = (
  collection: Collection,
  entries: Iterable<Document>,
  { key, range, where, after, skip, limit, detail }: TextsQuery,
): TextsPage => {
  requireTexts(collection, key, range)
  const conditions = queryConditions(collection, where)
  const wanted = wellFormedRange(range)
  const start = after === undefined ? null : placeIn(after, 1)
  const found =
    conditions === null
      ? []
      : Array.from(entries)
          .filter(({ value }) => matchesConditions(conditions, value))
          .flatMap((document) =>
            textsUnder(document.value, key)
              .filter((text) => isInRange(text, wanted))
              .map((text) => ({ text, document, place: { values: [text], position: document.position } })),
          )
          .filter(({ place }) => start === null || compareTextPlaces(place, start) > 0)
          .toSorted((a, b) => compareTextPlaces(a.place, b.place))
  const shown = found.slice(skip, skip + limit)
  const last = shown.at(-1)
  return {
    texts: shown.map(({ text, document }) => ({ text, document: withDetail(collection, detail, document) })),
    next: last !== undefined && found.length > skip + limit ? cursorAt(last.place) : null,
  }
}

/** The group count over these documents. */
export const countGroupsInMemory = (
  collection: Collection,
  entries: Iterable<Document>,
  key: string,
  within: JsonObject,
): readonly TextCount[] => {
  const keys = groupCountFinder(collection)(key, within).within
  const group = JSON.stringify(groupOfFilters(plainKeys(collection, keys), within))
  return textCounts(
    Array.from(entries)
      .filter(({ value }) => JSON.stringify(groupOfDocument(collection, keys, value)) === group)
      .map(({ value }) => textsUnder(value, key)),
  )
}

/** The number of these documents that are selected, up to a limit. */
export const countInMemory = (
  collection: Selecting,
  entries: Iterable<Document>,
  selection: Selection,
  limit: number,
): number => Math.min(selectInMemory(collection, entries, selection).length, limit)

/** The texts under some keys of these documents, so far as they are selected and in the sample. */
export const countTextsInMemory = (
  collection: Collection,
  entries: Iterable<Document>,
  keys: readonly string[],
  selection: Selection,
  most: number,
): CountedTexts => {
  const selected = selectInMemory(collection, entries, selection)
  const inSample = (oneIn: number) => selected.filter(({ position }) => isSampled(position, oneIn))
  const oneIn = sampleFor(inSample(estimatingSample).length, most)
  const documents = inSample(oneIn)
  const texts = keys.map((key) => {
    const textsOf = countedTexts(collection, key)
    return textCounts(documents.map(({ value }) => textsOf(value)))
  })
  return { oneIn, documents: documents.length, texts }
}
