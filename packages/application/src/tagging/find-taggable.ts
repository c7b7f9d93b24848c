import {
  meets,
  notFound,
  resourceOf,
  taggableCollections,
  E,
  type Resource,
  type TaggableCollection,
} from '@publishing-service/domain'
import type { Document, DocumentStore } from '@publishing-service/ports'
import { viewerOf, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'

export type Taggable = {
  readonly collection: TaggableCollection
  readonly resource: Resource
  readonly document: Document
}

/** The object of that UUID that takes tags and that the caller may see, whatever its kind; else NotFound. */
export const findTaggable =
  (documents: DocumentStore) =>
  (caller: Caller, id: string): Outcome<Taggable> =>
  async () => {
    const viewer = viewerOf(caller)
    for (const collection of taggableCollections) {
      const resource = resourceOf(collection)
      if (resource === undefined) continue
      const found = await documents.get(collection, caller.instance.number, id)()
      if (E.isLeft(found)) return found
      const document = found.right
      if (document === null) continue
      const visible = (resource.visibility?.(viewer) ?? []).every((filter) => meets(filter, document.value))
      if (visible) return E.right({ collection, resource, document })
    }
    return E.left(notFound)
  }
