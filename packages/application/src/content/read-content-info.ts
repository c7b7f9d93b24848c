import { content } from '@publishing-service/domain'
import { contentInfo } from '@publishing-service/domain/content'
import type { JsonObject } from '@publishing-service/domain/json'
import { operations } from '@publishing-service/domain/roles'
import { findVisible, showObject } from '../engine/read-one.js'
import type { ReadOperation } from '../operation.js'

/** The additional information about one content object. */
export const readContentInfo: ReadOperation<{ readonly id: string }, JsonObject> = {
  ...operations.readContentInfo,
  run: async (session, { id }) => {
    const { value } = await findVisible(session, content, id)
    return showObject(session, contentInfo, id, value)
  },
}
