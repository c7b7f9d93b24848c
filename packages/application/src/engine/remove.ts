import { notFound, type Resource } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import { operations, subjectsWithDrafts, writeProblem } from '@publishing-service/domain/roles'
import { decideRemoval, preventionOf, type Removal } from '@publishing-service/domain/engine'
import type { Document } from '@publishing-service/ports'
import { clearDraftOf } from '../drafts/stored-drafts.js'
import { attempt, throwIf, unwrap } from '../attempt.js'
import { contended, tooLarge } from '../failure.js'
import { removeFileData } from '../files/file-blobs.js'
import type { WriteConflict } from '../instance-store.js'
import type { WriteOperation } from '../operation.js'
import { retainsRemoved, type Session } from '../session.js'
import { leavePlace } from '../paths/places.js'
import { batchesOf } from '../batches-of.js'
import { forEachPage } from './for-each-page.js'
import { addDeletionMark, removeReferring, removeDeletionMark } from './confirm-references.js'
import { withoutDeletionMark } from '../urgent-changes.js'
import { checkPrecondition, findObject } from './read-one.js'
import { replacementOf } from './update-document.js'

const attempts = 20

/**
 * Cascades by collection, executed after an object is deleted. Their failure does not restore the object. Another
 * object may have the same id by then, so only data that the deleted document refers to is removed.
 */
const onDeleted: Readonly<Record<string, (session: Session, deleted: Document) => Promise<void>>> = {
  files: removeFileData,
}

/** A completed deletion: its result, and the document before it. */
type Deletion = { readonly how: Removal['how']; readonly document: Document }

const batchSize = 100

/** What refers to an object, so that it cannot be deleted. */
const blockerOf = async (
  { documents }: Session,
  { blockers = [] }: Resource,
  id: string,
): Promise<string | null> => {
  for (const { collection, key, what } of blockers) {
    const query = { where: [{ key, equals: id }], order: [], skip: 0, limit: 1, detail: 'light' } as const
    const { documents: found } = await documents.find(collection, query)
    if (found.length > 0) return what
  }
  return null
}

/** The outcome of an attempt, or the conflict with another writer. */
type Attempt<A> = Promise<Either<WriteConflict, A>>

/**
 * Removes an object to which concurrent writes may add references: records the removal, marks the object, checks for
 * references again, and removes the version that it has marked. Returns what refers to it, if anything does.
 */
const removeReferable = async (
  session: Session,
  resource: Resource,
  current: Document,
): Attempt<string | null> => {
  const { documents, recordCascade, instance } = session
  await recordCascade(resource, instance.number, current.id)
  const marked = await addDeletionMark(documents, resource, current)
  if (E.isLeft(marked)) return marked
  const own = marked.right
  const blocker = await blockerOf(session, resource, current.id)
  if (blocker === null) {
    const { id, version } = own
    const removed = await documents.change(resource.collection, { kind: 'remove', id, version })
    return E.isLeft(removed) ? removed : E.right(null)
  }
  // If this fails, the next writer of a reference removes the mark.
  await attempt(() => removeDeletionMark(documents, resource, own))
  return E.right(blocker)
}

/** Removes an object unless something refers to it; returns what does. */
const removeUnused = async (
  session: Session,
  resource: Resource,
  current: Document,
): Attempt<string | null> => {
  const { documents, recordCascade, instance } = session
  const { collection, blockers, dependents } = resource
  const { id, version } = current
  // An initial document is not stored.
  if (version === 0) return E.right(null)
  if (blockers !== undefined) return removeReferable(session, resource, current)
  if (dependents !== undefined) await recordCascade(resource, instance.number, id)
  const removed = await documents.change(collection, { kind: 'remove', id, version })
  return E.isLeft(removed) ? removed : E.right(null)
}

/** Removes the object, or replaces it by its placeholder if others refer to it. Throws InUse. */
const removeOrReplace = async (
  session: Session,
  resource: Resource,
  current: Document,
): Attempt<Removal['how']> => {
  const { documents, localTime } = session
  const { id } = current
  const decide = (blocker: string | null): Removal =>
    unwrap(decideRemoval(resource, withoutDeletionMark(current.value), blocker, localTime))
  let decision = decide(await blockerOf(session, resource, id))
  if (decision.how === 'removed') {
    const referring = await removeUnused(session, resource, current)
    if (E.isLeft(referring)) return referring
    decision = decide(referring.right)
  }
  if (decision.how === 'removed' || decision.state === null) return E.right(decision.how)
  // If a reference was added during the removal, the version has changed and the deletion is retried.
  const document = replacementOf(resource, current, decision.state)
  const replaced = await documents.change(resource.collection, { kind: 'replace', document })
  return E.isLeft(replaced) ? replaced : E.right('replaced')
}

/** Whether a deletion is retried after a conflict; throws what it fails with otherwise. */
const isRetried = (conflict: WriteConflict): true => {
  if (conflict._tag === 'VersionConflict') return true
  throw conflict._tag === 'DocumentTooLarge' ? tooLarge(conflict.limit) : contended
}

/** Removes a placeholder without references, then the placeholder that it refers to. */
const removeUnusedPlaceholders = async (session: Session, resource: Resource, id: unknown): Promise<void> => {
  const { placeholder } = resource
  if (placeholder === undefined || typeof id !== 'string') return
  // After the last attempt, a concurrent deletion is changing it.
  for (let attempted = 0; attempted < attempts; attempted += 1) {
    const found = await session.documents.get(resource.collection, id)
    if (found === null || !placeholder.is(found.value)) return
    const deletion = await removeOrReplace(session, resource, found)
    if (E.isLeft(deletion)) isRetried(deletion.left)
    else if (deletion.right === 'replaced') return
    else return removeUnusedPlaceholders(session, resource, found.value[placeholder.within])
  }
}

/** Removes the objects that are deleted with the one that they refer to. */
const removeDependents = async (
  { documents }: Session,
  { dependents = [] }: Resource,
  id: string,
): Promise<void> => {
  for (const dependence of dependents) {
    const { collection, key } = dependence
    const found: string[] = []
    await forEachPage({ documents, collection, where: [{ key, equals: id }], limit: batchSize }, (page) =>
      page.forEach((each) => found.push(each.id)),
    )
    for (const batch of batchesOf(found, batchSize))
      await Promise.all(batch.map((each) => removeReferring(documents, dependence, each, id, id)))
  }
}

/** Deletes an object, and retries if others change it concurrently. */
const deleteObject = async (session: Session, resource: Resource, id: string): Promise<Deletion> => {
  const { precondition } = session
  for (let attempted = 0; attempted <= attempts; attempted += 1) {
    const document = await findObject(session, resource, id)
    if (document === null) throw notFound
    throwIf(writeProblem(resource, session, { before: document.value, after: null }))
    if (precondition !== undefined) await checkPrecondition(session, precondition, resource, document)
    const deleted = await leavePlace(session, { resource, id }, document.value, () =>
      removeOrReplace(session, resource, document),
    )
    if (E.isRight(deleted)) return { how: deleted.right, document }
    isRetried(deleted.left)
  }
  throw contended
}

/** A draft that remains after a failure is not one of an object that is created or restored later. */
const removeItsDraft = async ({ documents, log }: Session, resource: Resource, id: string): Promise<void> => {
  if (E.isLeft(await attempt(() => clearDraftOf(documents, resource, id))))
    log.write('warn', 'draft of a deleted object not removed', { object: id })
}

/** Removes what is deleted together with a deleted object; its data only if the object is not in the trash. */
const cascade = async (session: Session, resource: Resource, { how, document }: Deletion): Promise<void> => {
  // The last reference to it may have been removed in the meantime.
  if (how === 'replaced') return removeUnusedPlaceholders(session, resource, document.id)
  await removeDependents(session, resource, document.id)
  if (subjectsWithDrafts.has(resource.collection)) await removeItsDraft(session, resource, document.id)
  if (!retainsRemoved(session, resource)) await onDeleted[resource.collection]?.(session, document)
  if (resource.placeholder !== undefined)
    await removeUnusedPlaceholders(session, resource, document.value[resource.placeholder.within])
}

/**
 * Deletes an object and what is deleted with it. References to it are then read as null
 * (docs/behaviour/writing.md#deleted-targets).
 */
export const removeObject = (resource: Resource): WriteOperation<{ readonly id: string }, void> => ({
  ...operations.removeObject(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id }) => {
    throwIf(preventionOf(resource, id))
    const deletion = await session.exclusively(`${resource.collection}/${id}`, () =>
      deleteObject(session, resource, id),
    )
    await cascade(session, resource, deletion)
  },
})
