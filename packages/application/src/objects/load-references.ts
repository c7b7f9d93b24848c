import {
  E,
  findAmong,
  lookupsOf,
  maxSectionDepth,
  matchesFilter,
  pipe,
  resourceOf,
  TE,
  type FoundObjects,
  type JsonObject,
  type Lookup,
  type Reference,
  type Shape,
  type View,
} from '@publishing-service/domain'
import { viewerOf } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'
import { batchesOf } from './batches-of.js'

type Ids = Map<string, Set<string>>

/**
 * The objects of look-ups and of their chains that exist and that the caller may see. Needs one query for each
 * collection, one more for each step of a chain, and one for each look-up by a key.
 */
export const loadReferencedObjects =
  (session: Session, lookups: readonly Lookup[], detail: 'light' | 'full' = 'light'): Outcome<FoundObjects> =>
  async () => {
    const { documents } = session
    const found = new Map<`${string}/${string}`, JsonObject>()
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
    for (let depth = 0; pending.size > 0 && depth <= maxSectionDepth; depth += 1) {
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
        const visibility = resourceOf(collection)?.visibility?.(viewer) ?? []
        const chain = chains.get(collection)
        for (const { id, value } of outcome.right) {
          if (!visibility.every((filter) => matchesFilter(filter, value))) continue
          found.set(`${collection}/${id}`, value)
          const next = chain === undefined ? null : value[chain]
          if (typeof next === 'string') enqueue(collection, next)
        }
      }
    }
    return E.right(found)
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
