import { notFound, tag, tagCategory, type Resource } from '@publishing-service/domain'
import { isPredicate, objectTag, taggingsOf } from '@publishing-service/domain/tags'
import type { Parameters, Listing } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { fail } from '../attempt.js'
import { listPage } from '../engine/list.js'
import { loadReferences, lookupsOfStates } from '../engine/load-related.js'
import { findVisible, includePathsOf } from '../engine/read-one.js'
import { showItems, type ShownItems } from '../engine/show-items.js'
import type { ReadOperation } from '../operation.js'
import { SessionView } from '../session.js'

/**
 * The tags of an object, by one predicate or by all, as far as the caller may see them
 * (docs/behaviour/tags.md#tags-of-an-object).
 */
export const listTags = (
  resource: Resource,
): ReadOperation<
  { readonly id: string; readonly predicate: string | null; readonly parameters: Parameters },
  ShownItems
> => ({
  ...operations.listTags(resource.collection),
  run: async (session, { id, predicate, parameters }) => {
    if (predicate !== null && !isPredicate(predicate)) fail(notFound)
    const paths = includePathsOf(objectTag, parameters)
    const { value } = await findVisible(session, resource, id)
    const taggings = taggingsOf(value).filter((each) => predicate === null || each.predicate === predicate)
    const find = await loadReferences(session, lookupsOfStates(session, objectTag, taggings))
    const view = new SessionView(session, id, { find })
    const shown = taggings.filter((each) => find(tag.collection, each.tag) !== undefined)
    return showItems(
      session,
      objectTag,
      shown.map((state) => ({ state, view })),
      paths,
    )
  },
})

/** The categories that a tag is in, as rows (docs/behaviour/tags.md#tags-of-an-object). */
export const listTagCategories: ReadOperation<
  { readonly tagId: string; readonly parameters: Parameters },
  Listing
> = {
  ...operations.listTagCategories,
  run: async (session, { tagId, parameters }) => {
    await findVisible(session, tag, tagId)
    return listPage(session, tagCategory, parameters, [{ key: 'members', has: tagId }])
  },
}
