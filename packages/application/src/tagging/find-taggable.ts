import { notFound, resourceOf, type Resource } from '@publishing-service/domain'
import { taggableCollections, type TaggableCollection } from '@publishing-service/domain/tags'
import { matchesFilter } from '@publishing-service/domain/lists'
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
    const found = await session.documents.get(collection, id)
    const document = found
    if (document === null) continue
    const visible = (resource.visibility?.(session) ?? []).every((filter) =>
      matchesFilter(filter, document.value),
    )
    if (visible) return { collection, resource, document }
  }
  throw notFound
}
