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

type Detail = Query['detail']

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

const projectionFor = (detail: Detail): Projection => (detail === 'full' ? whole : lightOnly)

/** Reads the documents of a collection. */
export class DocumentReader {
  readonly #documents: StoredCollection['documents']
  readonly #layout: StoredCollection['layout']
  readonly #vocabulary: StoredCollection['vocabulary']
  readonly #hintsOrder: boolean
  readonly #maxTimeMS: number

  /**
   * `hintsOrder` is whether the server returns documents in the order of the index of a hint. `maxTimeMS` is the time limit
   * of reads on the server; the store stops waiting at the same time.
   */
  constructor({ documents, layout, vocabulary }: StoredCollection, hintsOrder: boolean, maxTimeMS: number) {
    this.#documents = documents
    this.#layout = layout
    this.#vocabulary = vocabulary
    this.#hintsOrder = hintsOrder
    this.#maxTimeMS = maxTimeMS
  }

  async get(instance: number, id: string): Promise<Document | null> {
    const stored = await this.#documents.findOne(
      { _id: nameOf(instance, id) },
      { projection: whole, maxTimeMS: this.#maxTimeMS },
    )
    return stored === null || isHidden(stored) ? null : fullDocument(stored)
  }

  async getMany(instance: number, ids: readonly string[], detail: Detail): Promise<readonly Document[]> {
    const names = new Set(ids.map((id) => nameOf(instance, id)))
    return names.size === 0
      ? []
      : this.#inDetail(await this.#named([...names], projectionFor(detail)), detail)
  }

  async find(instance: number, query: Query): Promise<Page> {
    const { steps, order, test, tested } = await this.#planOf(instance, query)
    const projection = {
      ...projectionFor(query.detail),
      ...(test === null ? Object.fromEntries(order.map(({ key }) => [keyPath(key), 1])) : tested),
    }
    // One document beyond the page size shows whether more follow.
    const { skip, limit, bytes = Infinity, detail } = query
    const { found, isMore } = await this.#fromAllSteps(steps, projection, limit + 1, skip, bytes, test)
    const shown = isMore ? found.slice(0, -1) : found
    const last = shown.at(-1)
    return {
      documents: await this.#inDetail(shown, detail),
      next: last !== undefined && isMore ? cursorOf(order, last) : null,
    }
  }

  async findTexts(
    instance: number,
    { key, range, where, after, skip, limit, detail }: TextsQuery,
  ): Promise<TextsPage> {
    const conditions = queryConditions(this.#layout, where)
    requireTexts(this.#layout, key)
    if (conditions === null) return { texts: [], next: null }
    const test = testOfRanges(where)
    const wanted = wellFormedRange(range)
    const start = after === undefined ? null : placeIn(after, 1)
    const begin = start === null ? wanted : { ...wanted, atLeast: String(start.values[0]) }
    const filter = { instance, $and: [hasTextIn(key, begin), ...conditions.map(filterOf)] }
    // All documents, unless they are in the order of the index.
    for (let documents = this.#hintsOrder ? skip + limit + 1 : Infinity; ; documents *= 2) {
      const found = await this.#documents
        .find(filter, {
          projection: { sequence: 1, ...(test === null ? { [textsPath(key)]: 1 } : { keys: 1, texts: 1 }) },
          hint: textsIndex(key),
          ...(documents === Infinity ? {} : { limit: documents }),
          maxTimeMS: this.#maxTimeMS,
        })
        .toArray()
      const excluded = new Set(test === null ? [] : found.filter((each) => !test(each)).map(({ _id }) => _id))
      const texts = textsOf(found, key, begin, found.length < documents).filter(
        (each) => !excluded.has(each.name) && (start === null || compareTextPlaces(each, start) > 0),
      )
      if (texts.length <= skip + limit && found.length === documents) continue
      const shown = texts.slice(skip, skip + limit)
      const names = [...new Set(shown.map(({ name }) => name))]
      const stored = names.length === 0 ? [] : await this.#named(names, projectionFor(detail))
      const byId = new Map((await this.#inDetail(stored, detail)).map((document) => [document.id, document]))
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
  }

  async countGroups(
    instance: number,
    key: string,
    within: Readonly<Record<string, Json>>,
  ): Promise<readonly TextCount[]> {
    const stages = groupCountStages(this.#layout, instance, key, within)
    return stages === null
      ? []
      : readGroupCounts(
          this.#documents.aggregate<CountedList>(stages, { maxTimeMS: this.#maxTimeMS, allowDiskUse: true }),
        )
  }

  async count(instance: number, selection: Selection, limit: number): Promise<number> {
    const { filter, test, tested } = await this.#selectionPlan(instance, selection)
    if (filter === null) return 0
    if (test === null) return this.#documents.countDocuments(filter, { limit, maxTimeMS: this.#maxTimeMS })
    let count = 0
    for await (const stored of this.#documents.find(filter, {
      projection: tested,
      maxTimeMS: this.#maxTimeMS,
    })) {
      if (test(stored)) count += 1
      if (count === limit) break
    }
    return count
  }

  async countTexts(
    instance: number,
    keys: readonly string[],
    selection: Selection,
    most: number,
  ): Promise<CountedTexts> {
    const { filter, test, tested } = await this.#selectionPlan(instance, selection)
    const textsUnder = keys.map((key) => countedTexts(this.#layout, key))
    if (filter === null) return { oneIn: 1, documents: 0, texts: keys.map(() => []) }
    const paths = keys.map((key) => (isListType(this.#layout.keys[key]) ? textsPath(key) : keyPath(key)))
    const projection = {
      ...tested,
      sequence: 1,
      ...(test === null ? Object.fromEntries(paths.map((path) => [path, 1])) : {}),
    }
    // FerretDB 1 does not compute with positions.
    const found: { readonly position: number; readonly texts: readonly (readonly string[])[] }[] = []
    for await (const stored of this.#documents.find(filter, { projection, maxTimeMS: this.#maxTimeMS })) {
      if (test !== null && !test(stored)) continue
      const value = { ...stored.keys, ...stored.texts }
      found.push({ position: stored.sequence, texts: textsUnder.map((textsIn) => textsIn(value)) })
    }
    const inSample = (oneIn: number) => found.filter(({ position }) => isSampled(position, oneIn))
    const oneIn = sampleFor(inSample(estimatingSample).length, most)
    const documents = inSample(oneIn)
    const texts = keys.map((_, i) => textCounts(documents.map((each) => each.texts[i] ?? [])))
    return { oneIn, documents: documents.length, texts }
  }

  async #named(names: readonly string[], projection: Projection): Promise<StoredDocument[]> {
    const found = await this.#documents
      .find({ _id: { $in: [...names] } }, { projection, maxTimeMS: this.#maxTimeMS })
      .toArray()
    return found.filter((stored) => !isHidden(stored))
  }

  /** The documents at these positions, in order. */
  async #inDetail(found: readonly StoredDocument[], detail: Detail): Promise<readonly Document[]> {
    if (detail === 'full') return found.map(fullDocument)
    const foreign = found.filter((stored) => stored.layout !== this.#layout.number).map(({ _id }) => _id)
    const read = foreign.length === 0 ? [] : await this.#named(foreign, whole)
    const parted = new Map(
      read.map((stored) => {
        const document = fullDocument(stored)
        return [stored._id, { ...document, value: withoutHeavy(document.value, this.#layout.heavy) }]
      }),
    )
    return found.flatMap((stored) => {
      if (stored.layout === this.#layout.number) return [fullDocument(stored)]
      // A missing document was removed concurrently.
      return parted.get(stored._id) ?? []
    })
  }

  /** The documents of the steps: at most one more than the page size. */
  async #fromAllSteps(
    steps: readonly Step[],
    projection: Projection,
    wanted: number,
    skip: number,
    bytes: number,
    test: ((stored: StoredDocument) => boolean) | null,
  ): Promise<{ readonly found: readonly StoredDocument[]; readonly isMore: boolean }> {
    const found = new Map<string, StoredDocument>()
    let skipping = skip
    let size = 0
    for (const { filter, sort } of steps) {
      let isEmpty = true
      // The server sends 16 MB at a time, and stops when the loop ends.
      for await (const stored of this.#documents.find(filter, {
        projection,
        maxTimeMS: this.#maxTimeMS,
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
        skipping -= await this.#documents.countDocuments(filter, {
          limit: skipping,
          maxTimeMS: this.#maxTimeMS,
        })
    }
    return { found: [...found.values()], isMore: found.size >= wanted }
  }

  /** How the documents of a query are read; `test` is a condition that the server does not evaluate, on `tested`. */
  async #planOf(instance: number, query: Query) {
    const prefixes = query.words === undefined ? [] : longPrefixes(query.words)
    const plan = pagePlan(this.#layout, instance, query, await this.#vocabulary.wordsWith(instance, prefixes))
    const phrases = testOfPhrases(this.#layout, query.words)
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
  async #selectionPlan(instance: number, selection: Selection) {
    const query = { ...selection, order: [], skip: 0, limit: 1, detail: 'light' } as const
    const { steps, test, tested } = await this.#planOf(instance, query)
    return { filter: steps[0]?.filter ?? null, test, tested }
  }
}
