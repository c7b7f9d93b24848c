/**
 * References that matter to the deletion of their target, such as the section of an article. The store has no
 * transaction over both documents, so the deletion marks its target and looks for references after that, and a writer
 * looks at the target after it has written the reference: one of the two sees the other.
 */
import {
  E,
  fault,
  firstPerPath,
  missingTarget,
  resources,
  uniqueTextOf,
  urlnameOf,
  withComputed,
  type Dependence,
  type Fault,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import type { Document, PortFailure, WriteFailure } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-documents.js'

const attempts = 50

/**
 * A key in the stored value of an object that is being deleted. It is no attribute: a write of the object drops it,
 * and with it ends the deletion, whose removal names the version that it has marked.
 */
const deletionMark = 'being_deleted'

type AddedReference = { readonly target: Resource; readonly dependence: Dependence; readonly id: string }

/** The references to objects of a resource that its deletions look for. */
export const dependencesOf = ({ blockers = [], dependents = [] }: Resource): readonly Dependence[] => [
  ...blockers,
  ...dependents,
]

/** The references of a state that a deletion looks for and that the state before it did not have. */
const addedReferences = (
  resource: Resource,
  state: JsonObject,
  previous: JsonObject | null,
): readonly AddedReference[] =>
  resources.flatMap((target) =>
    dependencesOf(target).flatMap((dependence) => {
      const id = state[dependence.key]
      return dependence.collection === resource.collection &&
        typeof id === 'string' &&
        id !== previous?.[dependence.key]
        ? [{ target, dependence, id }]
        : []
    }),
  )

/** The same document with the mark of its deletion. */
export const addDeletionMark = (documents: InstanceDocuments, resource: Resource, document: Document) =>
  documents.replace(resource.collection, {
    id: document.id,
    version: document.version,
    unique: uniqueTextOf(resource, document.value),
    value: { ...document.value, [deletionMark]: true },
    urgent: true,
  })

/** The value without the mark. */
export const withoutDeletionMark = ({ [deletionMark]: _mark, ...value }: JsonObject): JsonObject => value

/** Takes the mark back; VersionConflict where another writer has changed or removed the document since. */
export const removeDeletionMark = (
  documents: InstanceDocuments,
  resource: Resource,
  { id, version, value: deleted }: Document,
) => {
  const value = withoutDeletionMark(deleted)
  return documents.replace(resource.collection, {
    id,
    version,
    unique: uniqueTextOf(resource, value),
    value,
    urgent: true,
  })
}

/** Whether the target exists and is not being deleted; a deletion that is under way is ended. */
const targetExists = async (
  documents: InstanceDocuments,
  { target, id }: AddedReference,
): Promise<E.Either<PortFailure, boolean>> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await documents.get(target.collection, id)()
    if (E.isLeft(found)) return found
    if (found.right === null) return E.right(false)
    if (found.right.value[deletionMark] === undefined) return E.right(true)
    const ended = await removeDeletionMark(documents, target, found.right)()
    if (E.isRight(ended)) return E.right(true)
    if (ended.left._tag === 'PortFailure') return E.left(ended.left)
  }
  return E.right(false)
}

/** A urlname that no other object has, for an object that comes to a scope where its own is taken. */
const withUniqueUrlname = (state: JsonObject, id: string): JsonObject => ({
  ...state,
  urlname: `${urlnameOf(state).slice(0, 60)}-${id}`,
})

/** Removes an object that refers to one that is gone; nothing where it refers to another by now, or is gone too. */
export const removeReferring = async (
  documents: InstanceDocuments,
  { collection, key }: Dependence,
  id: string,
  target: string,
): Promise<E.Either<WriteFailure, void>> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await documents.get(collection, id)()
    if (E.isLeft(found)) return found
    if (found.right === null || found.right.value[key] !== target) return E.right(undefined)
    const removed = await documents.remove(collection, id, found.right.version)()
    if (E.isRight(removed) || removed.left._tag !== 'VersionConflict') return removed
  }
  return E.left({ _tag: 'VersionConflict' })
}

/** Clears a reference to an object that is gone; nothing where the document has another one by now, or is gone too. */
const clearReference = async (
  documents: InstanceDocuments,
  resource: Resource,
  id: string,
  key: string,
  target: string,
): Promise<E.Either<WriteFailure, void>> => {
  let rename = false
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await documents.get(resource.collection, id)()
    if (E.isLeft(found)) return found
    if (found.right === null || found.right.value[key] !== target) return E.right(undefined)
    const cleared = { ...found.right.value, [key]: null }
    const value = withComputed(resource, rename ? withUniqueUrlname(cleared, id) : cleared)
    const written = await documents.replace(resource.collection, {
      id,
      version: found.right.version,
      unique: uniqueTextOf(resource, value),
      value,
      urgent: true,
    })()
    if (E.isRight(written)) return E.right(undefined)
    if (written.left._tag === 'UniqueConflict' && !rename) rename = true
    else if (written.left._tag !== 'VersionConflict') return written
  }
  return E.left({ _tag: 'VersionConflict' })
}

/** Ends a reference to an object that is gone: with the object that has it where that is deleted with its target. */
export const resolveDanglingReference = (
  documents: InstanceDocuments,
  resource: Resource,
  id: string,
  { target, dependence }: Pick<AddedReference, 'target' | 'dependence'>,
  targetId: string,
): Promise<E.Either<WriteFailure, void>> => {
  // Where a deletion leaves a placeholder, only a write that was never confirmed refers to nothing.
  const isRemoved = target.placeholder !== undefined || target.dependents?.includes(dependence) === true
  return isRemoved
    ? removeReferring(documents, dependence, id, targetId)
    : clearReference(documents, resource, id, dependence.key, targetId)
}

/**
 * Looks at the targets of the references that a write has added. Where one is gone the write is taken back, and the
 * fault says so: a new document is removed, a changed one gets its previous value. One that another has changed
 * since, or whose previous reference is gone by now, only loses the reference.
 */
export const confirmReferences = async (
  documents: InstanceDocuments,
  resource: Resource,
  written: Document,
  previous: JsonObject | null,
): Promise<E.Either<WriteFailure, readonly Fault[]>> => {
  const { collection } = resource
  const { id, version, value } = written

  const missingAmong = async (
    added: readonly AddedReference[],
  ): Promise<E.Either<PortFailure, readonly AddedReference[]>> => {
    const missing: AddedReference[] = []
    for (const reference of added) {
      const exists = await targetExists(documents, reference)
      if (E.isLeft(exists)) return exists
      if (!exists.right) missing.push(reference)
    }
    return E.right(missing)
  }

  const undoWrite = (): Promise<E.Either<WriteFailure, unknown>> =>
    previous === null
      ? documents.remove(collection, id, version)()
      : documents.replace(collection, {
          id,
          version,
          unique: uniqueTextOf(resource, previous),
          value: previous,
          urgent: true,
        })()

  const lost = await missingAmong(addedReferences(resource, value, previous))
  if (E.isLeft(lost) || lost.right.length === 0) return E.isLeft(lost) ? lost : E.right([])
  const undone = await undoWrite()
  if (E.isLeft(undone) && undone.left._tag === 'PortFailure') return undone
  const dangling = E.isLeft(undone)
    ? lost
    : await missingAmong(previous === null ? [] : addedReferences(resource, previous, value))
  if (E.isLeft(dangling)) return dangling
  for (const held of dangling.right) {
    const detached = await resolveDanglingReference(documents, resource, id, held, held.id)
    if (E.isLeft(detached)) return detached
  }
  return E.right(
    firstPerPath(
      lost.right.map(({ target, dependence: { key, reported = key } }) =>
        fault(reported, missingTarget(target)),
      ),
    ),
  )
}
