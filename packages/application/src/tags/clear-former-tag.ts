import { resourceOf, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { filterTaggings, taggableCollections, categoryTags } from '@publishing-service/domain/tags'
import { membersOf, withComputed, withMembers } from '@publishing-service/domain/engine'
import { attempt, fail } from '../attempt.js'
import { unrecorded } from '../recording.js'
import { changeObject } from '../engine/update-document.js'
import type { Session } from '../session.js'

/** A resource whose objects refer to tags: the key to find those of a tag, and their state without the tag. */
type Referrer = {
  readonly resource: Resource
  readonly key: string
  readonly without: (state: JsonObject, tag: string) => JsonObject
}

const referrers: readonly Referrer[] = [
  ...taggableCollections.flatMap((collection): readonly Referrer[] => {
    const resource = resourceOf(collection)
    const without = (state: JsonObject, id: string) => filterTaggings(state, (tag) => tag !== id)
    return resource === undefined ? [] : [{ resource, key: 'tagged', without }]
  }),
  {
    resource: categoryTags.resource,
    key: categoryTags.attribute,
    without: (state, id) => {
      const members = membersOf(categoryTags, state)
      return withMembers(
        categoryTags,
        state,
        members.filter((member) => member !== id),
      )
    },
  },
]

const batchSize = 100

/** Removes the tag from a batch of the objects that refer to it; returns how many it has found. */
const clearBatch = async (
  session: Session,
  { resource, key, without }: Referrer,
  id: string,
): Promise<number> => {
  const found = await session.documents.find(resource.collection, {
    where: [{ key, has: id }],
    order: [],
    skip: 0,
    limit: batchSize,
    detail: 'light',
  })
  for (const document of found.documents) {
    const cleared = await attempt(() =>
      changeObject(
        session,
        resource,
        document.id,
        async (state) => withComputed(resource, without(state, id)),
        unrecorded.write,
      ),
    )
    // It may have been deleted in the meantime.
    if (E.isLeft(cleared) && cleared.left._tag !== 'NotFound') fail(cleared.left)
  }
  return found.documents.length
}

/**
 * Removes the taggings and category memberships of a deleted tag, before a tag of the same UUID is created, which would
 * have them again. Until then they are not shown, so that deleting a tag needs only one write.
 */
export const clearFormerTag = async (session: Session, id: string): Promise<void> => {
  for (const referrer of referrers)
    for (let found = batchSize; found === batchSize;) found = await clearBatch(session, referrer, id)
}
