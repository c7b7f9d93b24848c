import { resourceOf } from '@publishing-service/domain'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { operations, writeProblem } from '@publishing-service/domain/roles'
import { objectName } from '@publishing-service/domain/engine'
import type { Document } from '@publishing-service/ports'
import type { ReadOperation } from '../operation.js'
import { missedDrafts } from './stored-drafts.js'

/** The publications at a time that were missed, of the objects that the caller may change: the last ones first. */
export const listMissedPublications: ReadOperation<null, readonly JsonObject[]> = {
  ...operations.listMissedPublications,
  run: async (session) => {
    const { documents, links } = session
    const drafts = await missedDrafts(documents)
    const objects = new Map<string, Document>()
    for (const collection of new Set(drafts.map((draft) => draft.collection))) {
      const ids = drafts.flatMap((draft) => (draft.collection === collection ? [draft.id] : []))
      for (const object of await documents.getMany(collection, ids, 'light'))
        objects.set(`${collection}/${object.id}`, object)
    }
    return drafts.flatMap(({ collection, id, own: { missed = null }, position }): readonly JsonObject[] => {
      const [resource, object] = [resourceOf(collection), objects.get(`${collection}/${id}`)]
      // The draft may be one of a former object.
      if (resource === undefined || object?.position !== position || !isJsonObject(missed)) return []
      const { value } = object
      if (writeProblem(resource, session, { before: value, after: value }) !== null) return []
      const url = links.object(collection, id)
      return [{ type: collection, uuid: id, url, title: objectName(resource, value), ...missed }]
    })
  },
}
