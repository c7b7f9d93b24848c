/** What a list counts on request: the objects of all its pages, and those with each value of a facet. */
import { resourceOf } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { objectName } from '@publishing-service/domain/engine'
import { compareTexts } from '@publishing-service/domain/filters'
import {
  countLimits,
  totalOf,
  type CollectionQuery,
  type Counting,
  type FacetCounts,
  type FacetValue,
  type Listing,
} from '@publishing-service/domain/lists'
import {
  countedTexts,
  type CountedTexts,
  textCounts,
  unreadable,
  type Document,
  type TextCount,
} from '@publishing-service/ports'
import { batchesOf } from '../batches-of.js'
import { collectionNamed } from '../collections.js'
import type { Session } from '../session.js'
import { loadReferences, lookupsOfReferences } from './load-related.js'
import type { ListedKind, PagedRead } from './read-page.js'

/** Documents that one query returns. */
const batchSize = 1000

/** Passes the documents of all pages to `onFound`, until it returns false. */
const forEachFound = async (
  { selected }: ListedKind,
  query: CollectionQuery,
  onFound: (found: readonly Document[]) => boolean,
): Promise<void> => {
  const find = selected({ order: [], ...query.restrictions })
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
    const selection = { where, ...query.restrictions }
    return session.documents.count(resource.collection, selection, most)
  }
  let count = 0
  await forEachFound(kind, query, (found) => (count += found.length) < most)
  return count
}

/** What the facets of a kind count, in a sample of its objects. */
type KindCounts = {
  readonly kind: ListedKind
  readonly oneIn: number
  /** The texts under a key. */
  readonly textsUnder: (key: string) => readonly TextCount[]
  /** The number of all objects. */
  readonly objects: number
}

const keysOf = ({ resource: { facets = {} } }: ListedKind, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const facet = facets[name]
    return facet === undefined || 'constant' in facet ? [] : [facet.key]
  })

/** The texts of a kind that is refined, of which each object is read. */
const countRefined = async (
  kind: ListedKind,
  query: CollectionQuery,
  keys: readonly string[],
): Promise<CountedTexts> => {
  const readers = keys.map((key) => countedTexts(collectionNamed(kind.resource.collection), key))
  const values: JsonObject[] = []
  await forEachFound(kind, query, (found) => {
    for (const { value } of found) if (value !== unreadable) values.push(value)
    return true
  })
  return {
    oneIn: 1,
    documents: values.length,
    texts: readers.map((textsOf) => textCounts(values.map(textsOf))),
  }
}

const countTexts = async (
  session: Session,
  kind: ListedKind,
  query: CollectionQuery,
  names: readonly string[],
): Promise<KindCounts> => {
  const { resource, where, isRefined } = kind
  const keys = keysOf(kind, names)
  const { oneIn, documents, texts } = isRefined
    ? await countRefined(kind, query, keys)
    : await session.documents.countTexts(
        resource.collection,
        keys,
        { where, ...query.restrictions },
        countLimits.exact,
      )
  return {
    kind,
    oneIn,
    objects: documents * oneIn,
    textsUnder: (key) =>
      (texts[keys.indexOf(key)] ?? []).map(({ text, count }) => ({ text, count: count * oneIn })),
  }
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
  kinds: readonly KindCounts[],
  name: string,
): Promise<readonly FacetValue[]> => {
  const sums = new Map<string, number>()
  let of: string | undefined
  for (const { kind, objects, textsUnder } of kinds) {
    const facet = kind.resource.facets?.[name]
    if (facet === undefined) continue
    of = 'constant' in facet ? undefined : facet.of
    const counts = 'constant' in facet ? [{ text: facet.constant, count: objects }] : textsUnder(facet.key)
    for (const { text, count } of counts) if (count > 0) sums.set(text, (sums.get(text) ?? 0) + count)
  }
  const counts = Array.from(sums, ([text, count]) => ({ text, count })).toSorted(
    (a, b) => b.count - a.count || compareTexts(a.text, b.text),
  )
  if (of !== undefined) return withTitles(session, counts, of)
  return counts.slice(0, countLimits.values).map(({ text, count }) => ({ value: text, count }))
}

/** The facets of a list of kinds. Needs a query for each kind, and one for titles. */
const readFacets = async (
  session: Session,
  kinds: readonly ListedKind[],
  query: CollectionQuery,
  names: readonly string[],
): Promise<FacetCounts> => {
  const counted: KindCounts[] = []
  for (const kind of kinds)
    if (names.some((name) => kind.resource.facets?.[name] !== undefined))
      counted.push(await countTexts(session, kind, query, names))
  const facets: Record<string, readonly FacetValue[]> = {}
  for (const name of names) facets[name] = await readFacet(session, counted, name)
  return { facets, facets_exact: counted.every(({ oneIn }) => oneIn === 1) }
}

/** A page of a list of some kinds, with what its query counts. Needs a query for each kind for a total. */
export const withCounts = async (
  session: Session,
  kinds: readonly ListedKind[],
  query: CollectionQuery,
  { total, facets: names }: Counting,
  listing: Listing,
): Promise<Listing> => {
  let count = 0
  if (total) for (const kind of kinds) count += await countKind(session, kind, query, countLimits.exact + 1)
  const counted = {
    ...(total ? { total: totalOf(count) } : {}),
    ...(names.length > 0 ? await readFacets(session, kinds, query, names) : {}),
  }
  return { ...listing, counted }
}
