import {
  E,
  notFound,
  operations,
  pipe,
  TE,
  uniqueTextOf,
  withComputed,
  writeProblem,
  type JsonObject,
  type Placeholder,
  type Problem,
  type Resource,
} from '@publishing-service/domain'
import type { Document, WriteFailure } from '@publishing-service/ports'
import { contended, failIf, type Failure, type Outcome } from '../failure.js'
import { removeFileData } from '../files/upload-blobs.js'
import type { WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { leavePlace } from '../paths/write-at-place.js'
import { checkPrecondition } from './check-precondition.js'
import { forEachPage } from './for-each-page.js'
import {
  addDeletionMark,
  removeReferring,
  removeDeletionMark,
  withoutDeletionMark,
} from './confirm-references.js'
import { initialDocument } from './read-object.js'

const attempts = 20

const inUse = (by: string): Problem => ({ _tag: 'InUse', by })

/**
 * Cascades by collection, executed after an object is deleted. Their failure does not restore the object. Another
 * object may have the same id by then, so only data that the deleted document refers to is removed.
 */
const onDeleted: Readonly<Record<string, (session: Session, deleted: Document) => Outcome<void>>> = {
  files: removeFileData,
}

/** A completed deletion: its result, and the document before it. */
type Deletion = { readonly how: 'removed' | 'replaced'; readonly document: Document }

const batchSize = 100

const checkUnused = ({ documents }: Session, { blockers = [] }: Resource, id: string): Outcome<void> =>
  blockers.reduce<Outcome<void>>(
    (before, { collection, key, what }) =>
      pipe(
        before,
        TE.chainW(() =>
          documents.find(collection, {
            where: [{ key, equals: id }],
            order: [],
            skip: 0,
            limit: 1,
            detail: 'light',
          }),
        ),
        TE.chainW((page) =>
          page.documents.length === 0 ? TE.right(undefined) : TE.left<Failure>(inUse(what)),
        ),
      ),
    TE.right(undefined),
  )

const failureOf = (failure: WriteFailure | Failure): Failure | 'again' => {
  switch (failure._tag) {
    case 'VersionConflict':
      return 'again'
    case 'DocumentTooLarge':
      return { _tag: 'TooLarge', limit: failure.limit }
    case 'UniqueConflict':
      return contended
    default:
      return failure
  }
}

type Removal<A> = TE.TaskEither<WriteFailure | Failure, A>

/**
 * Removes an object to which concurrent writes may add references: records the removal, marks the object, checks for
 * references again, and removes the version that it has marked.
 */
const removeReferable = (session: Session, resource: Resource, current: Document): Removal<void> => {
  const { documents, recordCascade, instance } = session
  return pipe(
    recordCascade(resource, instance.number, current.id),
    TE.chainW(() => addDeletionMark(documents, resource, current)),
    TE.chainW((own) =>
      pipe(
        checkUnused(session, resource, current.id),
        TE.orElse((failure) => async () => {
          // If this fails, the next writer of a reference removes the mark.
          if (failure._tag === 'InUse') await removeDeletionMark(documents, resource, own)()
          return E.left(failure)
        }),
        TE.chainW(() => documents.remove(resource.collection, own.id, own.version)),
      ),
    ),
  )
}

const removal = (session: Session, resource: Resource, current: Document): Removal<void> => {
  const { documents, recordCascade, instance } = session
  const { collection, blockers, dependents } = resource
  // An initial document is not stored.
  if (current.version === 0) return TE.right(undefined)
  if (blockers !== undefined) return removeReferable(session, resource, current)
  const remove = documents.remove(collection, current.id, current.version)
  return dependents === undefined
    ? remove
    : pipe(
        recordCascade(resource, instance.number, current.id),
        TE.chainW(() => remove),
      )
}

/** Replaces an object that others refer to by its placeholder. */
const replaceByPlaceholder = (
  { documents, localTime: now }: Session,
  resource: Resource,
  placeholder: Placeholder<JsonObject>,
  { id, version, value: current }: Document,
): Removal<void> => {
  if (placeholder.is(current)) return TE.right(undefined)
  const value = withComputed(resource, placeholder.of(withoutDeletionMark(current), now))
  return pipe(
    documents.replace(resource.collection, {
      id,
      version,
      unique: uniqueTextOf(resource, value),
      value,
      urgent: true,
    }),
    TE.map(() => undefined),
  )
}

/** Removes the object, or replaces it by its placeholder if others refer to it. */
const removeOrReplace = (
  session: Session,
  resource: Resource,
  current: Document,
): Removal<'removed' | 'replaced'> => {
  const { placeholder } = resource
  const whileUnused: Removal<'removed' | 'replaced'> = pipe(
    checkUnused(session, resource, current.id),
    TE.chainW(() => removal(session, resource, current)),
    TE.map(() => 'removed' as const),
  )
  if (placeholder === undefined) return whileUnused
  return pipe(
    whileUnused,
    TE.orElse((failure) =>
      failure._tag === 'InUse'
        ? pipe(
            // If a reference was added during the removal, the version has changed and the deletion is retried.
            replaceByPlaceholder(session, resource, placeholder, current),
            TE.map(() => 'replaced' as const),
          )
        : TE.left(failure),
    ),
  )
}

/** Removes a placeholder without references, then the placeholder that it refers to. */
const removeUnusedPlaceholders = async (
  session: Session,
  resource: Resource,
  id: unknown,
): Promise<E.Either<Failure, void>> => {
  const { placeholder } = resource
  if (placeholder === undefined || typeof id !== 'string') return E.right(undefined)
  for (let left = attempts; left > 0; left -= 1) {
    const found = await session.documents.get(resource.collection, id)()
    if (E.isLeft(found)) return found
    if (found.right === null || !placeholder.is(found.right.value)) return E.right(undefined)
    const deletion = await removeOrReplace(session, resource, found.right)()
    if (E.isRight(deletion))
      return deletion.right === 'removed'
        ? removeUnusedPlaceholders(session, resource, found.right.value[placeholder.within])
        : E.right(undefined)
    const reason = failureOf(deletion.left)
    if (reason !== 'again') return E.left(reason)
  }
  // A concurrent deletion is changing it.
  return E.right(undefined)
}

/** Removes the objects that are deleted with the one that they refer to. */
const removeDependents = async (
  { documents }: Session,
  { dependents = [] }: Resource,
  id: string,
): Promise<E.Either<Failure, void>> => {
  for (const dependence of dependents) {
    const { collection, key } = dependence
    const found: string[] = []
    const read = await forEachPage(
      { documents, collection, where: [{ key, equals: id }], limit: batchSize },
      (page) => page.forEach((each) => found.push(each.id)),
    )()
    if (E.isLeft(read)) return read
    for (let start = 0; start < found.length; start += batchSize) {
      const batch = found.slice(start, start + batchSize)
      const removed = await Promise.all(batch.map((each) => removeReferring(documents, dependence, each, id)))
      for (const outcome of removed)
        if (E.isLeft(outcome)) {
          const reason = failureOf(outcome.left)
          return E.left(reason === 'again' ? contended : reason)
        }
    }
  }
  return E.right(undefined)
}

const attempt = (session: Session, resource: Resource, id: string, left: number): Outcome<Deletion> =>
  pipe(
    session.documents.get(resource.collection, id),
    TE.chainW((stored) => {
      const current = stored ?? initialDocument(resource, id)
      return current === null ? TE.left<Failure>(notFound) : TE.right(current)
    }),
    TE.chainFirst(({ value }) => failIf(writeProblem(resource, session, { before: value, after: null }))),
    TE.chainFirst((current) =>
      session.precondition === undefined
        ? TE.right(undefined)
        : checkPrecondition(session, session.precondition, resource, id, current),
    ),
    TE.chain((current) =>
      pipe(
        leavePlace(session, { resource, id }, current.value, removeOrReplace(session, resource, current)),
        TE.map((how) => ({ how, document: current })),
        TE.orElse((failure: WriteFailure | Failure) => {
          const reason = failureOf(failure)
          if (reason !== 'again') return TE.left(reason)
          return left > 0 ? attempt(session, resource, id, left - 1) : TE.left(contended)
        }),
      ),
    ),
  )

/** Removes what is deleted together with a deleted object. */
const cascade = async (
  session: Session,
  resource: Resource,
  { how, document }: Deletion,
): Promise<E.Either<Failure, void>> => {
  // The last reference to it may have been removed in the meantime.
  if (how === 'replaced') return removeUnusedPlaceholders(session, resource, document.id)
  const removed = await removeDependents(session, resource, document.id)
  if (E.isLeft(removed)) return removed
  const followed = await (onDeleted[resource.collection]?.(session, document) ?? TE.right(undefined))()
  if (E.isLeft(followed) || resource.placeholder === undefined) return followed
  return removeUnusedPlaceholders(session, resource, document.value[resource.placeholder.within])
}

/**
 * Deletes an object and what is deleted with it. References to it are then read as null
 * (docs/behaviour/writing.md#deleted-targets).
 */
export const removeObject = (resource: Resource): WriteOperation<{ readonly id: string }, void> => ({
  ...operations.removeObject(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, { id }) => {
    const reason = resource.preventsDeletion?.(id) ?? null
    if (reason !== null)
      return TE.left({
        _tag: 'MethodNotAllowed',
        allowed: ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS'],
        hint: reason,
      })
    return pipe(
      session.exclusively(`${resource.collection}/${id}`, attempt(session, resource, id, attempts)),
      TE.chain((ended) => () => cascade(session, resource, ended)),
    )
  },
})
