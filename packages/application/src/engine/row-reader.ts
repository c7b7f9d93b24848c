import { badParameters, type Resource } from '@publishing-service/domain'
import { mostJsonBytes, rowBytes, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Shape } from '@publishing-service/domain/declare'
import {
  includedAttributesOf,
  pageLimits,
  pageTooLarge,
  type CollectionQuery,
  type IncludedReference,
  type Listing,
} from '@publishing-service/domain/lists'
import { readPlan, type Lookup, type ReadPlan } from '@publishing-service/domain/engine'
import { unreadable } from '@publishing-service/ports'
import { SessionView, type Session } from '../session.js'
import type { PageLinks } from './page-links.js'
import { loadIncluded, noTargets, referencesAt, withFound } from './load-included.js'
import { loadCounts, loadReferences } from './load-related.js'

type Row = readonly Json[]

/** Collects the rows of a page. `add` throws BadParameters if they exceed the size limit of a page. */
export const createPageRows = (fields: readonly string[]) => {
  const rows: Row[] = []
  // Most pages are far below the limit, so their texts need not be read to know that.
  let most = 0
  let [measured, bytes] = [0, 0]
  return {
    rows,
    add: (row: Row): void => {
      rows.push(row)
      most += rowBytes(fields, row, mostJsonBytes)
      if (most <= pageLimits.bytes) return
      for (const each of rows.slice(measured)) bytes += rowBytes(fields, each)
      measured = rows.length
      if (bytes > pageLimits.bytes) throw badParameters(pageTooLarge)
    },
  }
}

/** The rows of a page; throws BadParameters if they exceed its size limit. */
export const pageRows = (fields: readonly string[], rows: readonly Row[]): readonly Row[] => {
  const page = createPageRows(fields)
  for (const row of rows) page.add(row)
  return page.rows
}

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
    state === unreadable ? null : session.documents.unlessDamaged(shape.collection, id, use)

  const addRows = async (found: readonly Listed[]): Promise<void> => {
    const lookups: Lookup[] = []
    const references: IncludedReference[] = []
    for (const each of found)
      unlessDamaged(each, () => {
        lookups.push(...planOf(each.shape).lookups(each.state))
        if (include.length > 0) references.push(...referencesAt(session, each.shape, each.state, include))
      })
    for (const { reference } of references) lookups.push({ reference })
    const find = await loadReferences(session, lookups)
    if (include.length > 0) targets = withFound(targets, references, find)
    const countings = [...plans].flatMap(([shape, { counts }]) => {
      const ids = counts.length === 0 ? [] : found.flatMap((each) => (each.shape === shape ? [each.id] : []))
      return counts.map((count) => ({ count, ids }))
    })
    const counted = await loadCounts(session, countings)
    for (const each of found) {
      const { shape, id, state } = each
      const view = new SessionView(session, id, { find, counted, ...searched })
      add(unlessDamaged(each, () => planOf(shape).row(state, view)) ?? unreadableRow(session, each, fields))
    }
  }

  /** The page of the rows that were added. */
  const finish = async (links: PageLinks): Promise<Listing> => {
    const included = include.length === 0 ? null : await loadIncluded(session, targets)
    return { items: rows, ...links, included, counted: null }
  }

  return { addRows, finish }
}

/** A page of objects that are loaded already. */
export const readRows = async (
  session: Session,
  query: Pick<CollectionQuery, 'fields' | 'include'>,
  found: readonly Listed[],
  links: PageLinks,
): Promise<Listing> => {
  const { addRows, finish } = createRowReader(session, query)
  await addRows(found)
  return finish(links)
}
