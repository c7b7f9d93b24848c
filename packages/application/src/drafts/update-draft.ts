import { notFound, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { writeProblem } from '@publishing-service/domain/roles'
import { draftAfter, draftsCollection, emptyDraft } from '@publishing-service/domain/engine'
import type { Document } from '@publishing-service/ports'
import { fail, throwIf } from '../attempt.js'
import type { ChangeObject } from '../engine/update-document.js'
import { contended, tooLarge } from '../failure.js'
import type { Session } from '../session.js'
import { findDraft, stateWithDraft, storeDraft } from './stored-drafts.js'

/** The first attempt, and its repetitions after conflicts. */
const attempts = 21

/** A draft that is changed: its object, its state, and whether it exists already. */
export type CurrentDraft = {
  readonly object: Document
  readonly state: JsonObject
  readonly exists: boolean
}

/**
 * Changes the draft of an object by a function of its state, and returns the new state. The draft is made if there is none.
 * Writes of one draft run one at a time. NotFound if the object does not exist.
 */
export const updateDraft = (
  session: Session,
  resource: Resource,
  id: string,
  change: (current: CurrentDraft) => Promise<JsonObject>,
): Promise<JsonObject> => {
  const { clock, documents, exclusively, localTime: now, user } = session
  return exclusively(`${draftsCollection.name}/${resource.collection}/${id}`, async () => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const object = await documents.get(resource.collection, id)
      if (object === null) fail(notFound)
      const { value, version } = object
      throwIf(writeProblem(resource, session, { before: value, after: value }))
      const found = await findDraft(documents, resource, object)
      const before = found?.draft ?? null
      const state = stateWithDraft(documents, resource, object, before ?? emptyDraft(version))
      const after = await change({ object, state, exists: before !== null })
      const draft = draftAfter(resource, { object: value, version, before, after, now, user })
      if (draft === before) return state
      const stored = await storeDraft(documents, resource, object, draft, found, clock)
      if (E.isRight(stored)) return after
      if (stored.left._tag === 'DocumentTooLarge') fail(tooLarge(stored.left.limit))
    }
    fail(contended)
  })
}

/** Changes drafts where an operation would change their objects. */
export const changingDrafts =
  (session: Session): ChangeObject =>
  (resource, id, change) =>
    updateDraft(session, resource, id, ({ state }) => {
      throwIf(writeProblem(resource, session, { before: state, after: state }))
      return change(state)
    })
