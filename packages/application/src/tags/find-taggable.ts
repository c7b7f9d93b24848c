import { isVisibleTo, notFound, resourceOf, type Resource } from '@publishing-service/domain'
import { taggableCollections, type TaggableCollection } from '@publishing-service/domain/tags'
import type { Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import type { Session } from '../session.js'

export type Taggable = {
  readonly collection: TaggableCollection
  readonly resource: Resource
  readonly document: Document
}

/** Finds the object of a tagging; NotFound if the caller may not see it. */
export type FindTaggable = (session: Session, id: string) => Promise<Taggable>

/** Finds objects of some collections. */
const taggableIn =
  (collections: readonly TaggableCollection[]): FindTaggable =>
  async (session, id) => {
    for (const collection of collections) {
      const resource = resourceOf(collection)
      if (resource === undefined) continue
      const document = await session.documents.get(collection, id)
      if (document !== null && isVisibleTo(resource, session, document.value))
        return { collection, resource, document }
    }
    fail(notFound)
  }

/** Finds the taggable object with a UUID, of any collection. */
export const findTaggable = taggableIn(taggableCollections)

/** Finds objects of a resource. */
export const taggableOf = ({ collection }: Resource): FindTaggable =>
  taggableIn(taggableCollections.filter((each) => each === collection))
