/** Whether the public sees a change (docs/behaviour/changes.md#hidden-parts). */
import { isVisibleTo, resourceOf, type Viewer } from '@publishing-service/domain'
import { uncertainDifference } from '@publishing-service/domain/changes'
import type { JsonObject } from '@publishing-service/domain/json'
import { loadReferences, type Reader } from '../engine/load-related.js'

/** The states of an object before and after a change. */
type StatesOfChange = {
  readonly collection: string
  readonly before: JsonObject
  readonly after: JsonObject
}

/** Whether the public sees an object before and after a change, and nothing of the change. */
export const isHiddenChange = async (
  documents: Reader['documents'],
  { collection, before, after }: StatesOfChange,
  { now, settings }: Pick<Viewer, 'now' | 'settings'>,
): Promise<boolean> => {
  const resource = resourceOf(collection)
  if (resource === undefined) return false
  const reader = { documents, role: 'public_user', now, settings } as const
  if (![before, after].every((state) => isVisibleTo(resource, reader, state))) return false
  const difference = uncertainDifference(resource, before, after, reader)
  return difference !== null && !difference.isSeen(await loadReferences(reader, difference.lookups))
}
