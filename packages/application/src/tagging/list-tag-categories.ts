import { pipe, tag, tagCategory, TE, type Parameters } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import type { Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { ListObjects, Listing } from '../objects/list-objects.js'
import { findVisible } from '../objects/read-object.js'

/** The categories that a tag is in, as rows (decisions §11). */
export const listTagCategories =
  (documents: DocumentStore, listObjects: ListObjects) =>
  (caller: Caller, tagId: string, parameters: Parameters): Outcome<Listing> =>
    pipe(
      findVisible(documents)(tag, caller, tagId),
      TE.chain(() => listObjects(tagCategory, caller, parameters, [{ key: 'members', has: tagId }])),
    )
