import {
  badParameters,
  countsOf,
  E,
  locationTypesReference,
  lookupsOf,
  parseCollectionQuery,
  rowOf,
  selectedFilters,
  tagsNamedIn,
  typesNamedIn,
  typesToLoad,
  withExistingTags,
  withLocationTypes,
  type CollectionQuery,
  type Count,
  type Filter,
  type Json,
  type Parameters,
  type Resource,
} from '@publishing-service/domain'
import { unreadable, type Document } from '@publishing-service/ports'
import { viewerOf } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { Operation, Session } from '../operation.js'
import { loadCounts, type Counted } from './load-counts.js'
import { loadReferences, lookupsOfReferences } from './load-references.js'
import { createPageRows } from './page-rows.js'
import { documentsMeeting, type PagedQuery } from './read-page.js'

/** One page of a collection: rows in the order of `fields`, and whether pages follow and precede it. */
export type Listing = {
  readonly items: readonly (readonly Json[])[]
  readonly page: number
  readonly hasNext: boolean
}

/** The conditions with tags instead of the location types that they name. Needs two queries if they name any. */
const loadTypes =
  (session: Session, where: readonly Filter[]): Outcome<readonly Filter[]> =>
  async () => {
    const names = typesNamedIn(where)
    if (names.length === 0) return E.right(where)
    const category = await loadReferences(session, lookupsOfReferences([locationTypesReference]))()
    if (E.isLeft(category)) return category
    const types = typesToLoad(names, category.right)
    const tags = await loadReferences(session, lookupsOfReferences(types))()
    return E.isLeft(tags) ? tags : E.right(withLocationTypes(where, types, tags.right))
  }

/** The conditions of a query, in which a tag that does not exist matches nothing. Needs one query if tags are named. */
export const loadConditions =
  (session: Session, where: readonly Filter[]): Outcome<readonly Filter[]> =>
  async () => {
    const references = tagsNamedIn(where)
    const found = await loadReferences(session, lookupsOfReferences(references))()
    return E.isLeft(found)
      ? found
      : loadTypes(
          session,
          withExistingTags(where, (tag) => found.right('tags', tag) !== undefined),
        )()
  }

/** The result of a query, without its page. */
export const pagedQueryOf = (
  { documents, instance, role, writesTo }: Session,
  resource: Pick<Resource, 'collection' | 'name' | 'orders' | 'filters' | 'subcollections' | 'attributes'>,
  parameters: Parameters,
  { where, order }: Pick<CollectionQuery, 'where' | 'order'>,
  within: readonly Filter[],
): PagedQuery => ({
  find: documentsMeeting(documents, resource.collection, { where: [...within, ...where], order }),
  key: JSON.stringify([
    instance.number,
    resource.name,
    role,
    writesTo(resource.collection),
    within,
    tagsNamedIn(where).map(({ id }) => id),
    parameters['order'],
    ...Object.keys({ ...resource.filters, ...selectedFilters(resource) }).map(
      (name) => parameters[name] ?? null,
    ),
  ]),
})

/** The row of an object that cannot be shown: only its id and address. */
const unreadableRow = (
  { links }: Session,
  resource: Resource,
  fields: readonly string[],
  id: string,
): readonly Json[] =>
  fields.map((name) => {
    if (name === 'uuid') return id
    return name === 'url' ? links.object(resource.collection, id) : null
  })

/** The detail that rows with these fields need. */
export const detailOf = (
  { attributes }: Pick<Resource, 'attributes'>,
  fields: readonly string[],
): 'light' | 'full' =>
  fields.some((name) => {
    const attribute = attributes[name]
    return attribute?.kind === 'stored' && attribute.heavy
  })
    ? 'full'
    : 'light'

/** An object that a row shows, with its resource. */
export type Listed = { readonly resource: Resource; readonly document: Document }

/**
 * Collects the rows of a page. Needs one query for each collection that the fields refer to, each time that rows are
 * added.
 */
export const createRowReader = (session: Session, fields: readonly string[]) => {
  const { instance, links, log } = session
  const names = [...new Set(fields)]
  const { role, now, settings } = viewerOf(session)
  const { rows, add } = createPageRows(fields)

  /** Null if the stored state is invalid, so that one damaged object does not fail the page. */
  const attempt = <A>({ resource, document: { id, value } }: Listed, use: () => A): A | null => {
    if (value === unreadable) return null
    try {
      return use()
    } catch (error) {
      const reason = error instanceof Error ? error.stack : String(error)
      const { collection } = resource
      log.write('error', 'damaged object', { collection, instance: instance.number, id, reason })
      return null
    }
  }

  const addRows = async (found: readonly Listed[]): Promise<Failure | null> => {
    const lookups = found.flatMap(
      (each) => attempt(each, () => lookupsOf(each.resource, each.document.value, names)) ?? [],
    )
    const find = await loadReferences(session, lookups)()
    if (E.isLeft(find)) return find.left
    const counts = new Map<Resource, Counted>()
    for (const resource of new Set(found.map((each) => each.resource))) {
      const ids = found.filter((each) => each.resource === resource).map(({ document: { id } }) => id)
      const counted = await loadCounts(session, countsOf(resource, names), ids)()
      if (E.isLeft(counted)) return counted.left
      counts.set(resource, counted.right)
    }
    for (const each of found) {
      const { resource, document } = each
      const { id, value } = document
      // Written out, because a spread of the viewer costs more than the rest of the row.
      const view = {
        role,
        now,
        settings,
        links,
        id,
        find: find.right,
        count: (count: Count) => counts.get(resource)?.(count, id) ?? 0,
      }
      const row = attempt(each, () => rowOf(resource, fields, value, view))
      const failure = add(row ?? unreadableRow(session, resource, fields, id))
      if (failure !== null) return failure
    }
    return null
  }

  return { rows, addRows }
}

/**
 * A page of the objects that also meet `within` (docs/behaviour/collections.md). Needs one query, and one more
 * for each collection that the fields refer to.
 */
export const listPage =
  (
    session: Session,
    resource: Resource,
    parameters: Parameters,
    within: readonly Filter[] = [],
  ): Outcome<Listing> =>
  async () => {
    const { pages } = session
    const query = parseCollectionQuery(resource, parameters, viewerOf(session), session.strict)
    if (E.isLeft(query)) return E.left(badParameters(query.left))
    const { fields, order, page, rpp } = query.right
    const where = await loadConditions(session, query.right.where)()
    if (E.isLeft(where)) return where
    const result = pagedQueryOf(session, resource, parameters, { where: where.right, order }, within)
    const { rows, addRows } = createRowReader(session, fields)
    const skip = (page - 1) * rpp
    const start = await pages.seek(result, skip)
    if (E.isLeft(start)) return start
    const wanted = { skip, limit: rpp, detail: detailOf(resource, fields) }
    const hasNext = await pages.read(result, start.right, wanted, (found) =>
      addRows(found.map((document) => ({ resource, document }))),
    )
    return E.isLeft(hasNext) ? hasNext : E.right({ items: rows, page, hasNext: hasNext.right })
  }

/** A page of a collection. */
export const listObjects = (resource: Resource): Operation<{ readonly parameters: Parameters }, Listing> => ({
  name: 'listObjects',
  subject: resource.collection,
  action: 'read',
  isTimed: resource.timed === true,
  run: (session, { parameters }) => listPage(session, resource, parameters),
})
