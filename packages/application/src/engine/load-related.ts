/** What views of states need of other objects: those that they refer to, and how many refer to them. */
import { resourceOf, type Resource, type ViewContext, type Viewer } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Reference, Shape } from '@publishing-service/domain/declare'
import { maxCommentDepth } from '@publishing-service/domain/content'
import { maxSectionDepth } from '@publishing-service/domain/paths'
import { matchesFilter } from '@publishing-service/domain/filters'
import {
  findAmong,
  readPlan,
  referencesVisibleWith,
  visibilityOf,
  type Count,
  type FoundObjects,
  type Lookup,
} from '@publishing-service/domain/engine'
import { unreadable, type Document } from '@publishing-service/ports'
import type { Counted, Session } from '../session.js'

/** Steps from an object to those above it. */
const maxSteps = Math.max(maxSectionDepth, maxCommentDepth)

type ObjectKey = `${string}/${string}`

const keyOf = ({ collection, id }: Reference): ObjectKey => `${collection}/${id}`

/** Removes the objects that are visible only with others that were not found. */
const removeHidden = (
  found: Map<ObjectKey, JsonObject>,
  needed: ReadonlyMap<ObjectKey, readonly Reference[]>,
): void => {
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [key, references] of needed)
      if (!references.every((each) => found.has(keyOf(each)))) isChanged = found.delete(key) || isChanged
  }
}

/** Documents of a collection are read by this many ids at a time. */
const batchSize = 1000

/** The objects of one collection that are to be read. Each is read once. */
type Pending = {
  readonly resource: Resource
  readonly seen: Set<string>
  /** The attribute that leads on from each object. */
  chain: string | undefined
  ids: string[]
}

/** Adds an object to those that are to be read. */
const addPending = (
  pending: Map<string, Pending>,
  collection: string,
  id: string,
  chain: string | undefined,
): void => {
  let own = pending.get(collection)
  if (own === undefined) {
    const resource = resourceOf(collection)
    if (resource === undefined) return
    pending.set(collection, (own = { resource, seen: new Set(), chain, ids: [] }))
  }
  own.chain ??= chain
  if (own.seen.has(id)) return
  own.seen.add(id)
  own.ids.push(id)
}

/** Who reads, and what. */
export type Reader = Viewer & Pick<Session, 'documents'>

/** Reads the object that a reference identifies by a key. */
const loadByKey = async (
  { documents }: Reader,
  { collection, id, by }: Reference,
  detail: 'light' | 'full',
  found: Map<ObjectKey, JsonObject>,
): Promise<void> => {
  if (by === undefined || found.has(`${collection}/${id}`)) return
  const where = [{ key: by.key, equals: by.value }]
  const read = await documents.find(collection, { where, order: [], skip: 0, limit: 1, detail })
  const [document] = read.documents
  if (document !== undefined) found.set(`${collection}/${id}`, document.value)
}

/**
 * The objects of look-ups and of their chains that exist and that the caller may see. Needs one query for each
 * collection, one more for each step of a chain, and one for each look-up by a key.
 */
export const loadReferencedObjects = async (
  session: Reader,
  lookups: readonly Lookup[],
  detail: 'light' | 'full' = 'light',
): Promise<FoundObjects> => {
  const found = new Map<ObjectKey, JsonObject>()
  const needed = new Map<ObjectKey, readonly Reference[]>()
  const pending = new Map<string, Pending>()
  for (const { reference, chain } of lookups)
    if (reference.by === undefined) addPending(pending, reference.collection, reference.id, chain)
    else await loadByKey(session, reference, detail, found)
  for (let depth = 0; depth <= maxSteps; depth += 1) {
    // Concurrently, so that network latency counts once.
    const read: Pending[] = []
    const reads: Promise<readonly Document[]>[] = []
    for (const each of pending.values()) {
      const { resource, ids } = each
      for (let start = 0; start < ids.length; start += batchSize) {
        const batch = ids.length <= batchSize ? ids : ids.slice(start, start + batchSize)
        read.push(each)
        reads.push(session.documents.getMany(resource.collection, batch, detail))
      }
      each.ids = []
    }
    if (reads.length === 0) break
    for (const [index, loaded] of (await Promise.all(reads)).entries()) {
      const of = read[index]
      if (of === undefined) continue
      const { resource, chain } = of
      const { collection, visibleWith } = resource
      const visibility = visibilityOf(resource, session)
      for (const { id, value } of loaded) {
        if (!visibility.every((filter) => matchesFilter(filter, value))) continue
        found.set(`${collection}/${id}`, value)
        if (visibleWith !== undefined) {
          const references = referencesVisibleWith(resource, value, session)
          needed.set(`${collection}/${id}`, references)
          for (const each of references) addPending(pending, each.collection, each.id, undefined)
        }
        const next = chain === undefined ? null : value[chain]
        if (typeof next === 'string') addPending(pending, collection, next, chain)
      }
    }
  }
  if (needed.size > 0) removeHidden(found, needed)
  return found
}

/**
 * The documents that are visible with the objects that they need: those of other documents are not. What queries know of
 * these objects may be outdated (follow-changes.ts). Needs one query for each step from a document to what is above it.
 */
export const visibleDocuments = async (
  session: Reader,
  resource: Pick<Resource, 'attributes' | 'visibleWith'>,
  documents: readonly Document[],
): Promise<readonly Document[]> => {
  const needed = documents.map(({ value }) =>
    value === unreadable ? [] : referencesVisibleWith(resource, value, session),
  )
  const found = await loadReferencedObjects(session, lookupsOfReferences(needed.flat()))
  return documents.filter((_document, index) => needed[index]?.every((each) => found.has(keyOf(each))))
}

/** The same objects as the look-up function of a view. */
export const loadReferences = async (
  session: Reader,
  lookups: readonly Lookup[],
  detail: 'light' | 'full' = 'light',
): Promise<ViewContext['find']> => {
  return findAmong(await loadReferencedObjects(session, lookups, detail))
}

/** The look-ups that the views of states of a shape need. */
export const lookupsOfStates = (
  session: Session,
  shape: Shape,
  states: readonly JsonObject[],
): readonly Lookup[] => {
  const plan = readPlan(shape, session)
  return states.flatMap((state) => plan.lookups(state))
}

export const lookupsOfReferences = (references: readonly Reference[]): readonly Lookup[] =>
  references.map((reference) => ({ reference }))

/** Counts of an object. */
export type Counting = { readonly counts: readonly Count[]; readonly id: string }

/** The counts of objects. Reads one group count for each count and object, and no documents. */
export const loadCounts = async (
  { documents }: Session,
  countings: readonly Counting[],
): Promise<Counted> => {
  const numbers = new Map<Count, Map<string, number>>()
  const load = async (count: Count, id: string): Promise<void> => {
    const ofCount = numbers.get(count) ?? new Map<string, number>()
    numbers.set(count, ofCount)
    const { collection, key, within, text: counted } = count
    for (const { text, count: number } of await documents.countGroups(collection, key, { [within]: id }))
      if (text === counted) ofCount.set(id, number)
  }
  // Concurrently, so that network latency counts once.
  const reads: Promise<void>[] = []
  for (const { counts, id } of countings) for (const count of counts) reads.push(load(count, id))
  await Promise.all(reads)
  return numbers
}
