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
import { viewerOf, viewBy } from '../caller.js'
import type { Listing } from '../objects/list-objects.js'
import { pageRows } from '../objects/page-rows.js'
import { documentsMeeting, type PagedQuery } from '../objects/read-page.js'
import { readSequence } from '../objects/read-sequence.js'
import { findVisible } from '../objects/read-object.js'
import type { Operation, Session } from '../operation.js'

type Row = { readonly collection: TaggableCollection; readonly id: string }

/** The objects of a collection with this tag. */
const taggedIn = (session: Session, collection: TaggableCollection, text: string): PagedQuery<Row> => {
  const { documents, instance, role, writesTo } = session
  const visible = resourceOf(collection)?.visibility?.(viewerOf(session)) ?? []
  const where = [{ key: 'tagged_as', has: text }, ...visible]
  const find = documentsMeeting(documents, collection, { where, order: [] })
  return {
    find: (read) =>
      pipe(
        find(read),
        TE.map(({ items, next }) => ({ items: items.map(({ id }) => ({ collection, id })), next })),
      ),
    key: JSON.stringify(['tagged', instance.number, collection, role, writesTo(collection), text]),
  }
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
      TE.chain(() =>
        readSequence(
          session,
          collections.map((collection) => taggedIn(session, collection, taggedAs(predicate, tagId))),
          { skip: (page - 1) * rpp, limit: rpp + 1, detail: 'light' },
        ),
      ),
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
