import { isVisibleTo } from '@publishing-service/domain/engine'
import { notFound, resourceOf, type Resource } from '@publishing-service/domain'
import { taggableCollections, type TaggableCollection } from '@publishing-service/domain/tags'
import type { Document } from '@publishing-service/ports'
import type { Session } from '../session.js'

export type Taggable = {
  readonly collection: TaggableCollection
  readonly resource: Resource
  readonly document: Document
}

/** The taggable object with this UUID, of any collection, if the caller may see it; else NotFound. */
export const findTaggable = async (session: Session, id: string): Promise<Taggable> => {
  for (const collection of taggableCollections) {
    const resource = resourceOf(collection)
    if (resource === undefined) continue
    const document = await session.documents.get(collection, id)
    if (document !== null && isVisibleTo(resource, session, document.value))
      return { collection, resource, document }
  }
  throw notFound
}
