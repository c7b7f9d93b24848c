import { resourceOf, type Problem } from '@publishing-service/domain'
import { fail } from '../attempt.js'
import type { Previewed } from '../access/principals.js'
import type { Session } from '../session.js'
import { findDraft, stateWithDraft } from './stored-drafts.js'

const invalidToken: Problem = { _tag: 'InvalidToken' }

/** Sorts before all times, so that the object is live for whoever reads it with the token. */
const liveFromTheBeginning = { live_from: '0' } as const

/** Shows an object with its draft in a session, as if it was live. InvalidToken if the object was deleted. */
export const showPreview = async (
  { documents }: Pick<Session, 'documents'>,
  { instance, collection, object: id, position }: Previewed,
): Promise<void> => {
  const resource = instance === documents.instance ? resourceOf(collection) : undefined
  const object = resource === undefined ? null : await documents.get(collection, id)
  if (resource === undefined || object === null || object.position !== position) fail(invalidToken)
  const draft = (await findDraft(documents, resource, object))?.draft ?? null
  const state = draft === null ? object.value : stateWithDraft(documents, resource, object, draft)
  documents.show(collection, { ...object, value: { ...state, ...liveFromTheBeginning } })
}
