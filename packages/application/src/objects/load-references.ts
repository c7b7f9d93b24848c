import {
  E,
  findAmong,
  lookupsOf,
  maxCommentDepth,
  maxSectionDepth,
  matchesFilter,
  pipe,
  referencesVisibleWith,
  resourceOf,
  TE,
  type FoundObjects,
  type JsonObject,
  type Lookup,
  type Reference,
  type Resource,
  type Shape,
  type TaskEither,
  type View,
} from '@publishing-service/domain'
import { unreadable, type Document, type PortFailure } from '@publishing-service/ports'
import { viewerOf } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'
import { batchesOf } from './batches-of.js'

type Ids = Map<string, Set<string>>

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

/**
 * The objects of look-ups and of their chains that exist and that the caller may see. Needs one query for each
 * collection, one more for each step of a chain, and one for each look-up by a key.
 */
const loadObjects =
  (
    session: Session,
    lookups: readonly Lookup[],
    detail: 'light' | 'full' = 'light',
  ): TaskEither<PortFailure, FoundObjects> =>
  async () => {
    const { documents } = session
    const found = new Map<ObjectKey, JsonObject>()
    const needed = new Map<ObjectKey, readonly Reference[]>()
    if (lookups.length === 0) return E.right(found)
    const seen = new Set<string>()
    const viewer = viewerOf(session)
    const chains = new Map<string, string>()
    for (const { reference, chain } of lookups)
      if (chain !== undefined) chains.set(reference.collection, chain)
    let pending: Ids = new Map()
    const named = lookups.flatMap(({ reference: { by, collection, id } }) =>
      by === undefined ? [] : [{ collection, id, ...by }],
    )
    const enqueue = (collection: string, id: string) => {
      if (seen.has(`${collection}/${id}`) || resourceOf(collection) === undefined) return
      seen.add(`${collection}/${id}`)
      const ids = pending.get(collection)
      if (ids === undefined) pending.set(collection, new Set([id]))
      else ids.add(id)
    }
    for (const { reference } of lookups)
      if (reference.by === undefined) enqueue(reference.collection, reference.id)
    for (const { collection, id, key, value } of new Map(named.map((each) => [each.id, each])).values()) {
      const outcome = await documents.find(collection, {
        where: [{ key, equals: value }],
        order: [],
        skip: 0,
        limit: 1,
        detail,
      })()
      if (E.isLeft(outcome)) return outcome
      const [document] = outcome.right.documents
      if (document !== undefined) found.set(`${collection}/${id}`, document.value)
    }
    for (let depth = 0; pending.size > 0 && depth <= maxSteps; depth += 1) {
      const current = pending
      pending = new Map()
      // Concurrently, so that network latency counts once.
      const loaded = await Promise.all(
        [...current].flatMap(([collection, ids]) =>
          batchesOf([...ids], 1000).map(async (batch) => ({
            collection,
            outcome: await documents.getMany(collection, batch, detail)(),
          })),
        ),
      )
      for (const { collection, outcome } of loaded) {
        if (E.isLeft(outcome)) return outcome
        const resource = resourceOf(collection)
        const visibility = resource?.visibility?.(viewer) ?? []
        const chain = chains.get(collection)
        for (const { id, value } of outcome.right) {
          if (!visibility.every((filter) => matchesFilter(filter, value))) continue
          found.set(`${collection}/${id}`, value)
          if (resource?.visibleWith !== undefined) {
            const references = referencesVisibleWith(resource, value, viewer)
            needed.set(`${collection}/${id}`, references)
            for (const each of references) enqueue(each.collection, each.id)
          }
          const next = chain === undefined ? null : value[chain]
          if (typeof next === 'string') enqueue(collection, next)
        }
      }
    }
    removeHidden(found, needed)
    return E.right(found)
  }

export const loadReferencedObjects: (
  session: Session,
  lookups: readonly Lookup[],
  detail?: 'light' | 'full',
) => Outcome<FoundObjects> = loadObjects

/**
 * The documents that are visible with the objects that they need: those of other documents are not. What queries know of
 * these objects may be outdated (follow-changes.ts). Needs one query for each step from a document to what is above it.
 */
export const visibleDocuments =
  (
    session: Session,
    resource: Pick<Resource, 'attributes' | 'visibleWith'>,
    documents: readonly Document[],
  ): TaskEither<PortFailure, readonly Document[]> =>
  async () => {
    const viewer = viewerOf(session)
    const needed = documents.map(({ value }) =>
      value === unreadable ? [] : referencesVisibleWith(resource, value, viewer),
    )
    const found = await loadObjects(session, lookupsOfReferences(needed.flat()))()
    if (E.isLeft(found)) return found
    return E.right(
      documents.filter((_document, index) => needed[index]?.every((each) => found.right.has(keyOf(each)))),
    )
  }

/** The same objects as the look-up function of a view. */
export const loadReferences = (
  session: Session,
  lookups: readonly Lookup[],
  detail: 'light' | 'full' = 'light',
): Outcome<View['find']> => pipe(loadReferencedObjects(session, lookups, detail), TE.map(findAmong))

export const lookupsOfStates = (
  shape: Shape,
  states: readonly JsonObject[],
  names?: readonly string[],
): readonly Lookup[] => states.flatMap((state) => lookupsOf(shape, state, names))

export const lookupsOfReferences = (references: readonly Reference[]): readonly Lookup[] =>
  references.map((reference) => ({ reference }))
