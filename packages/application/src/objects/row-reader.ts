import type { Resource } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Shape } from '@publishing-service/domain/declare'
import {
  includedAttributesOf,
  type CollectionQuery,
  type IncludedReference,
  type Listing,
} from '@publishing-service/domain/lists'
import { readPlan, type Count, type Lookup, type ReadPlan } from '@publishing-service/domain/engine'
import { unreadable } from '@publishing-service/ports'
import { SessionView } from '../caller.js'
import type { Session } from '../session.js'
import { skipIfDamaged } from './damaged-object.js'
import { loadCounts, type Counted } from './load-counts.js'
import { loadIncluded, noTargets, referencesAt, withFound } from './load-included.js'
import { loadReferences, lookupsOfReferences } from './load-references.js'
import { createPageRows } from './page-rows.js'

/** What rows show of the objects of a query. */
type Shown = Pick<CollectionQuery, 'fields' | 'include'> & Partial<Pick<CollectionQuery, 'terms'>>

/** The row of an object that cannot be shown: only its id and address. */
const unreadableRow = (
  { links }: Session,
  { shape, id }: Listed,
  fields: readonly string[],
): readonly Json[] =>
  fields.map((name) => {
    if (name === 'uuid') return id
    return name === 'url' ? links.object(shape.collection, id) : null
  })

/** The detail that rows need. */
export const detailOf = (
  shape: Pick<Resource, 'attributes'>,
  { fields, include }: Shown,
): 'light' | 'full' =>
  [...fields, ...includedAttributesOf(shape, include)].some((name) => {
    const attribute = shape.attributes[name]
    return attribute?.kind === 'stored'
      ? attribute.heavy
      : attribute?.kind === 'derived' && attribute.readsHeavy
  })
    ? 'full'
    : 'light'

/** An object that a row shows. */
export type Listed = {
  readonly shape: Shape & Pick<Resource, 'collection'>
  readonly id: string
  readonly state: JsonObject
}

/**
 * Collects the rows of a page. Needs one query for each collection that the fields or `include` refer to, each time that
 * rows are added.
 */
export const createRowReader = (session: Session, { fields, include, terms = null }: Shown) => {
  const searched = terms === null ? {} : { terms }
  const plans = new Map<Shape, ReadPlan>()
  const { rows, add } = createPageRows(fields)
  let targets = noTargets

  const planOf = (shape: Shape): ReadPlan => {
    let plan = plans.get(shape)
    if (plan === undefined) plans.set(shape, (plan = readPlan(shape, session, fields)))
    return plan
  }

  /** Null if the stored state is invalid, so that one damaged object does not fail the page. */
  const unlessDamaged = <A>({ shape, id, state }: Listed, use: () => A): A | null =>
    state === unreadable ? null : skipIfDamaged(session, shape.collection, id, use)

  /** The numbers that the rows of a shape show. */
  const countsOf = async (shape: Shape, found: readonly Listed[]) => {
    const { counts } = planOf(shape)
    const ids = counts.length === 0 ? [] : found.flatMap((each) => (each.shape === shape ? [each.id] : []))
    return loadCounts(session, counts, ids)
  }

  const addRows = async (found: readonly Listed[]): Promise<void> => {
    const lookups: Lookup[] = []
    const references: IncludedReference[] = []
    for (const each of found)
      unlessDamaged(each, () => {
        lookups.push(...planOf(each.shape).lookups(each.state))
        if (include.length > 0) references.push(...referencesAt(session, each.shape, each.state, include))
      })
    lookups.push(...lookupsOfReferences(references.map(({ reference }) => reference)))
    const find = await loadReferences(session, lookups)
    if (include.length > 0) targets = withFound(targets, references, find)
    const counts = new Map<Shape, Counted>()
    for (const shape of plans.keys()) counts.set(shape, await countsOf(shape, found))
    for (const each of found) {
      const { shape, id, state } = each
      const count = (counted: Count) => counts.get(shape)?.(counted, id) ?? 0
      const view = new SessionView(session, id, { find, count, ...searched })
      add(unlessDamaged(each, () => planOf(shape).row(state, view)) ?? unreadableRow(session, each, fields))
    }
  }

  /** The page of the rows that were added. */
  const finish = async (page: number, hasNext: boolean): Promise<Listing> => {
    const included = include.length === 0 ? null : await loadIncluded(session, targets)
    return { items: rows, page, hasNext, included }
  }

  return { addRows, finish }
}

/** A page of objects that are loaded already. */
export const readRows = async (
  session: Session,
  query: Pick<CollectionQuery, 'fields' | 'include' | 'page'>,
  found: readonly Listed[],
  hasNext: boolean,
): Promise<Listing> => {
  const { addRows, finish } = createRowReader(session, query)
  await addRows(found)
  return finish(query.page, hasNext)
}
