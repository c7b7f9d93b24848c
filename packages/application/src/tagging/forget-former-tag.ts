import {
  E,
  forgetTag,
  resourceOf,
  taggableCollections,
  TE,
  withComputed,
  type Resource,
} from '@publishing-service/domain'
import type { DocumentStore, Page, PortFailure } from '@publishing-service/ports'
import type { Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import { targetOf, type UpdateDocument } from '../objects/update-document.js'

const step = 100

/**
 * Takes what is left of a deleted tag off the objects that carried it, before a tag of the same UUID is made: it would
 * come back attached to them. Until then nobody sees what is left, so deleting a tag costs one write.
 */
export const forgetFormerTag = (documents: DocumentStore, update: UpdateDocument) => {
  const forget = async (
    resource: Resource,
    caller: Caller,
    id: string,
  ): Promise<E.Either<Failure, number>> => {
    const { number } = caller.instance
    const found: E.Either<PortFailure, Page> = await documents.find(resource.collection, number, {
      where: [{ key: 'tagged', has: id }],
      order: [],
      skip: 0,
      limit: step,
      detail: 'light',
    })()
    if (E.isLeft(found)) return found
    for (const document of found.right.documents) {
      const forgotten = await update(targetOf(resource), number, document.id, (state) =>
        TE.right(withComputed(resource, forgetTag(state, id))),
      )()
      if (E.isLeft(forgotten) && forgotten.left._tag !== 'NotFound') return forgotten
    }
    return E.right(found.right.documents.length)
  }

  return (caller: Caller, id: string): Outcome<void> =>
    async () => {
      for (const collection of taggableCollections) {
        const resource = resourceOf(collection)
        if (resource === undefined) continue
        for (let left = step; left === step;) {
          const forgotten = await forget(resource, caller, id)
          if (E.isLeft(forgotten)) return forgotten
          left = forgotten.right
        }
      }
      return E.right(undefined)
    }
}
