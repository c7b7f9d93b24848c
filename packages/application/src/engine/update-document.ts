import { notFound, type Resource } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import { writeProblem } from '@publishing-service/domain/roles'
import { withTouched } from '@publishing-service/domain/engine'
import type { Change, Document, Replacement } from '@publishing-service/ports'
import { fail, throwIf } from '../attempt.js'
import { unrecorded, type Recorded } from '../recording.js'
import type { Caller } from '../caller.js'
import { contended, tooLarge } from '../failure.js'
import { replacedBy, type InstanceDocuments, type WriteConflict, type Written } from '../instance-store.js'
import type { KeyedMutex } from '../keyed-mutex.js'

/** The first attempt, and its repetitions after conflicts. */
const attempts = 21

/** Adds other changes to a write. */
export type Together = (...changes: readonly Change[]) => void

/** Returns the value after the change. */
export type ValueChange = (value: JsonObject, together: Together) => Promise<JsonObject>

/** A collection, with the unique text of each of its documents; such as a resource. */
export type Target = {
  readonly collection: string
  readonly uniqueText: (value: JsonObject) => string | null
}

/** Changes one document of a set of documents, as `updateDocument` does. */
export type UpdateDocument = (
  target: Target,
  id: string,
  change: ValueChange,
  recorded?: Recorded<Written>,
) => Promise<JsonObject>

/** Where documents are updated: writes of one document run one at a time. */
type Updating = {
  readonly documents: Pick<InstanceDocuments, 'get' | 'write'>
  readonly exclusively: KeyedMutex
}

/**
 * Changes the value of one document by a function, and returns the new value. The function receives the current value
 * at each attempt. NotFound if the document does not exist. `recorded` adds records to the write of the new value.
 */
export const updateDocument = (
  { documents, exclusively }: Updating,
  { collection, uniqueText }: Target,
  id: string,
  change: ValueChange,
  recorded: Recorded<Written> = unrecorded.write,
): Promise<JsonObject> =>
  exclusively(`${collection}/${id}`, async (): Promise<JsonObject> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const found = await documents.get(collection, id)
      if (found === null) fail(notFound)
      const { version, value: before } = found
      const together: Change[] = []
      const value = await change(before, (...others) => together.push(...others))
      if (together.length === 0 && jsonEqual(value, before)) return value
      const document = { id, version, unique: uniqueText(value), value }
      const written = await recorded(replacedBy(collection, document), (appended) =>
        documents.write([{ collection, kind: 'replace', document }, ...together], appended),
      )
      if (E.isRight(written)) return value
      const failure = written.left
      if (failure._tag === 'DocumentTooLarge') fail(tooLarge(failure.limit))
      if (failure._tag !== 'VersionConflict') break
    }
    fail(contended)
  })

/** An object with this value, in place of a version of its document. */
export const replacementOf = (
  resource: Resource,
  { id, version }: Pick<Document, 'id' | 'version'>,
  value: JsonObject,
): Replacement => ({ id, version, unique: resource.uniqueText(value), value })

/** Writes an object with this value, in place of a version of its document, without a record. */
export const replaceValue = (
  documents: Pick<InstanceDocuments, 'replace'>,
  resource: Resource,
  document: Pick<Document, 'id' | 'version'>,
  value: JsonObject,
): Promise<Either<WriteConflict, Document>> =>
  documents.replace(resource.collection, replacementOf(resource, document, value))

/** Writes an object unchanged, so that a write which is based on this version of it cannot be applied anymore. */
export const writeUnchanged = (
  documents: Pick<InstanceDocuments, 'replace'>,
  resource: Resource,
  document: Document,
): Promise<Either<WriteConflict, Document>> => replaceValue(documents, resource, document, document.value)

/** Changes an object, or its draft. */
export type ChangeObject = (
  resource: Resource,
  id: string,
  change: (state: JsonObject) => Promise<JsonObject>,
) => Promise<JsonObject>

/** Who changes an object, and where. */
type Changing = Caller &
  Updating & {
    readonly documents: { readonly recorded: Recorded<Written> }
    /** Changes drafts in place of the objects; null if the objects are changed. */
    readonly draftChange: ChangeObject | null
  }

/** Changes an object that the caller may change, or its draft. By default with the record of the change. */
export const changeObject = (
  session: Changing,
  resource: Resource,
  id: string,
  change: (state: JsonObject) => Promise<JsonObject>,
  recorded: Recorded<Written> = session.documents.recorded,
): Promise<JsonObject> => {
  if (session.draftChange !== null) return session.draftChange(resource, id, change)
  const changed = async (before: JsonObject): Promise<JsonObject> => {
    throwIf(writeProblem(resource, session, { before, after: before }))
    const after = await change(before)
    return jsonEqual(after, before) ? before : withTouched(resource, after, session.localTime)
  }
  return updateDocument(session, resource, id, changed, recorded)
}
