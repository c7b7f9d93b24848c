/** The drafts of objects: changes that are not published (docs/behaviour/drafts.md). */
import { notFound, type Resource, type WriteMode } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { operations } from '@publishing-service/domain/roles'
import { decideDraftChange, draftShapeOf, type ObjectDraft } from '@publishing-service/domain/engine'
import type { Document } from '@publishing-service/ports'
import { attempt, fail, unwrap } from '../attempt.js'
import { requirePrecondition } from '../engine/precondition.js'
import { showObject } from '../engine/read-one.js'
import { runDecision, writeObject } from '../engine/write.js'
import { contended } from '../failure.js'
import { requireChangeable } from '../history/versions.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { updateDraft } from './update-draft.js'
import { dropDraft, draftEnd, draftRemains, findDraft, stateWithDraft } from './stored-drafts.js'

/** An object with its draft. */
type Drafted = { readonly object: Document; readonly draft: ObjectDraft; readonly version: number }

/** The draft of an object that the caller may change; NotFound if there is none. */
export const requireDraft = async (session: Session, resource: Resource, id: string): Promise<Drafted> => {
  const object = await requireChangeable(session, resource, id)
  const found = await findDraft(session.documents, resource, object)
  if (found === null || found.draft === null) fail(notFound)
  return { object, draft: found.draft, version: found.version }
}

const showDraft = (
  session: Session,
  resource: Resource,
  id: string,
  state: JsonObject,
): Promise<JsonObject> => showObject(session, draftShapeOf(resource), id, state)

/** An object with the changes of its draft. */
export const readDraft = (resource: Resource): ReadOperation<{ readonly id: string }, JsonObject> => ({
  ...operations.readDraft(resource.collection),
  run: async (session, { id }) => {
    const { object, draft } = await requireDraft(session, resource, id)
    return showDraft(session, resource, id, stateWithDraft(session.documents, resource, object, draft))
  },
})

type Update = { readonly id: string; readonly body: JsonObject }

/** Changes the attributes of a draft by the rules of a write of its object. */
const writeDraft = async (
  session: Session,
  resource: Resource,
  mode: WriteMode,
  { id, body: input }: Update,
): Promise<string> => {
  const { deployment, localTime: now, precondition, role, settings, strict, user } = session
  const shape = draftShapeOf(resource)
  await updateDraft(session, resource, id, async ({ object: { value, version }, state, exists }) => {
    if (precondition !== undefined)
      requirePrecondition(precondition, exists ? await showDraft(session, resource, id, state) : null)
    const { streamingHosts } = deployment
    const writer = { role, user, now, settings, streamingHosts, strict }
    const command = { id, mode, input, previous: state, object: value, version }
    const steps = decideDraftChange(shape, { ...command, ...writer })
    return unwrap(await runDecision(session, resource, { id, previous: value }, steps))
  })
  return id
}

/** Replaces the attributes of a draft, which is made if there is none. */
export const replaceDraft = (resource: Resource): WriteOperation<Update, string> => ({
  ...operations.replaceDraft(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, update) => writeDraft(session, resource, 'put', update),
})

/** Changes the attributes of a draft that the body has. The draft is made if there is none. */
export const changeDraft = (resource: Resource): WriteOperation<Update, string> => ({
  ...operations.changeDraft(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, update) => writeDraft(session, resource, 'patch', update),
})

/** Drops a draft. The object stays as it is. */
export const removeDraft = (resource: Resource): WriteOperation<{ readonly id: string }, void> => ({
  ...operations.removeDraft(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id }) => {
    const { documents, precondition } = session
    const { object, draft, version } = await requireDraft(session, resource, id)
    if (precondition !== undefined) {
      const state = stateWithDraft(documents, resource, object, draft)
      requirePrecondition(precondition, await showDraft(session, resource, id, state))
    }
    if (E.isLeft(await dropDraft(documents, resource, id, version))) fail(contended)
  },
})

/** How often a publication begins again because its draft was changed meanwhile. */
const attempts = 20

/**
 * Makes a draft the object, and ends it, in one write. A draft that was changed meanwhile remains with what was changed. A
 * publication that changes nothing is not recorded, because several processes publish a draft at its time.
 */
export const publishDraft = (
  resource: Resource,
): WriteOperation<{ readonly id: string }, string, 'DraftConflict'> => ({
  ...operations.publishDraft(resource.collection),
  changed: ({ id }, written) => (written === null ? null : { object: id }),
  run: async (session, { id }, failWith) => {
    const { draft, version } = await requireDraft(session, resource, id)
    let end = draftEnd(resource, id, version)
    for (let attempted = 0; attempted < attempts; attempted += 1) {
      const published = await attempt<string, 'DraftConflict'>((orEnd) =>
        writeObject(session, resource, { mode: 'publish', id, draft, failWith: orEnd }, [end]),
      )
      if (E.isRight(published)) return id
      if (published.left !== contended) return failWith(published.left)
      const now = await requireDraft(session, resource, id)
      end = draftRemains(resource, now.object, now, draft)
    }
    return failWith(contended)
  },
})
