import {
  badParameters,
  collectionsTaking,
  E,
  isPredicate,
  notFound,
  parseCollectionQuery,
  pipe,
  resourceOf,
  rowOf,
  tag,
  taggedAs,
  taggedIndex,
  TE,
  type Parameters,
  type TaggableCollection,
} from '@publishing-service/domain'
import type { Document, DocumentStore, PortFailure } from '@publishing-service/ports'
import { viewerOf, viewBy, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { Generations } from '../generations.js'
import { everyPage } from '../objects/every-page.js'
import type { Listing } from '../objects/list-objects.js'
import { pageRows } from '../objects/page-rows.js'
import type { PageReader, Position, Result } from '../objects/read-page.js'
import { findVisible } from '../objects/read-object.js'

type Row = { readonly collection: TaggableCollection; readonly id: string }

/** Documents that one query counts. */
const step = 1000

/**
 * The objects that a tag is attached to by a predicate, as rows (decisions §11): content, then locations, files and
 * blogs, each in the order of creation.
 */
export const listTagged = (documents: DocumentStore, generations: Generations, pages: PageReader) => {
  const countBehind = async (
    { collection, instance, where }: Result,
    { after, passed }: Position,
  ): Promise<E.Either<PortFailure, number>> => {
    let total = passed
    const count = (found: readonly Document[]): void => {
      total += found.length
    }
    const read = await everyPage(documents, collection, instance, where, step, count, after)()
    return E.isLeft(read) ? read : E.right(total)
  }

  const collect =
    (
      caller: Caller,
      collections: readonly TaggableCollection[],
      text: string,
      skip: number,
      limit: number,
    ): Outcome<readonly Row[]> =>
    async () => {
      const rows: Row[] = []
      const instance = caller.instance.number
      let before = skip
      for (const collection of collections) {
        const visible = resourceOf(collection)?.visibility?.(viewerOf(caller)) ?? []
        const generation = generations.of(instance, collection).value
        const result: Result = {
          collection,
          instance,
          where: [{ key: 'tagged_as', has: text }, ...visible],
          order: [],
          key: JSON.stringify(['tagged', instance, collection, caller.role, generation, text]),
        }
        const start = await pages.seek(result, before)
        if (E.isLeft(start)) return start
        const wanted = { skip: before, limit: limit - rows.length, detail: 'light' } as const
        const read = await pages.read(result, start.right, wanted, async (found) => {
          rows.push(...found.map(({ id }) => ({ collection, id })))
          return null
        })
        if (E.isLeft(read)) return read
        if (rows.length === limit) break
        if (rows.length > 0) before = 0
        else if (before > 0) {
          const all = await countBehind(result, start.right)
          if (E.isLeft(all)) return all
          before -= all.right
        }
      }
      return E.right(rows)
    }

  return (caller: Caller, tagId: string, predicate: string, parameters: Parameters): Outcome<Listing> => {
    if (!isPredicate(predicate)) return TE.left(notFound)
    const viewer = viewerOf(caller)
    const query = parseCollectionQuery(taggedIndex, parameters, viewer, caller.strict)
    if (E.isLeft(query)) return TE.left(badParameters(query.left))
    const { fields, page, rpp } = query.right
    const collections = collectionsTaking(predicate)
    return pipe(
      findVisible(documents)(tag, caller, tagId),
      TE.chain(() => collect(caller, collections, taggedAs(predicate, tagId), (page - 1) * rpp, rpp + 1)),
      TE.chainEitherKW((rows) => {
        const shown = rows
          .slice(0, rpp)
          .map(({ collection, id }) =>
            rowOf(
              taggedIndex,
              fields,
              { collection, kind: resourceOf(collection)?.name ?? null },
              viewBy(caller, id),
            ),
          )
        return pipe(
          pageRows(fields, shown),
          E.map((items) => ({ items, page, hasNext: rows.length > rpp })),
        )
      }),
    )
  }
}
