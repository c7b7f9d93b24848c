/**
 * References that a deletion of their target has to consider, such as the section of an article. The store has no
 * transaction over both documents. So a deletion marks its target and then searches for references, and a writer writes
 * its reference and then checks the target: at least one of the two detects the other.
 */
import { fault, firstPerPath, type Fault, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Dependence } from '@publishing-service/domain/declare'
import { urlnameOf } from '@publishing-service/domain/paths'
import {
  addedDependencies,
  missingTarget,
  newPlace,
  undoneWrite,
  withComputed,
  type Dependency,
} from '@publishing-service/domain/engine'
import type { Document } from '@publishing-service/ports'
import { contended } from '../failure.js'
import type { InstanceDocuments, InstanceStore } from '../instance-store.js'
import { type Surroundings, writeAtPlace } from '../paths/places.js'
import type { Session } from '../session.js'
import { deletionMark, withDeletionMark, withoutDeletionMark } from '../urgent-changes.js'
import { replacementOf, replaceValue } from './update-document.js'

const attempts = 50

/** The same document with the mark of its deletion. */
export const addDeletionMark = (documents: InstanceDocuments, resource: Resource, document: Document) =>
  replaceValue(documents, resource, document, withDeletionMark(document.value))

/** Removes the mark; VersionConflict if another writer has changed or removed the document. */
export const removeDeletionMark = (documents: InstanceDocuments, resource: Resource, document: Document) =>
  replaceValue(documents, resource, document, withoutDeletionMark(document.value))

/** Whether the target exists. A deletion of it that is running is cancelled. */
const targetExists = async (documents: InstanceDocuments, { target, id }: Dependency): Promise<boolean> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await documents.get(target.collection, id)
    if (found === null) return false
    if (found.value[deletionMark] === undefined) return true
    if (E.isRight(await removeDeletionMark(documents, target, found))) return true
  }
  return false
}

/** The state with a unique urlname, for an object that moves to a scope in which its urlname is taken. */
const withUniqueUrlname = (state: JsonObject, id: string): JsonObject => ({
  ...state,
  urlname: `${urlnameOf(state).slice(0, 60)}-${id}`,
})

/** The documents of an instance, whose changes have records. */
type RecordedDocuments = InstanceDocuments & Pick<InstanceStore, 'change'>

/**
 * Removes an object that refers to a deleted one, unless it now refers to another or is deleted too. `within` is the id of the
 * object that it is removed with; null if it is removed by itself.
 */
export const removeReferring = async (
  documents: Pick<RecordedDocuments, 'get' | 'change'>,
  { collection, key }: Dependence,
  id: string,
  target: string,
  within: string | null,
): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await documents.get(collection, id)
    if (found === null || found.value[key] !== target) return
    const { version } = found
    if (E.isRight(await documents.change(collection, { kind: 'remove', id, version }, within))) return
  }
  throw contended
}

/** Clears a reference to a deleted object, unless the document now refers to another or is deleted too. */
const clearReference = async (
  at: Surroundings & { readonly documents: RecordedDocuments },
  resource: Resource,
  id: string,
  key: string,
  target: string,
): Promise<void> => {
  const { documents } = at
  let rename = false
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await documents.get(resource.collection, id)
    if (found === null || found.value[key] !== target) return
    const cleared = { ...found.value, [key]: null }
    const value = withComputed(resource, rename ? withUniqueUrlname(cleared, id) : cleared)
    const document = replacementOf(resource, found, value)
    const replace = () => documents.change(resource.collection, { kind: 'replace', document })
    const previous = found.value
    const place = newPlace(resource, previous, value)
    const written = await writeAtPlace(at, { resource, id }, previous, place, replace)
    if (E.isRight(written)) return
    if (written.left._tag === 'UniqueConflict' && !rename) rename = true
    else if (written.left._tag !== 'VersionConflict') break
  }
  throw contended
}

/** Clears a reference to a deleted object, or removes the referring object if that is deleted with its target. */
export const resolveDanglingReference = (
  at: Surroundings & { readonly documents: RecordedDocuments },
  resource: Resource,
  id: string,
  { target, dependence }: Pick<Dependency, 'target' | 'dependence'>,
  targetId: string,
): Promise<void> => {
  // If deletions leave a placeholder, only writes that were not confirmed can refer to a missing object.
  const isDependent = target.dependents?.includes(dependence) === true
  return isDependent || target.placeholder !== undefined
    ? removeReferring(at.documents, dependence, id, targetId, isDependent ? targetId : null)
    : clearReference(at, resource, id, dependence.key, targetId)
}

/** Undoes a write, whose result others may change meanwhile. Returns the state that the object has then; null if it has none. */
const undoWrite = async (
  session: Session,
  resource: Resource,
  written: Document,
  previous: JsonObject | null,
): Promise<JsonObject | null> => {
  const { documents } = session
  const { collection } = resource
  const { id } = written
  let current: Document | null = written
  for (let attempt = 0; attempt < attempts && current !== null; attempt += 1) {
    const { version } = current
    const last = withoutDeletionMark(current.value)
    const state = undoneWrite(resource, previous, written.value, last)
    if (state === last) return state
    const undone = await (state === null
      ? documents.undo(collection, { kind: 'remove', id, version })
      : writeAtPlace(session, { resource, id }, last, newPlace(resource, last, state), () =>
          documents.undo(collection, {
            kind: 'replace',
            document: replacementOf(resource, { id, version }, state),
          }),
        ))
    if (E.isRight(undone)) return state
    // Another object may have the former urlname by now.
    if (undone.left._tag !== 'VersionConflict') return last
    current = await documents.get(collection, id)
  }
  return current?.value ?? null
}

/**
 * Checks the targets of the references that a write has added. If one is deleted, the write is undone and a fault
 * returned. A reference to a deleted object that the object has then is cleared.
 */
export const confirmReferences = async (
  session: Session,
  resource: Resource,
  written: Document,
  previous: JsonObject | null,
  added: readonly Dependency[],
): Promise<readonly Fault[]> => {
  const missingAmong = async (references: readonly Dependency[]): Promise<readonly Dependency[]> => {
    const missing: Dependency[] = []
    for (const reference of references) {
      const exists = await targetExists(session.documents, reference)
      if (!exists) missing.push(reference)
    }
    return missing
  }

  const lost = await missingAmong(added)
  if (lost.length === 0) return []
  const state = await undoWrite(session, resource, written, previous)
  const remaining = state === null ? [] : addedDependencies(resource, null, state)
  for (const reference of await missingAmong(remaining))
    await resolveDanglingReference(session, resource, written.id, reference, reference.id)
  return firstPerPath(
    lost.map(({ target, dependence: { key, reported = key } }) =>
      fault(reported, 'reference', missingTarget(target)),
    ),
  )
}
