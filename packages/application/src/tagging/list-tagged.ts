import {
  badParameters,
  collectionsAccepting,
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
import type { Document, PortFailure } from '@publishing-service/ports'
import { viewerOf, viewBy } from '../caller.js'
import type { Outcome } from '../failure.js'
import { forEachPage } from '../objects/for-each-page.js'
import type { Listing } from '../objects/list-objects.js'
import { pageRows } from '../objects/page-rows.js'
import type { Position, PagedQuery } from '../objects/read-page.js'
import { findVisible } from '../objects/read-object.js'
import type { Operation, Session } from '../operation.js'

type Row = { readonly collection: TaggableCollection; readonly id: string }

/** The number of documents that one query counts. */
const batchSize = 1000

const countAll = async (
  { documents }: Session,
  { collection, where }: PagedQuery,
  { after, offset }: Position,
): Promise<E.Either<PortFailure, number>> => {
  let total = offset
  const count = (found: readonly Document[]): void => {
    total += found.length
  }
  const read = await forEachPage({ documents, collection, where, limit: batchSize, after }, count)()
  return E.isLeft(read) ? read : E.right(total)
}

/** Up to `limit` objects of the collections, one collection after the other, after the first `skip` of all. */
const collect =
  (
    session: Session,
    collections: readonly TaggableCollection[],
    text: string,
    skip: number,
    limit: number,
  ): Outcome<readonly Row[]> =>
  async () => {
    const { documents, instance, pages, role, writesTo } = session
    const rows: Row[] = []
    let before = skip
    for (const collection of collections) {
      const visible = resourceOf(collection)?.visibility?.(viewerOf(session)) ?? []
      const result: PagedQuery = {
        collection,
        where: [{ key: 'tagged_as', has: text }, ...visible],
        order: [],
        key: JSON.stringify(['tagged', instance.number, collection, role, writesTo(collection), text]),
      }
      const start = await pages.seek(documents, result, before)
      if (E.isLeft(start)) return start
      const wanted = { skip: before, limit: limit - rows.length, detail: 'light' } as const
      const read = await pages.read(documents, result, start.right, wanted, async (found) => {
        rows.push(...found.map(({ id }) => ({ collection, id })))
        return null
      })
      if (E.isLeft(read)) return read
      if (rows.length === limit) break
      if (rows.length > 0) before = 0
      else if (before > 0) {
        const all = await countAll(session, result, start.right)
        if (E.isLeft(all)) return all
        before -= all.right
      }
    }
    return E.right(rows)
  }

/**
 * The objects that a tag is attached to by a predicate, as rows (docs/behaviour/tags.md#objects-of-a-tag): content,
 * then locations, files and
 * blogs, each in the order of creation.
 */
export const listTagged: Operation<
  { readonly tagId: string; readonly predicate: string; readonly parameters: Parameters },
  Listing
> = {
  name: 'listTagged',
  subject: tag.collection,
  action: 'read',
  run: (session, { tagId, predicate, parameters }) => {
    if (!isPredicate(predicate)) return TE.left(notFound)
    const query = parseCollectionQuery(taggedIndex, parameters, viewerOf(session), session.strict)
    if (E.isLeft(query)) return TE.left(badParameters(query.left))
    const { fields, page, rpp } = query.right
    const collections = collectionsAccepting(predicate)
    return pipe(
      findVisible(session, tag, tagId),
      TE.chain(() => collect(session, collections, taggedAs(predicate, tagId), (page - 1) * rpp, rpp + 1)),
      TE.chainEitherKW((rows) => {
        const shown = rows.slice(0, rpp).map(({ collection, id }) => {
          const state = { collection, kind: resourceOf(collection)?.name ?? null }
          return rowOf(taggedIndex, fields, state, viewBy(session, id))
        })
        return pipe(
          pageRows(fields, shown),
          E.map((items) => ({ items, page, hasNext: rows.length > rpp })),
        )
      }),
    )
  },
}
