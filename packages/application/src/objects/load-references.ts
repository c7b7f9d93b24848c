import { resourceOf, type Resource, type ViewContext } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Reference, Shape } from '@publishing-service/domain/declare'
import { maxCommentDepth } from '@publishing-service/domain/content'
import { maxSectionDepth } from '@publishing-service/domain/paths'
import { matchesFilter } from '@publishing-service/domain/lists'
import {
  findAmong,
  readPlan,
  referencesVisibleWith,
  type FoundObjects,
  type Lookup,
} from '@publishing-service/domain/engine'
import { unreadable, type Document } from '@publishing-service/ports'
import type { Session } from '../session.js'

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

/** The objects that are to be read, by collection. Each is read once. */
class Pending {
  readonly #seen = new Set<ObjectKey>()
  #ids = new Map<string, string[]>()

  add(collection: string, id: string): void {
    if (this.#seen.has(`${collection}/${id}`) || resourceOf(collection) === undefined) return
    this.#seen.add(`${collection}/${id}`)
    const ids = this.#ids.get(collection)
    if (ids === undefined) this.#ids.set(collection, [id])
    else ids.push(id)
  }

  /** Those that were added since the last call. */
  take(): ReadonlyMap<string, readonly string[]> {
    const ids = this.#ids
    this.#ids = new Map()
    return ids
  }
}

/** Reads the object that a reference identifies by a key. */
const loadByKey = async (
  { documents }: Session,
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
  session: Session,
  lookups: readonly Lookup[],
  detail: 'light' | 'full' = 'light',
): Promise<FoundObjects> => {
  const found = new Map<ObjectKey, JsonObject>()
  const needed = new Map<ObjectKey, readonly Reference[]>()
  const chains = new Map<string, string>()
  const pending = new Pending()
  for (const { reference, chain } of lookups) {
    if (chain !== undefined) chains.set(reference.collection, chain)
    if (reference.by === undefined) pending.add(reference.collection, reference.id)
    else await loadByKey(session, reference, detail, found)
  }
  let current = pending.take()
  for (let depth = 0; current.size > 0 && depth <= maxSteps; depth += 1) {
    // Concurrently, so that network latency counts once.
    const collections: string[] = []
    const reads: Promise<readonly Document[]>[] = []
    for (const [collection, ids] of current)
      for (let start = 0; start < ids.length; start += batchSize) {
        const batch = ids.length <= batchSize ? ids : ids.slice(start, start + batchSize)
        collections.push(collection)
        reads.push(session.documents.getMany(collection, batch, detail))
      }
    for (const [index, loaded] of (await Promise.all(reads)).entries()) {
      const collection = collections[index] ?? ''
      const resource = resourceOf(collection)
      const visibility = resource?.visibility?.(session) ?? []
      const chain = chains.get(collection)
      for (const { id, value } of loaded) {
        if (visibility.length > 0 && !visibility.every((filter) => matchesFilter(filter, value))) continue
        found.set(`${collection}/${id}`, value)
        if (resource?.visibleWith !== undefined) {
          const references = referencesVisibleWith(resource, value, session)
          needed.set(`${collection}/${id}`, references)
          for (const each of references) pending.add(each.collection, each.id)
        }
        const next = chain === undefined ? null : value[chain]
        if (typeof next === 'string') pending.add(collection, next)
      }
    }
    current = pending.take()
  }
  if (needed.size > 0) removeHidden(found, needed)
  return found
}

/**
 * The documents that are visible with the objects that they need: those of other documents are not. What queries know of
 * these objects may be outdated (follow-changes.ts). Needs one query for each step from a document to what is above it.
 */
export const visibleDocuments = async (
  session: Session,
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
  session: Session,
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
