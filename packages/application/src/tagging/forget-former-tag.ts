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
import type { DocumentStore, Page, PortFailure } from '@publishing-service/ports'
import type { Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import { writableBy, type UpdateDocument } from '../objects/update-document.js'

/** Where a tag is kept: the key that finds it, and the state without it. */
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

/**
 * Takes what is left of a deleted tag off the objects that carried it and out of its categories, before a tag of the
 * same UUID is made: it would come back with them. Until then nobody sees what is left, so deleting a tag costs one
 * write.
 */
export const forgetFormerTag = (documents: DocumentStore, update: UpdateDocument) => {
  const forget = async (
    { resource, key, without }: Holder,
    caller: Caller,
    id: string,
  ): Promise<E.Either<Failure, number>> => {
    const { number } = caller.instance
    const found: E.Either<PortFailure, Page> = await documents.find(resource.collection, number, {
      where: [{ key, has: id }],
      order: [],
      skip: 0,
      limit: step,
      detail: 'light',
    })()
    if (E.isLeft(found)) return found
    for (const document of found.right.documents) {
      const forgotten = await update(writableBy(resource, caller), document.id, (state) =>
        TE.right(withComputed(resource, without(state, id))),
      )()
      if (E.isLeft(forgotten) && forgotten.left._tag !== 'NotFound') return forgotten
    }
    return E.right(found.right.documents.length)
  }

  return (caller: Caller, id: string): Outcome<void> =>
    async () => {
      for (const holder of holders)
        for (let left = step; left === step;) {
          const forgotten = await forget(holder, caller, id)
          if (E.isLeft(forgotten)) return forgotten
          left = forgotten.right
        }
      return E.right(undefined)
    }
}
