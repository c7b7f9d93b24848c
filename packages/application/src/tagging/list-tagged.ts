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
  type Filter,
  type Parameters,
  type TaggableCollection,
} from '@publishing-service/domain'
import type { Document, DocumentStore, PortFailure } from '@publishing-service/ports'
import { viewerOf, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import { everyPage } from '../objects/every-page.js'
import type { Listing } from '../objects/list-objects.js'
import { findVisible } from '../objects/read-object.js'

type Row = { readonly collection: TaggableCollection; readonly document: Document }

const step = 1000

/**
 * The objects that a tag is attached to by a predicate, as rows (decisions §11): content, then locations, files and
 * blogs, each in the order of creation. A page that starts behind one kind counts that kind, a thousand a query.
 */
export const listTagged = (documents: DocumentStore) => {
  const count = async (
    collection: string,
    instance: number,
    where: readonly Filter[],
  ): Promise<E.Either<PortFailure, number>> => {
    let total = 0
    const read = await everyPage(documents, collection, instance, where, step, (found) => {
      total += found.length
    })()
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
      let before = skip
      for (const collection of collections) {
        const where: readonly Filter[] = [
          { key: 'tagged_as', has: text },
          ...(resourceOf(collection)?.visibility?.(viewerOf(caller)) ?? []),
        ]
        const found = await documents.find(collection, caller.instance.number, {
          where,
          order: [],
          skip: before,
          limit: limit - rows.length,
          detail: 'light',
        })()
        if (E.isLeft(found)) return found
        rows.push(...found.right.documents.map((document) => ({ collection, document })))
        if (rows.length === limit) break
        if (rows.length > 0) before = 0
        else if (before > 0) {
          const all = await count(collection, caller.instance.number, where)
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
      TE.map((rows) => ({
        items: rows
          .slice(0, rpp)
          .map(({ collection, document: { id } }) =>
            rowOf(
              taggedIndex,
              fields,
              { collection, kind: resourceOf(collection)?.name ?? null },
              { ...viewer, id, links: caller.links, find: () => undefined },
            ),
          ),
        page,
        hasNext: rows.length > rpp,
      })),
    )
  }
}
