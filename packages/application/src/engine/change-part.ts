/** Writes of a part of an object with a separate address, such as a list. */
import { badParameters, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { draftFaults, withComputed, type ItemsDraft } from '@publishing-service/domain/engine'
import { fail } from '../attempt.js'
import type { Session } from '../session.js'
import { loadReferencedObjects, lookupsOfReferences } from './load-related.js'
import { requirePrecondition } from './precondition.js'
import { changeObject } from './update-document.js'

export type PartChange = {
  /** The part as the caller reads it, null if there is none. Called only if there is a precondition. */
  readonly show: (state: JsonObject) => Promise<JsonObject | null>
  /** The object with the changed part. */
  readonly change: (state: JsonObject) => Promise<JsonObject>
}

/** Changes a part of an object, if the precondition is met. */
export const changePart = async (
  session: Session,
  resource: Resource,
  id: string,
  { show, change }: PartChange,
): Promise<void> => {
  const { precondition } = session
  await changeObject(session, resource, id, async (state) => {
    if (precondition !== undefined) requirePrecondition(precondition, await show(state))
    return withComputed(resource, await change(state))
  })
}

/** BadParameters if a draft has faults or refers to objects that do not exist for the caller. */
export const checkDraft = async (
  session: Session,
  draft: Pick<ItemsDraft, 'faults' | 'references'>,
): Promise<void> => {
  const found = await loadReferencedObjects(session, lookupsOfReferences(draft.references))
  const faults = draftFaults(draft, found)
  if (faults.length > 0) fail(badParameters(faults))
}
