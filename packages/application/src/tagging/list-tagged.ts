import {
  badParameters,
  collectionsAccepting,
  E,
  filtersForKind,
  isPredicate,
  notFound,
  parseCollectionQuery,
  pipe,
  tag,
  taggedAs,
  taggedIndex,
  taggedKinds,
  TE,
  type CollectionQuery,
  type Parameters,
  type Predicate,
  type Resource,
} from '@publishing-service/domain'
import { positionOf } from '@publishing-service/ports'
import { viewerOf } from '../caller.js'
import { collections } from '../collections.js'
import type { Outcome } from '../failure.js'
import { loadConditions, pagedQueryOf } from '../objects/list-objects.js'
import type { Source } from '../objects/read-merged.js'
import { findVisible } from '../objects/read-object.js'
import type { Listing } from '../objects/listing.js'
import { containing } from '../objects/read-page.js'
import { createRowReader, detailOf } from '../objects/row-reader.js'
import type { Operation, Session } from '../operation.js'

type KindSource = Source & { readonly resource: Resource }

type Wanted = {
  readonly predicate: Predicate
  readonly tagId: string
  readonly parameters: Parameters
}

/** The tagged objects of one kind; null if no object of the kind can be listed. */
const sourceOf =
  (
    session: Session,
    kind: Resource,
    sequence: number,
    { predicate, tagId, parameters }: Wanted,
    query: CollectionQuery,
  ): Outcome<KindSource | null> =>
  async () => {
    const { order, where, terms } = query
    if (terms !== null && kind.filters['q'] === undefined) return E.right(null)
    const collection = collections.find(({ name }) => name === kind.collection)
    if (collection === undefined) return E.right(null)
    const isKey = (key: string): boolean => Object.hasOwn(collection.keys, key)
    const filters = filtersForKind(kind, where, isKey)
    if (filters === null) return E.right(null)
    const conditions = await loadConditions(session, filters)()
    if (E.isLeft(conditions)) return conditions
    const ofKind = order.filter(({ key }) => isKey(key))
    return E.right({
      resource: kind,
      result: pagedQueryOf(
        session,
        { ...kind, filters: taggedIndex.filters },
        parameters,
        {
          where: [...conditions.right, ...(kind.visibility?.(viewerOf(session)) ?? [])],
          ...containing(terms),
          order: ofKind,
        },
        [{ key: 'tagged_as', has: taggedAs(predicate, tagId) }],
      ),
      detail: detailOf(kind, query),
      positionOf: ({ value }) => {
        const { values } = positionOf(collection, ofKind, value, sequence)
        return { values: order.map((each) => values[ofKind.indexOf(each)] ?? null), sequence }
      },
    })
  }

const listPage =
  (session: Session, wanted: Wanted, query: CollectionQuery): Outcome<Listing> =>
  async () => {
    const { merged } = session
    const { order, page, rpp } = query
    const accepting: readonly string[] = collectionsAccepting(wanted.predicate)
    const sources: KindSource[] = []
    for (const [sequence, kind] of taggedKinds.entries()) {
      if (!accepting.includes(kind.collection)) continue
      const source = await sourceOf(session, kind, sequence, wanted, query)()
      if (E.isLeft(source)) return source
      if (source.right !== null) sources.push(source.right)
    }
    const { addRows, finish } = createRowReader(session, query)
    const range = { skip: (page - 1) * rpp, limit: rpp }
    const hasNext = await merged.read({ sources, order }, range, (found) =>
      addRows(
        found.map(({ source, document: { id, value } }) => ({ shape: source.resource, id, state: value })),
      ),
    )
    return E.isLeft(hasNext) ? hasNext : finish(page, hasNext.right)()
  }

/**
 * The objects that a tag is attached to by a predicate, as rows (docs/behaviour/tags.md#objects-of-a-tag). The rows of
 * the collections are merged in the order.
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
    return pipe(
      findVisible(session, tag, tagId),
      TE.chain(() => listPage(session, { predicate, tagId, parameters }, query.right)),
    )
  },
}
