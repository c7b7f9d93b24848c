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
import {
  unreadable,
  type CountedGroup,
  type Document,
  type FoundRelated,
  type NamedDocuments,
} from '@publishing-service/ports'
import { countNothing, type Counted, type Session } from '../session.js'

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

/** A count of an object. */
export type Counting = { readonly count: Count; readonly id: string }

/** The numbers of documents that counts have. */
const countedBy = (countings: readonly Counting[], found: FoundRelated['counts']): Counted => {
  const numbers = new Map<Count, Map<string, number>>()
  for (const [index, { count, id }] of countings.entries()) {
    const ofCount = numbers.get(count) ?? new Map<string, number>()
    numbers.set(count, ofCount)
    for (const { text, count: number } of found[index] ?? []) if (text === count.text) ofCount.set(id, number)
  }
  return numbers
}

/**
 * The objects of look-ups and of their chains that exist and that the caller may see, and counts of objects. Needs one
 * query, one more for each step of a chain, and one for each look-up by a key. Counts read no documents.
 */
const readRelated = async (
  session: Reader,
  lookups: readonly Lookup[],
  countings: readonly Counting[],
  detail: 'light' | 'full',
): Promise<{ readonly found: FoundObjects; readonly counted: Counted }> => {
  const found = new Map<ObjectKey, JsonObject>()
  const needed = new Map<ObjectKey, readonly Reference[]>()
  const pending = new Map<string, Pending>()
  for (const { reference, chain } of lookups)
    if (reference.by === undefined) addPending(pending, reference.collection, reference.id, chain)
    else await loadByKey(session, reference, detail, found)
  let counts: readonly CountedGroup[] = countings.map(({ count: { collection, key, within }, id }) => ({
    collection,
    key,
    within: { [within]: id },
  }))
  let counted = countNothing
  for (let depth = 0; depth <= maxSteps; depth += 1) {
    const read: Pending[] = []
    const documents: NamedDocuments[] = []
    for (const each of pending.values()) {
      const { resource, ids } = each
      for (let start = 0; start < ids.length; start += batchSize) {
        const batch = ids.length <= batchSize ? ids : ids.slice(start, start + batchSize)
        read.push(each)
        documents.push({ collection: resource.collection, ids: batch, detail })
      }
      each.ids = []
    }
    if (documents.length === 0 && counts.length === 0) break
    const related = await session.documents.getRelated({ documents, counts })
    if (counts.length > 0) counted = countedBy(countings, related.counts)
    counts = []
    for (const [index, loaded] of related.documents.entries()) {
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
  return { found, counted }
}

/** The objects of look-ups and of their chains that exist and that the caller may see. */
export const loadReferencedObjects = async (
  session: Reader,
  lookups: readonly Lookup[],
  detail: 'light' | 'full' = 'light',
): Promise<FoundObjects> => (await readRelated(session, lookups, [], detail)).found

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
): Promise<ViewContext['find']> => findAmong(await loadReferencedObjects(session, lookups, detail))

/** What views need of other objects: the look-up function, and counts of objects. */
export const loadRelated = async (
  session: Reader,
  lookups: readonly Lookup[],
  countings: readonly Counting[],
): Promise<{ readonly find: ViewContext['find']; readonly counted: Counted }> => {
  const { found, counted } = await readRelated(session, lookups, countings, 'light')
  return { find: findAmong(found), counted }
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
