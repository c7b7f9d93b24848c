/** The versions of an object, which the records of its changes have (docs/behaviour/history.md). */
import { notFound, type Resource } from '@publishing-service/domain'
import { operations, writeProblem } from '@publishing-service/domain/access'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Document } from '@publishing-service/ports'
import { throwIf } from '../attempt.js'
import type { ChangeRecord } from '../audit/change-records.js'
import { checkPrecondition, initialDocument, showObject } from '../engine/read-one.js'
import { writeObject } from '../engine/write.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'

/** A version of an object: the record of the change that made it, null if that is not kept. */
type Version = {
  readonly number: number
  readonly record: ChangeRecord | null
  /** The record of the next change, which has the state of this version; null for the state that the object has. */
  readonly next: ChangeRecord | null
}

/** The versions that are kept, the newest first. */
async function* versionsOf(
  session: Pick<Session, 'records' | 'deployment'>,
  resource: Resource,
  current: Document,
  detail: 'light' | 'full',
): AsyncGenerator<Version, void, void> {
  const { keptVersions } = session.deployment
  let next: Version['next'] = null
  let count = 0
  for await (const record of session.records.ofObject(resource.collection, current.id, detail)) {
    if (record.kind !== 'remove') {
      yield { number: record.version, record, next }
      count += 1
    }
    next = record
    if (count === keptVersions || (record.kind === 'insert' && record.version === 1)) return
  }
  // The state before the first record, if the object was not created with it, or the present one without a record.
  if (next !== null && next.kind === 'replace') yield { number: next.version - 1, record: null, next }
  if (next === null && current.version > 0) yield { number: current.version, record: null, next }
}

/** The object, which the caller may change. */
export const requireChangeable = async (
  session: Session,
  resource: Resource,
  id: string,
): Promise<Document> => {
  const document = (await session.documents.get(resource.collection, id)) ?? initialDocument(resource, id)
  if (document === null) throw notFound
  throwIf(writeProblem(resource, session, { before: document.value, after: document.value }))
  return document
}

/** The state before a change, if that made a later state; null if it is not kept. Without a change it is the later one. */
const stateBefore = async (
  { records }: Pick<Session, 'records'>,
  change: ChangeRecord | null,
  later: JsonObject,
): Promise<JsonObject | null> => {
  if (change === null) return later
  const former = await records.valuesBefore(change)
  if (former === null) return null
  return change.kind === 'remove' ? former : { ...later, ...former }
}

/** The state that the object had at a version; NotFound if that is not kept. */
const findState = async (
  session: Session,
  resource: Resource,
  current: Document,
  number: number,
): Promise<JsonObject> => {
  let state: JsonObject | null = current.value
  for await (const version of versionsOf(session, resource, current, 'full')) {
    state = await stateBefore(session, version.next, state)
    if (state === null || version.number < number) break
    if (version.number === number) return state
  }
  throw notFound
}

const shown = ({ number, record }: Version): Readonly<Record<string, Json>> => ({
  version: number,
  time: record?.created ?? null,
  user: record?.user ?? null,
  name: record?.name ?? null,
  operation: record?.operation ?? null,
  changed:
    record?.kind === 'replace'
      ? Object.keys(record.changes).filter((name) => isJsonObject(record.changes[name]))
      : [],
})

/** The versions of an object that are kept, the newest first. */
export const listVersions = (
  resource: Resource,
): ReadOperation<{ readonly id: string }, readonly JsonObject[]> => ({
  ...operations.listVersions(resource.collection),
  run: async (session, { id }) => {
    const current = await requireChangeable(session, resource, id)
    const items: JsonObject[] = []
    for await (const version of versionsOf(session, resource, current, 'light')) items.push(shown(version))
    return items
  },
})

type VersionAddress = { readonly id: string; readonly version: number }

/** The object as it was at a version, as the caller's role sees it; references are read as of now. */
export const readVersion = (resource: Resource): ReadOperation<VersionAddress, JsonObject> => ({
  ...operations.readVersion(resource.collection),
  run: async (session, { id, version }) => {
    const current = await requireChangeable(session, resource, id)
    return showObject(session, resource, id, await findState(session, resource, current, version))
  },
})

/** Gives an object the attributes and parts again that clients had set at a version, as a new version. */
export const restoreVersion = (resource: Resource): WriteOperation<VersionAddress, string> => ({
  ...operations.restoreVersion(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, version }) => {
    const current = await requireChangeable(session, resource, id)
    await checkPrecondition(session, resource, id, current)
    const earlier = await findState(session, resource, current, version)
    return writeObject(session, resource, { mode: 'restore', id, earlier, last: null })
  },
})
