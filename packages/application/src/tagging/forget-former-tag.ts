import {
  E,
  keepTaggings,
  membersOf,
  resourceOf,
  taggableCollections,
  TE,
  withComputed,
  withMembers,
  categoryTags,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import type { Page, PortFailure } from '@publishing-service/ports'
import type { Failure, Outcome } from '../failure.js'
import { writableBy } from '../objects/update-document.js'
import type { Session } from '../operation.js'

/** A kind of objects that refer to tags: the key that finds those of a tag, and their state without the tag. */
type Holder = {
  readonly resource: Resource
  readonly key: string
  readonly without: (state: JsonObject, tag: string) => JsonObject
}

const holders: readonly Holder[] = [
  ...taggableCollections.flatMap((collection): readonly Holder[] => {
    const resource = resourceOf(collection)
    const without = (state: JsonObject, id: string) => keepTaggings(state, (tag) => tag !== id)
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

const step = 100

/** Removes the tag from some of the objects that refer to it; returns how many it has found. */
const forgetSome = async (
  session: Session,
  { resource, key, without }: Holder,
  id: string,
): Promise<E.Either<Failure, number>> => {
  const found: E.Either<PortFailure, Page> = await session.documents.find(resource.collection, {
    where: [{ key, has: id }],
    order: [],
    skip: 0,
    limit: step,
    detail: 'light',
  })()
  if (E.isLeft(found)) return found
  for (const document of found.right.documents) {
    const forgotten = await session.update(writableBy(resource, session), document.id, (state) =>
      TE.right(withComputed(resource, without(state, id))),
    )()
    if (E.isLeft(forgotten) && forgotten.left._tag !== 'NotFound') return forgotten
  }
  return E.right(found.right.documents.length)
}

/**
 * Removes the taggings and category memberships of a deleted tag, before a tag of the same UUID is created: it would
 * have them again. Until then nobody sees them, so deleting a tag costs one write.
 */
export const forgetFormerTag =
  (session: Session, id: string): Outcome<void> =>
  async () => {
    for (const holder of holders)
      for (let found = step; found === step;) {
        const forgotten = await forgetSome(session, holder, id)
        if (E.isLeft(forgotten)) return forgotten
        found = forgotten.right
      }
    return E.right(undefined)
  }
