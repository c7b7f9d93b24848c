import {
  badParameters,
  countsOf,
  E,
  lookupsOf,
  parseCollectionQuery,
  rowOf,
  selectedFilters,
  type CollectionQuery,
  type Count,
  type Filter,
  type Json,
  type Parameters,
  type Resource,
} from '@publishing-service/domain'
import { unreadable, type Document, type DocumentStore, type Log } from '@publishing-service/ports'
import { viewerOf, type Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { Generations } from '../generations.js'
import { loadCounts } from './load-counts.js'
import { loadReferences } from './load-references.js'
import { createPageRows } from './page-rows.js'
import type { PageReader, Result } from './read-page.js'

/** One page of a collection: rows in the order of `fields`, and whether pages follow and precede it. */
export type Listing = {
  readonly items: readonly (readonly Json[])[]
  readonly page: number
  readonly hasNext: boolean
}

/** What the parameters ask for, without its page. */
const resultOf = (
  resource: Resource,
  caller: Caller,
  parameters: Parameters,
  { where, order }: CollectionQuery,
  within: readonly Filter[],
  generation: number,
): Result => ({
  collection: resource.collection,
  instance: caller.instance.number,
  where: [...within, ...where],
  order,
  key: JSON.stringify([
    caller.instance.number,
    resource.name,
    caller.role,
    generation,
    within,
    parameters['order'],
    ...Object.keys({ ...resource.filters, ...selectedFilters(resource) }).map(
      (name) => parameters[name] ?? null,
    ),
  ]),
})

/** The place of an object that can't be shown: its id and address, and nothing else. */
const gap = (resource: Resource, fields: readonly string[], { links }: Caller, id: string): readonly Json[] =>
  fields.map((name) => {
    if (name === 'uuid') return id
    return name === 'url' ? links.object(resource.collection, id) : null
  })

/** How much of each document rows with these fields need. */
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

/** A page of a collection (decisions §4): one query, and one more for each collection that the fields refer to. */
export const createListObjects = (
  documents: DocumentStore,
  generations: Generations,
  pages: PageReader,
  log: Log,
) => {
  /** `within` narrows the collection further than the parameters do. */
  return (
      resource: Resource,
      caller: Caller,
      parameters: Parameters,
      within: readonly Filter[] = [],
    ): Outcome<Listing> =>
    async () => {
      const viewer = viewerOf(caller)
      const query = parseCollectionQuery(resource, parameters, viewer, caller.strict)
      if (E.isLeft(query)) return E.left(badParameters(query.left))
      const { fields, page, rpp } = query.right
      const generation = generations.of(caller.instance.number, resource.collection).value
      const result = resultOf(resource, caller, parameters, query.right, within, generation)
      const names = [...new Set(fields)]
      const { role, now, settings } = viewer
      const { links } = caller
      const { rows, add } = createPageRows(fields)

      /** Null for what a stored state doesn't allow: one broken object doesn't fail the page. */
      const attempt = <A>({ id, value }: Document, use: () => A): A | null => {
        if (value === unreadable) return null
        try {
          return use()
        } catch (error) {
          const reason = error instanceof Error ? error.stack : String(error)
          const { collection } = resource
          log.write('error', 'broken object', { collection, instance: caller.instance.number, id, reason })
          return null
        }
      }

      const take = async (found: readonly Document[]): Promise<Failure | null> => {
        const lookups = found.flatMap(
          (document) => attempt(document, () => lookupsOf(resource, document.value, names)) ?? [],
        )
        const find = await loadReferences(documents)(caller, lookups)()
        if (E.isLeft(find)) return find.left
        const ids = found.map(({ id }) => id)
        const counted = await loadCounts(documents)(caller, countsOf(resource, names), ids)()
        if (E.isLeft(counted)) return counted.left
        for (const document of found) {
          const { id, value } = document
          // Written out: a spread of the viewer would cost more than the rest of the row.
          const view = {
            role,
            now,
            settings,
            links,
            id,
            find: find.right,
            count: (count: Count) => counted.right(count, id),
          }
          const row = attempt(document, () => rowOf(resource, fields, value, view))
          const failure = add(row ?? gap(resource, fields, caller, id))
          if (failure !== null) return failure
        }
        return null
      }

      const skip = (page - 1) * rpp
      const start = await pages.seek(result, skip)
      if (E.isLeft(start)) return start
      const detail = detailOf(resource, names)
      const hasNext = await pages.read(result, start.right, { skip, limit: rpp, detail }, take)
      return E.isLeft(hasNext) ? hasNext : E.right({ items: rows, page, hasNext: hasNext.right })
    }
}

export type ListObjects = ReturnType<typeof createListObjects>
