import { content } from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import type { Session } from '../session.js'

/** Content with its bodies, in the order of the ids: a store returns it in any order. What does not exist is left out. */
export const wholeContent = async (
  { documents }: Session,
  ids: readonly string[],
): Promise<readonly Document[]> => {
  const found = await documents.getMany(content.collection, ids, 'full')
  return found.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}
