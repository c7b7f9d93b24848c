import {
  badParameters,
  E,
  parseCollectionQuery,
  pipe,
  rowOf,
  TE,
  type CollectionQuery,
  type Filter,
  type Json,
  type Parameters,
  type Resource,
} from '@publishing-service/domain'
import type { Cursor, DocumentStore, Page } from '@publishing-service/ports'
import { createBoundedMap } from '../bounded-map.js'
import { viewerOf, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { Generations } from '../generations.js'
import { loadReferences, lookupsOfStates } from './load-references.js'

/** One page of a collection: rows in the order of `fields`, and whether pages follow and precede it. */
export type Listing = {
  readonly items: readonly (readonly Json[])[]
  readonly page: number
  readonly hasNext: boolean
}

/** How many places between pages are remembered, so that a walk through a collection stays linear. */
const rememberedPlaces = 2000

/** A walk's name: everything that decides which rows stand where, but the page. */
const walkName = (
  resource: Resource,
  caller: Caller,
  parameters: Parameters,
  rpp: number,
  generation: number,
  within: readonly Filter[],
): string =>
  JSON.stringify([
    caller.instance.number,
    resource.collection,
    caller.role,
    generation,
    rpp,
    within,
    parameters['order'],
    ...Object.keys(resource.filters).map((name) => parameters[name] ?? null),
  ])

/** A page of a collection (decisions §4): one query, and one more for each collection that the fields refer to. */
export const createListObjects = (documents: DocumentStore, generations: Generations) => {
  const places = createBoundedMap<string, Cursor>(rememberedPlaces)

  const findPage = (
    resource: Resource,
    caller: Caller,
    query: CollectionQuery,
    parameters: Parameters,
    within: readonly Filter[],
  ): Outcome<Page> => {
    const { page, rpp, where, order, fields } = query
    const generation = generations.of(caller.instance.number, resource.collection).value
    const walk = walkName(resource, caller, parameters, rpp, generation, within)
    const start = page === 1 ? undefined : places.get(`${walk} ${page}`)
    const heavy = fields.some((name) => {
      const attribute = resource.attributes[name]
      return attribute?.kind === 'stored' && attribute.heavy
    })
    return pipe(
      documents.find(resource.collection, caller.instance.number, {
        where: [...within, ...where],
        order,
        ...(start === undefined ? { skip: (page - 1) * rpp } : { after: start, skip: 0 }),
        limit: rpp,
        detail: heavy ? 'full' : 'light',
      }),
      TE.map((found) => {
        if (found.next !== null) places.set(`${walk} ${page + 1}`, found.next)
        return found
      }),
    )
  }

  /** `within` narrows the collection beside what the parameters ask for. */
  return (
    resource: Resource,
    caller: Caller,
    parameters: Parameters,
    within: readonly Filter[] = [],
  ): Outcome<Listing> => {
    const viewer = viewerOf(caller)
    const query = parseCollectionQuery(resource, parameters, viewer, caller.strict)
    if (E.isLeft(query)) return TE.left(badParameters(query.left))
    const { fields, page } = query.right
    const { role, now, settings } = viewer
    const { links } = caller
    return pipe(
      findPage(resource, caller, query.right, parameters, within),
      TE.chain(({ documents: rows, next }) =>
        pipe(
          loadReferences(documents)(
            caller,
            lookupsOfStates(
              resource,
              rows.map(({ value }) => value),
              fields,
            ),
          ),
          TE.map((find) => ({
            items: rows.map(({ id, value }) =>
              // Written out: a spread of the viewer would cost more than the rest of the row.
              rowOf(resource, fields, value, { role, now, settings, links, id, find }),
            ),
            page,
            hasNext: next !== null,
          })),
        ),
      ),
    )
  }
}

export type ListObjects = ReturnType<typeof createListObjects>
