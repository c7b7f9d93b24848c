/**
 * Reads documents. A document that another version of the program wrote, with other light attributes, is read completely
 * and split again, so that light documents are correct while versions with different declarations run concurrently.
 */
import type { Document as Projection } from 'mongodb'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { isInRange, matchesFilter, type Filter, type TextRange } from '@publishing-service/domain/filters'
import {
  comparePlaces,
  countedTexts,
  type CountedTexts,
  cursorAt,
  type Document,
  estimatingSample,
  isListType,
  isSampled,
  type Page,
  placeIn,
  queryConditions,
  readDocument,
  requireTexts,
  sampleFor,
  type Query,
  type Selection,
  type TextCount,
  textCounts,
  type TextsPage,
  type TextsQuery,
  unreadable,
  wellFormedRange,
} from '@publishing-service/ports'
import { keyPath, textsIndex, textsPath } from './collection-layout.js'
import { filterOf, hasTextIn } from './mongodb-filters.js'
import { cursorOf, pagePlan, type Step } from './page-steps.js'
import { longPrefixes, testOfPhrases } from './stored-words.js'
import { idOf, isHidden, nameOf, type StoredDocument } from './stored-document.js'
import type { StoredCollection } from './stored-collection.js'
import { type CountedList, readGroupCounts, groupCountStages } from './group-count-stages.js'

export type DocumentReader = {
  readonly get: (instance: number, id: string) => Promise<Document | null>
  readonly getMany: (
    instance: number,
    ids: readonly string[],
    detail: 'light' | 'full',
  ) => Promise<readonly Document[]>
  readonly find: (instance: number, query: Query) => Promise<Page>
  readonly findTexts: (instance: number, query: TextsQuery) => Promise<TextsPage>
  readonly countGroups: (
    instance: number,
    key: string,
    within: Readonly<Record<string, Json>>,
  ) => Promise<readonly TextCount[]>
  readonly count: (instance: number, selection: Selection, limit: number) => Promise<number>
  readonly countTexts: (
    instance: number,
    keys: readonly string[],
    selection: Selection,
    most: number,
  ) => Promise<CountedTexts>
}

const whole: Projection = { instance: 1, version: 1, sequence: 1, light: 1, heavy: 1 }
const lightOnly: Projection = { instance: 1, version: 1, sequence: 1, light: 1, layout: 1 }

const fullDocument = ({ _id, version, sequence, light, heavy }: StoredDocument): Document => ({
  id: idOf(_id),
  version,
  position: sequence,
  value: readDocument(light, heavy ?? null),
})

const withoutHeavy = (value: JsonObject, heavy: ReadonlySet<string>): JsonObject =>
  value === unreadable
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => !heavy.has(name)))

type FoundText = {
  readonly name: string
  readonly values: readonly [text: string]
  readonly position: number
}

const compareTextPlaces = comparePlaces([{ key: 'text', direction: 'asc' }])

/**
 * The texts of the range in their order. The documents are in the order of an index over the texts, that is of the first
 * text of the range that each of them has. So the texts after the first one of the last document are incomplete, unless
 * these are all documents.
 */
const textsOf = (
  found: readonly StoredDocument[],
  key: string,
  range: TextRange,
  areAll: boolean,
): readonly FoundText[] => {
  const lists = found.map(({ _id, sequence, texts }) =>
    (texts?.[key] ?? [])
      .filter((text) => isInRange(text, range))
      .map((text): FoundText => ({ name: _id, values: [text], position: sequence }))
      .toSorted(compareTextPlaces),
  )
  const all = lists.flat().toSorted(compareTextPlaces)
  const end = lists.at(-1)?.[0]
  return areAll || end === undefined ? all : all.filter((each) => compareTextPlaces(each, end) <= 0)
}

const isOnRange = (filter: Filter): boolean =>
  'anyOf' in filter ? filter.anyOf.some((group) => group.some(isOnRange)) : 'hasIn' in filter

/**
 * Tests documents again for conditions on ranges of texts; null without any. FerretDB 1 compares each bound of
 * `$elemMatch` with a separate element of the list.
 */
const testOfRanges = (where: Query['where']): ((stored: StoredDocument) => boolean) | null => {
  const filters = where.filter(isOnRange)
  return filters.length === 0
    ? null
    : ({ keys, texts }) => filters.every((each) => matchesFilter(each, { ...keys, ...texts }))
}

/**
 * `hintsOrder` is whether the server returns documents in the order of the index of a hint. `maxTimeMS` is the time limit
 * of reads on the server; the store stops waiting at the same time.
 */
export const documentReader = (
  { documents: collection, layout, vocabulary }: StoredCollection,
  hintsOrder: boolean,
  maxTimeMS: number,
): DocumentReader => {
  const named = async (names: readonly string[], projection: Projection): Promise<StoredDocument[]> => {
    const found = await collection.find({ _id: { $in: [...names] } }, { projection, maxTimeMS }).toArray()
    return found.filter((stored) => !isHidden(stored))
  }

  /** The documents at these positions, in order. */
  const inDetail = async (
    found: readonly StoredDocument[],
    detail: 'light' | 'full',
  ): Promise<readonly Document[]> => {
    if (detail === 'full') return found.map(fullDocument)
    const foreign = found.filter((stored) => stored.layout !== layout.number).map(({ _id }) => _id)
    const read = foreign.length === 0 ? [] : await named(foreign, whole)
    const parted = new Map(
      read.map((stored) => {
        const document = fullDocument(stored)
        return [stored._id, { ...document, value: withoutHeavy(document.value, layout.heavy) }]
      }),
    )
    return found.flatMap((stored) => {
      if (stored.layout === layout.number) return [fullDocument(stored)]
      // A missing document was removed concurrently.
      return parted.get(stored._id) ?? []
    })
  }

  const projectionFor = (detail: 'light' | 'full'): Projection => (detail === 'full' ? whole : lightOnly)

  /** The documents of the steps: at most one more than the page size. */
  const fromAllSteps = async (
    steps: readonly Step[],
    projection: Projection,
    wanted: number,
    skip: number,
    bytes: number,
    test: ((stored: StoredDocument) => boolean) | null,
  ): Promise<{ readonly found: readonly StoredDocument[]; readonly isMore: boolean }> => {
    const found = new Map<string, StoredDocument>()
    let skipping = skip
    let size = 0
    for (const { filter, sort } of steps) {
      let isEmpty = true
      // The server sends 16 MB at a time, and stops when the loop ends.
      for await (const stored of collection.find(filter, {
        projection,
        maxTimeMS,
        ...(test === null ? { skip: skipping, limit: wanted - found.size } : {}),
        sort: new Map(sort),
      })) {
        isEmpty = false
        if (test !== null) {
          if (found.size >= wanted) break
          if (!test(stored)) continue
          if (skipping > 0) {
            skipping -= 1
            continue
          }
        }
        // One document beyond the limit in bytes shows whether more follow.
        const isLast = size >= bytes
        // A document that changes between two reads can be in both.
        if (!found.has(stored._id)) {
          found.set(stored._id, stored)
          size += stored.light.length + (stored.heavy?.length ?? 0)
        }
        if (isLast) return { found: [...found.values()], isMore: true }
      }
      if (found.size >= wanted) break
      if (test !== null) continue
      if (!isEmpty) skipping = 0
      else if (skipping > 0)
        skipping -= await collection.countDocuments(filter, { limit: skipping, maxTimeMS })
    }
    return { found: [...found.values()], isMore: found.size >= wanted }
  }

  /** How the documents of a query are read; `test` is a condition that the server does not evaluate, on `tested`. */
  const planOf = async (instance: number, query: Query) => {
    const prefixes = query.words === undefined ? [] : longPrefixes(query.words)
    const plan = pagePlan(layout, instance, query, await vocabulary.wordsWith(instance, prefixes))
    const phrases = testOfPhrases(layout, query.words)
    const ranges = testOfRanges(query.where)
    const test =
      phrases === null || ranges === null
        ? (phrases ?? ranges)
        : (stored: StoredDocument) => ranges(stored) && phrases(stored)
    const tested: Projection = {
      ...(phrases === null ? {} : { ...whole, layout: 1 }),
      ...(test === null ? {} : { keys: 1, texts: 1 }),
    }
    return { ...plan, test, tested }
  }

  /** How all documents of a selection are read; the filter is null if no document can be selected. */
  const selectionPlan = async (instance: number, selection: Selection) => {
    const query = { ...selection, order: [], skip: 0, limit: 1, detail: 'light' } as const
    const { steps, test, tested } = await planOf(instance, query)
    return { filter: steps[0]?.filter ?? null, test, tested }
  }

  return {
    get: async (instance, id) => {
      const stored = await collection.findOne({ _id: nameOf(instance, id) }, { projection: whole, maxTimeMS })
      return stored === null || isHidden(stored) ? null : fullDocument(stored)
    },
    getMany: async (instance, ids, detail) => {
      const names = new Set(ids.map((id) => nameOf(instance, id)))
      return names.size === 0 ? [] : inDetail(await named([...names], projectionFor(detail)), detail)
    },
    find: async (instance, query) => {
      const { steps, order, test, tested } = await planOf(instance, query)
      const projection = {
        ...projectionFor(query.detail),
        ...(test === null ? Object.fromEntries(order.map(({ key }) => [keyPath(key), 1])) : tested),
      }
      // One document beyond the page size shows whether more follow.
      const { skip, limit, bytes = Infinity, detail } = query
      const { found, isMore } = await fromAllSteps(steps, projection, limit + 1, skip, bytes, test)
      const shown = isMore ? found.slice(0, -1) : found
      const last = shown.at(-1)
      return {
        documents: await inDetail(shown, detail),
        next: last !== undefined && isMore ? cursorOf(order, last) : null,
      }
    },
    findTexts: async (instance, { key, range, where, after, skip, limit, detail }) => {
      const conditions = queryConditions(layout, where)
      requireTexts(layout, key)
      if (conditions === null) return { texts: [], next: null }
      const test = testOfRanges(where)
      const wanted = wellFormedRange(range)
      const start = after === undefined ? null : placeIn(after, 1)
      const begin = start === null ? wanted : { ...wanted, atLeast: String(start.values[0]) }
      const filter = { instance, $and: [hasTextIn(key, begin), ...conditions.map(filterOf)] }
      // All documents, unless they are in the order of the index.
      for (let documents = hintsOrder ? skip + limit + 1 : Infinity; ; documents *= 2) {
        const found = await collection
          .find(filter, {
            projection: { sequence: 1, ...(test === null ? { [textsPath(key)]: 1 } : { keys: 1, texts: 1 }) },
            hint: textsIndex(key),
            ...(documents === Infinity ? {} : { limit: documents }),
            maxTimeMS,
          })
          .toArray()
        const excluded = new Set(
          test === null ? [] : found.filter((each) => !test(each)).map(({ _id }) => _id),
        )
        const texts = textsOf(found, key, begin, found.length < documents).filter(
          (each) => !excluded.has(each.name) && (start === null || compareTextPlaces(each, start) > 0),
        )
        if (texts.length <= skip + limit && found.length === documents) continue
        const shown = texts.slice(skip, skip + limit)
        const names = [...new Set(shown.map(({ name }) => name))]
        const stored = names.length === 0 ? [] : await named(names, projectionFor(detail))
        const byId = new Map((await inDetail(stored, detail)).map((document) => [document.id, document]))
        const last = shown.at(-1)
        return {
          // A missing document was removed concurrently.
          texts: shown.flatMap(({ name, values: [text] }) => {
            const document = byId.get(idOf(name))
            return document === undefined ? [] : [{ text, document }]
          }),
          next: last !== undefined && texts.length > skip + limit ? cursorAt(last) : null,
        }
      }
    },
    countGroups: async (instance, key, within) => {
      const stages = groupCountStages(layout, instance, key, within)
      return stages === null
        ? []
        : readGroupCounts(collection.aggregate<CountedList>(stages, { maxTimeMS, allowDiskUse: true }))
    },
    count: async (instance, selection, limit) => {
      const { filter, test, tested } = await selectionPlan(instance, selection)
      if (filter === null) return 0
      if (test === null) return collection.countDocuments(filter, { limit, maxTimeMS })
      let count = 0
      for await (const stored of collection.find(filter, { projection: tested, maxTimeMS })) {
        if (test(stored)) count += 1
        if (count === limit) break
      }
      return count
    },
    countTexts: async (instance, keys, selection, most) => {
      const { filter, test, tested } = await selectionPlan(instance, selection)
      const textsUnder = keys.map((key) => countedTexts(layout, key))
      if (filter === null) return { oneIn: 1, documents: 0, texts: keys.map(() => []) }
      const paths = keys.map((key) => (isListType(layout.keys[key]) ? textsPath(key) : keyPath(key)))
      const projection = {
        ...tested,
        sequence: 1,
        ...(test === null ? Object.fromEntries(paths.map((path) => [path, 1])) : {}),
      }
      // FerretDB 1 does not compute with positions.
      const found: { readonly position: number; readonly texts: readonly (readonly string[])[] }[] = []
      for await (const stored of collection.find(filter, { projection, maxTimeMS })) {
        if (test !== null && !test(stored)) continue
        const value = { ...stored.keys, ...stored.texts }
        found.push({ position: stored.sequence, texts: textsUnder.map((textsIn) => textsIn(value)) })
      }
      const inSample = (oneIn: number) => found.filter(({ position }) => isSampled(position, oneIn))
      const oneIn = sampleFor(inSample(estimatingSample).length, most)
      const documents = inSample(oneIn)
      const texts = keys.map((_, i) => textCounts(documents.map((each) => each.texts[i] ?? [])))
      return { oneIn, documents: documents.length, texts }
    },
  }
}
