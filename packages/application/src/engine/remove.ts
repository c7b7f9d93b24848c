import { notFound, type Resource } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import { operations, writeProblem } from '@publishing-service/domain/roles'
import {
  blockersOf,
  decideRemoval,
  dependentsOf,
  placeholderOf,
  preventionOf,
  type Removal,
} from '@publishing-service/domain/engine'
import { maxAppendedBytes, type Change, type Document } from '@publishing-service/ports'
import { fail, throwIf } from '../attempt.js'
import { contended, tooLarge, type Fail } from '../failure.js'
import type { Dependents, WriteConflict } from '../instance-store.js'
import type { WriteOperation } from '../operation.js'
import { retainsRemoved, type Session } from '../session.js'
import { carryOut, cascadeOf, mostTogether } from './cascade.js'
import { checkPrecondition, findObject } from './read-one.js'
import { replacementOf } from './update-document.js'

const attempts = 20

/** A completed deletion: its result, and the document before it. */
type Deletion = { readonly how: Removal['how']; readonly document: Document }

/** What refers to an object, so that it cannot be deleted. */
const blockerOf = async ({ documents }: Session, resource: Resource, id: string): Promise<string | null> => {
  for (const { collection, key, what } of blockersOf(resource)) {
    const query = { where: [{ key, equals: id }], order: [], skip: 0, limit: 1, detail: 'light' } as const
    const { documents: found } = await documents.find(collection, query)
    if (found.length > 0) return what
  }
  return null
}

/** The outcome of an attempt, or the conflict with another writer. */
type Attempt<A> = Promise<Either<WriteConflict, A>>

/** The removals of objects that are deleted with the one that they refer to, and whether these are all of them. */
const dependentsOn = async (
  { documents }: Pick<Session, 'documents'>,
  resource: Resource,
  id: string,
): Promise<Dependents & { readonly isComplete: boolean }> => {
  const changes: Change[] = []
  for (const { collection, key } of dependentsOf(resource)) {
    const where = [{ key, equals: id }]
    const limit = mostTogether - changes.length
    if (limit === 0) return { of: id, changes, isComplete: false }
    // The records of the removals contain the states.
    const query = { where, order: [], skip: 0, limit, bytes: maxAppendedBytes / 2, detail: 'full' } as const
    const found = await documents.find(collection, query)
    for (const { id: each, version } of found.documents)
      changes.push({ collection, kind: 'remove', id: each, version })
    if (found.next !== null) return { of: id, changes, isComplete: false }
  }
  return { of: id, changes, isComplete: true }
}

/** Removes what is left of the objects that are deleted with a deleted one, and returns their number. */
export const removeDependents = async (
  session: Pick<Session, 'documents'>,
  resource: Resource,
  id: string,
): Promise<number> => {
  let removed = 0
  for (let attempted = 0; attempted <= attempts;) {
    const dependents = await dependentsOn(session, resource, id)
    const { length } = dependents.changes
    if (length === 0) return removed
    if (E.isRight(await session.documents.change([], dependents))) {
      removed += length
      attempted = 0
    } else attempted += 1
  }
  fail(contended)
}

/** Removes an object with what is deleted with it, as far as that fits into one write; the rest follows. */
const removeWhole = async (session: Session, resource: Resource, current: Document): Attempt<void> => {
  const { documents } = session
  const { collection } = resource
  const { id, version, value } = current
  const dependents = await dependentsOn(session, resource, id)
  const cascade = dependents.isComplete ? null : cascadeOf(session, resource, id)
  const together: Change[] = []
  for (const removed of session.topics.removed)
    together.push(...(await removed(session, { resource, id }, value)))
  const referring = cascade === null ? (resource.dependences ?? []) : blockersOf(resource)
  const changes: readonly Change[] = [
    { collection, kind: 'remove', id, version },
    ...together,
    ...(cascade === null ? [] : [cascade]),
    ...referring.map((each): Change => ({
      collection: each.collection,
      kind: 'expect none',
      selection: { where: [{ key: each.key, equals: id }] },
    })),
  ]
  const removed = await documents.change(changes, dependents)
  if (E.isLeft(removed)) return removed
  if (cascade !== null) await carryOut(session, cascade, () => removeDependents(session, resource, id))
  return E.right(undefined)
}

/** Removes the object, or replaces it by its placeholder if others refer to it. */
const removeOrReplace = async (
  session: Session,
  resource: Resource,
  current: Document,
  failWith: Fail<'InUse'>,
): Attempt<Removal['how']> => {
  const { documents, localTime } = session
  const blocker = await blockerOf(session, resource, current.id)
  const decided = decideRemoval(resource, current.value, blocker, localTime)
  if (E.isLeft(decided)) return failWith(decided.left)
  const decision = decided.right
  if (decision.how === 'removed') {
    // An initial document is not stored.
    if (current.version === 0) return E.right('removed')
    const removed = await removeWhole(session, resource, current)
    return E.isLeft(removed) ? removed : E.right('removed')
  }
  if (decision.state === null) return E.right('replaced')
  const document = replacementOf(resource, current, decision.state)
  const replaced = await documents.change([{ collection: resource.collection, kind: 'replace', document }])
  return E.isLeft(replaced) ? replaced : E.right('replaced')
}

/** Whether a deletion is retried after a conflict; throws what it fails with otherwise. */
const isRetried = (conflict: WriteConflict): true => {
  if (conflict._tag === 'VersionConflict') return true
  fail(conflict._tag === 'DocumentTooLarge' ? tooLarge(conflict.limit) : contended)
}

/** Removes a placeholder without references, then the placeholder that it refers to. */
const removeUnusedPlaceholders = async (
  session: Session,
  resource: Resource,
  id: unknown,
  failWith: Fail<'InUse'>,
): Promise<void> => {
  const replaced = placeholderOf(resource)
  if (replaced === undefined || typeof id !== 'string') return
  // After the last attempt, a concurrent deletion is changing it.
  for (let attempted = 0; attempted < attempts; attempted += 1) {
    const found = await session.documents.get(resource.collection, id)
    if (found === null || !replaced.by.is(found.value)) return
    const deletion = await removeOrReplace(session, resource, found, failWith)
    if (E.isLeft(deletion)) isRetried(deletion.left)
    else if (deletion.right === 'replaced') return
    else return removeUnusedPlaceholders(session, resource, found.value[replaced.key], failWith)
  }
}

/** Deletes an object, and retries if others change it concurrently. */
const deleteObject = async (
  session: Session,
  resource: Resource,
  id: string,
  failWith: Fail<'InUse'>,
): Promise<Deletion> => {
  const { precondition } = session
  for (let attempted = 0; attempted <= attempts; attempted += 1) {
    const document = await findObject(session, resource, id)
    if (document === null) failWith(notFound)
    throwIf(writeProblem(resource, session, { before: document.value, after: null }))
    if (precondition !== undefined) await checkPrecondition(session, precondition, resource, document)
    const deleted = await removeOrReplace(session, resource, document, failWith)
    if (E.isRight(deleted)) return { how: deleted.right, document }
    isRetried(deleted.left)
  }
  failWith(contended)
}

/** Removes what nothing refers to any more after a deletion; data only if the object is not in the trash. */
const cascade = async (
  session: Session,
  resource: Resource,
  { how, document }: Deletion,
  failWith: Fail<'InUse'>,
): Promise<void> => {
  // The last reference to it may have been removed in the meantime.
  if (how === 'replaced') return removeUnusedPlaceholders(session, resource, document.id, failWith)
  if (!retainsRemoved(session, resource))
    await session.topics.afterRemoval.get(resource.collection)?.(session, document)
  const replaced = placeholderOf(resource)
  if (replaced !== undefined)
    await removeUnusedPlaceholders(session, resource, document.value[replaced.key], failWith)
}

/**
 * Deletes an object and what is deleted with it. References to it are then read as null
 * (docs/behaviour/writing.md#deleted-targets).
 */
export const removeObject = (
  resource: Resource,
): WriteOperation<{ readonly id: string }, void, 'InUse' | 'MethodNotAllowed'> => ({
  ...operations.removeObject(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id }, failWith) => {
    const prevented = preventionOf(resource, id)
    if (prevented !== null) failWith(prevented)
    const deletion = await session.exclusively(`${resource.collection}/${id}`, () =>
      deleteObject(session, resource, id, failWith),
    )
    await cascade(session, resource, deletion, failWith)
  },
})
