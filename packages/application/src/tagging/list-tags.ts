import { stateIn, notFound, tag, tagCategory, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { displayName, isPredicate, taggingsOf } from '@publishing-service/domain/tags'
import type { Parameters, Listing } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/access'
import { listPage } from '../engine/list.js'
import { loadReferences, lookupsOfReferences } from '../engine/load-related.js'
import { findVisible } from '../engine/read-one.js'
import type { ReadOperation } from '../operation.js'

/**
 * The tags of an object, by one predicate or by all, as far as the caller may see them
 * (docs/behaviour/tags.md#tags-of-an-object).
 */
export const listTags = (
  resource: Resource,
): ReadOperation<{ readonly id: string; readonly predicate: string | null }, readonly JsonObject[]> => ({
  ...operations.listTags(resource.collection),
  run: async (session, { id, predicate }) => {
    if (predicate !== null && !isPredicate(predicate)) throw notFound
    const { value } = await findVisible(session, resource, id)
    const taggings = taggingsOf(value).filter((each) => predicate === null || each.predicate === predicate)
    const references = taggings.map((each) => ({ path: '', collection: 'tags', id: each.tag }))
    const find = await loadReferences(session, lookupsOfReferences(references))
    return taggings.flatMap((each) => {
      const found = find('tags', each.tag)
      if (found === undefined) return []
      const { type, state } = stateIn(tag, found)
      return [
        {
          uuid: each.tag,
          url: session.links.object('tags', each.tag),
          predicate: each.predicate,
          title: displayName(found),
          type,
          state,
        },
      ]
    })
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
