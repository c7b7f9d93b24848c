/** What a list counts on request: the objects of all its pages, and those with each value of a facet. */
import { resourceOf } from '@publishing-service/domain'
import { objectName } from '@publishing-service/domain/engine'
import { compareTexts } from '@publishing-service/domain/filters'
import {
  countLimits,
  totalOf,
  type CollectionQuery,
  type Counting,
  type Facet,
  type FacetValue,
  type Listing,
} from '@publishing-service/domain/lists'
import {
  countedTexts,
  textCounts,
  unreadable,
  type Document,
  type TextCount,
} from '@publishing-service/ports'
import { batchesOf } from '../batches-of.js'
import { collectionNamed } from '../collections.js'
import type { Session } from '../session.js'
import { loadReferences, lookupsOfReferences } from './load-related.js'
import { restrictionsOf, type ListedKind, type PagedRead } from './read-page.js'

/** Documents that one query returns. */
const batchSize = 1000

/** Passes the documents of all pages to `onFound`, until it returns false. */
const forEachFound = async (
  { selected }: ListedKind,
  query: CollectionQuery,
  onFound: (found: readonly Document[]) => boolean,
): Promise<void> => {
  const find = selected({ order: [], ...restrictionsOf(query) })
  for (let start: Pick<PagedRead, 'after'> = {}; ;) {
    const { items, next } = await find({ ...start, skip: 0, limit: batchSize, detail: 'light' })
    if (!onFound(items) || next === null) return
    start = { after: next }
  }
}

/** The number of objects, up to `most`. */
const countKind = async (
  session: Session,
  kind: ListedKind,
  query: CollectionQuery,
  most: number,
): Promise<number> => {
  const { resource, where } = kind
  if (!kind.isRefined) {
    const selection = { where, ...restrictionsOf(query) }
    return session.documents.count(resource.collection, selection, most)
  }
  let count = 0
  await forEachFound(kind, query, (found) => (count += found.length) < most)
  return count
}

const countTexts = async (
  session: Session,
  kind: ListedKind,
  query: CollectionQuery,
  facet: Facet,
): Promise<readonly TextCount[]> => {
  const { resource, where } = kind
  if ('constant' in facet) {
    const count = await countKind(session, kind, query, countLimits.ofKind)
    return count === 0 ? [] : [{ text: facet.constant, count }]
  }
  const { key } = facet
  if (!kind.isRefined)
    return session.documents.countTexts(resource.collection, key, { where, ...restrictionsOf(query) })
  const textsOf = countedTexts(collectionNamed(resource.collection), key)
  const lists: (readonly string[])[] = []
  await forEachFound(kind, query, (found) => {
    for (const { value } of found) if (value !== unreadable) lists.push(textsOf(value))
    return true
  })
  return textCounts(lists)
}

/** The most frequent values that name objects which the caller sees, with their titles. */
const withTitles = async (
  session: Session,
  counts: readonly TextCount[],
  collection: string,
): Promise<readonly FacetValue[]> => {
  const resource = resourceOf(collection)
  if (resource === undefined) throw new Error(`${collection} is no collection`)
  const known = new Map(counts.map((each) => [each.text, each.count]))
  const values: FacetValue[] = []
  for (const ids of batchesOf([...known.keys()], countLimits.values)) {
    const references = ids.map((id) => ({ path: '', collection, id }))
    const find = await loadReferences(session, lookupsOfReferences(references))
    for (const value of ids) {
      const state = find(collection, value)
      if (state !== undefined)
        values.push({ value, title: objectName(resource, state), count: known.get(value) ?? 0 })
    }
    if (values.length >= countLimits.values) break
  }
  return values.slice(0, countLimits.values)
}

const readFacet = async (
  session: Session,
  kinds: readonly ListedKind[],
  query: CollectionQuery,
  name: string,
): Promise<readonly FacetValue[]> => {
  const sums = new Map<string, number>()
  let of: string | undefined
  for (const kind of kinds) {
    const facet = kind.resource.facets?.[name]
    if (facet === undefined) continue
    of = 'constant' in facet ? undefined : facet.of
    for (const { text, count } of await countTexts(session, kind, query, facet))
      sums.set(text, (sums.get(text) ?? 0) + count)
  }
  const counts = Array.from(sums, ([text, count]) => ({ text, count })).toSorted(
    (a, b) => b.count - a.count || compareTexts(a.text, b.text),
  )
  if (of !== undefined) return withTitles(session, counts, of)
  return counts.slice(0, countLimits.values).map(({ text, count }) => ({ value: text, count }))
}

/** A page of a list of some kinds, with what its query counts. Needs a query for each count and kind, and one for titles. */
export const withCounts = async (
  session: Session,
  kinds: readonly ListedKind[],
  query: CollectionQuery,
  { total, facets: names }: Counting,
  listing: Listing,
): Promise<Listing> => {
  let count = 0
  if (total) for (const kind of kinds) count += await countKind(session, kind, query, countLimits.exact + 1)
  const facets: Record<string, readonly FacetValue[]> = {}
  for (const name of names) facets[name] = await readFacet(session, kinds, query, name)
  const counted = { ...(total ? { total: totalOf(count) } : {}), ...(names.length > 0 ? { facets } : {}) }
  return { ...listing, counted }
}
