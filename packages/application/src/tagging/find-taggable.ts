import {
  matchesFilter,
  notFound,
  resourceOf,
  taggableCollections,
  E,
  type Resource,
  type TaggableCollection,
} from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'

import type { Outcome } from '../failure.js'
import type { Session } from '../session.js'

export type Taggable = {
  readonly collection: TaggableCollection
  readonly resource: Resource
  readonly document: Document
}

/** The taggable object with this UUID, of any collection, if the caller may see it; else NotFound. */
export const findTaggable =
  (session: Session, id: string): Outcome<Taggable> =>
  async () => {
    const viewer = session
    for (const collection of taggableCollections) {
      const resource = resourceOf(collection)
      if (resource === undefined) continue
      const found = await session.documents.get(collection, id)()
      if (E.isLeft(found)) return found
      const document = found.right
      if (document === null) continue
      const visible = (resource.visibility?.(viewer) ?? []).every((filter) =>
        matchesFilter(filter, document.value),
      )
      if (visible) return E.right({ collection, resource, document })
    }
    return E.left(notFound)
  }
