import { badParameters, type Resource } from '@publishing-service/domain'
import { mostTextBytes, rowBytes, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Shape } from '@publishing-service/domain/declare'
import {
  includedAttributesOf,
  pageLimits,
  pageTooLarge,
  type CollectionQuery,
  type IncludedReference,
  type Listing,
} from '@publishing-service/domain/lists'
import {
  detailOf,
  highlight,
  readPlan,
  type Detail,
  type Lookup,
  type ReadPlan,
} from '@publishing-service/domain/engine'
import { unreadable } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { SessionView, type Session } from '../session.js'
import { loadIncluded, noTargets, referencesAt, withFound } from './load-included.js'
import { loadRelated, type Counting } from './load-related.js'
import type { PageLinks } from './read-page.js'

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
      most += rowBytes(fields, row, mostTextBytes)
      if (most <= pageLimits.bytes) return
      for (const each of rows.slice(measured)) bytes += rowBytes(fields, each)
      measured = rows.length
      if (bytes > pageLimits.bytes) fail(badParameters(pageTooLarge))
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
type Shown = Pick<CollectionQuery, 'fields' | 'include' | 'restrictions'>

/** How the rows of a shape are read, and the detail that they need. */
export type RowPlan = {
  readonly shape: Shape & Pick<Resource, 'collection'>
  readonly plan: ReadPlan
  readonly detail: Detail
}

export const rowPlan = (session: Session, shape: RowPlan['shape'], { fields, include }: Shown): RowPlan => {
  const plan = readPlan(shape, session, fields)
  const { attributes } = shape
  const detail =
    include.length === 0 || plan.detail === 'full'
      ? plan.detail
      : detailOf(attributes, includedAttributesOf(shape, include))
  return { shape, plan, detail }
}

/** An object that a row shows. */
export type Listed = { readonly of: RowPlan; readonly id: string; readonly state: JsonObject }

/** The row of an object that cannot be shown: only its id and address. */
const unreadableRow = ({ links }: Session, { of: { shape }, id }: Listed, fields: readonly string[]): Row =>
  fields.map((name) => {
    if (name === 'uuid') return id
    return name === 'url' ? links.object(shape.collection, id) : null
  })

/**
 * Collects the rows of a page. Needs one query for what the fields and `include` refer to, each time that rows are added.
 */
export const createRowReader = (session: Session, { fields, include, restrictions }: Shown) => {
  const { documents } = session
  const { words } = restrictions
  const passages =
    words === undefined ? {} : { highlight: (texts: Iterable<string>) => highlight(texts, words.terms) }
  const { rows, add } = createPageRows(fields)
  let targets = noTargets

  const addRows = async (found: readonly Listed[]): Promise<void> => {
    const lookups: Lookup[] = []
    const references: IncludedReference[] = []
    const countings: Counting[] = []
    for (const { of, id, state } of found) {
      const { shape, plan } = of
      for (const count of plan.counts) countings.push({ count, id })
      if (state === unreadable) continue
      for (const lookup of plan.lookups(state)) lookups.push(lookup)
      if (include.length === 0) continue
      const included = documents.unlessDamaged(shape.collection, id, () =>
        referencesAt(session, shape, state, include),
      )
      for (const each of included ?? []) {
        references.push(each)
        lookups.push({ reference: each.reference })
      }
    }
    const { find, counted } = await loadRelated(session, lookups, countings)
    if (include.length > 0) targets = withFound(targets, references, find)
    const loaded = { find, counted, ...passages }
    for (const each of found) {
      const { of, id, state } = each
      // One damaged object does not fail the page.
      const row =
        state === unreadable
          ? null
          : documents.unlessDamaged(of.shape.collection, id, () =>
              of.plan.row(state, new SessionView(session, id, loaded)),
            )
      add(row ?? unreadableRow(session, each, fields))
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
  query: Shown,
  found: readonly Listed[],
  links: PageLinks,
): Promise<Listing> => {
  const { addRows, finish } = createRowReader(session, query)
  await addRows(found)
  return finish(links)
}
