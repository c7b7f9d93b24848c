import { badParameters, notFound, type Fault, type Resource } from '@publishing-service/domain'
import { constNull, E, type Either } from '@publishing-service/domain/fp'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import { writeProblem } from '@publishing-service/domain/roles'
import { withTouched } from '@publishing-service/domain/engine'
import {
  putDocument,
  removeDocument,
  type DocumentWrite,
  type Change,
  type Clock,
  type Document,
  type Replacement,
} from '@publishing-service/ports'
import { fail, throwIf } from '../attempt.js'
import { unrecorded, type Recorded } from '../recording.js'
import type { Caller } from '../caller.js'
import { contended, tooLarge } from '../failure.js'
import { writtenBy, type InstanceDocuments, type WriteConflict, type Written } from '../instance-store.js'
import type { KeyedMutex } from '../keyed-mutex.js'

/** The first attempt, and its repetitions after conflicts. */
const attempts = 21

/** Adds other changes to a write. */
export type Together = (...changes: readonly Change[]) => void

/** The value of a document; null if there is none. */
type Value = JsonObject | null

/** Returns the value after the change. */
export type ValueChange<Before extends Value, After extends Value> = (
  before: Before,
  together: Together,
) => Promise<After>

/** A collection, with the unique text of each of its documents; such as a resource. */
export type Target = {
  readonly collection: string
  readonly uniqueText: (value: JsonObject) => string | null
  /** The fault of a value whose unique text another document has. Without one, the write is Unavailable. */
  readonly taken?: Fault
}

/** A collection whose documents have no unique text. */
export const targetIn = (collection: string): Target => ({ collection, uniqueText: constNull })

type WriteCall<Before extends Value, After extends Value> = readonly [
  target: Target,
  id: string,
  change: ValueChange<Before, After>,
  recorded?: Recorded<Written>,
]

/** Writes one document of a set of documents, as `writeDocument` does. */
export type WriteDocument = <A extends Value>(...call: WriteCall<Value, A>) => Promise<A>

/** Changes one document of a set of documents, as `updateDocument` does. */
export type UpdateDocument = (...call: WriteCall<JsonObject, JsonObject>) => Promise<JsonObject>

/** Where documents are written: writes of one document run one at a time. */
type Writing = {
  readonly documents: Pick<InstanceDocuments, 'get' | 'write'>
  readonly exclusively: KeyedMutex
  readonly clock: Pick<Clock, 'position'>
}

/** The write of a value in place of another one; null if there is nothing to write. */
const writeOf = (
  { clock }: Writing,
  { collection, uniqueText }: Target,
  id: string,
  found: Document | null,
  value: Value,
): DocumentWrite | null => {
  if (value !== null) return putDocument(collection, { id, unique: uniqueText(value), value }, found, clock)
  return found === null ? null : removeDocument(collection, found)
}

/**
 * Inserts, changes or removes one document by a function of its value, and returns the new value. The function receives the
 * current value at each attempt. `recorded` adds records to the write.
 */
export const writeDocument = <A extends Value>(
  at: Writing,
  ...[target, id, change, recorded = unrecorded.write]: WriteCall<Value, A>
): Promise<A> =>
  at.exclusively(`${target.collection}/${id}`, async () => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const found = await at.documents.get(target.collection, id)
      const before = found?.value ?? null
      const together: Change[] = []
      const value = await change(before, (...others) => together.push(...others))
      const own = writeOf(at, target, id, found, value)
      if (own === null || (together.length === 0 && jsonEqual(value, before))) return value
      const written = await recorded(writtenBy(own), (appended) =>
        at.documents.write([own, ...together], appended),
      )
      if (E.isRight(written)) return value
      const failure = written.left
      if (failure._tag === 'DocumentTooLarge') fail(tooLarge(failure.limit))
      if (failure._tag === 'UniqueConflict' && failure.change === 0 && target.taken !== undefined)
        fail(badParameters([target.taken]))
      if (failure._tag !== 'VersionConflict') break
    }
    fail(contended)
  })

/** The same for a document that must exist, and remains; NotFound if it does not exist. */
export const updateDocument = (
  at: Writing,
  ...[target, id, change, recorded]: WriteCall<JsonObject, JsonObject>
): Promise<JsonObject> =>
  writeDocument(
    at,
    target,
    id,
    async (before, together) => (before === null ? fail(notFound) : change(before, together)),
    recorded,
  )

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
  Writing & {
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
