/** The versions of an object, which the records of its changes have (docs/behaviour/history.md). */
import { notFound, type Resource } from '@publishing-service/domain'
import { operations, writeProblem } from '@publishing-service/domain/roles'
import { parseVersionsQuery, type VersionsQuery } from '@publishing-service/domain/changes'
import { withDataOf } from '@publishing-service/domain/files'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Document } from '@publishing-service/ports'
import type { Parameters } from '@publishing-service/domain/lists'
import { accepted, fail, throwIf } from '../attempt.js'
import type { ChangeRecord } from '../audit/change-records.js'
import { checkPrecondition, findObject, showObject } from '../engine/read-one.js'
import { writeObject } from '../engine/write.js'
import { blobIn, isDataRetained } from '../files/replaced-data.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { wordChanges } from './word-changes.js'

/** A version of an object: the record of the change that made it, null if that is not retained. */
type Version = {
  readonly number: number
  readonly record: ChangeRecord | null
  /** The record of the next change, which has the state of this version; null for the state that the object has. */
  readonly next: ChangeRecord | null
}

/**
 * Whether a record is one of the life of an object that the records after it belong to: versions grow within a life, and only a
 * restoration from the trash continues a life that has ended. The clock has no part in it.
 */
const isSameLife = ({ kind, version }: ChangeRecord, next: ChangeRecord | null): boolean =>
  kind === 'remove'
    ? next?.kind === 'insert' && next.version === version + 1
    : next === null || version < next.version

/** The versions that are retained, the newest first. */
async function* versionsOf(
  session: Pick<Session, 'records' | 'deployment'>,
  resource: Resource,
  current: Document,
  detail: 'light' | 'full',
): AsyncGenerator<Version, void, void> {
  const { retainedVersions } = session.deployment
  let next: Version['next'] = null
  let count = 0
  for await (const record of session.records.ofObject(resource.collection, current.id, detail)) {
    if (!isSameLife(record, next)) break
    if (record.kind !== 'remove') {
      yield { number: record.version, record, next }
      count += 1
    }
    next = record
    if (count === retainedVersions || (record.kind === 'insert' && record.version === 1)) return
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
  const document = await findObject(session, resource, id)
  if (document === null) fail(notFound)
  throwIf(writeProblem(resource, session, { before: document.value, after: document.value }))
  return document
}

/** The same, if the precondition of the request is met. */
export const requireUnchanged = async (
  session: Session,
  resource: Resource,
  id: string,
): Promise<Document> => {
  const document = await requireChangeable(session, resource, id)
  const { precondition } = session
  if (precondition !== undefined) await checkPrecondition(session, precondition, resource, document)
  return document
}

/** The state before a change, if that made a later state; null if it is not retained. Without a change it is the later one. */
export const stateBefore = async (
  { records }: Pick<Session, 'records'>,
  change: ChangeRecord | null,
  later: JsonObject,
): Promise<JsonObject | null> => {
  if (change === null) return later
  const former = await records.valuesBefore(change)
  if (former === null) return null
  return change.kind === 'remove' ? former : { ...later, ...former }
}

/** A version: its record, its state, and when the data that it had was replaced, in UTC. */
type FoundVersion = {
  readonly record: ChangeRecord | null
  readonly state: JsonObject
  readonly replaced: string | null
}

/** A version of an object; NotFound if it is not retained. */
const findState = async (
  session: Session,
  resource: Resource,
  current: Document,
  number: number,
): Promise<FoundVersion> => {
  let [state, later]: [JsonObject | null, JsonObject] = [current.value, current.value]
  let replaced: string | null = null
  for await (const version of versionsOf(session, resource, current, 'full')) {
    state = await stateBefore(session, version.next, state)
    if (state === null || version.number < number) break
    if (version.next !== null && blobIn(state) !== blobIn(later)) replaced = version.next.created
    later = state
    if (version.number === number) return { record: version.record, state, replaced }
  }
  fail(notFound)
}

/** The attributes and parts that a change has changed. */
const changedIn = (record: ChangeRecord | null): readonly string[] =>
  record?.kind === 'replace'
    ? Object.keys(record.changes).filter((name) => isJsonObject(record.changes[name]))
    : []

const shown = ({ number, record }: Version): Readonly<Record<string, Json>> => ({
  version: number,
  time: record?.created ?? null,
  user: record?.user ?? null,
  name: record?.name ?? null,
  operation: record?.operation ?? null,
  changed: changedIn(record),
})

/** A page of versions, and the parameters of the next one; null for the last. */
export type VersionList = {
  readonly items: readonly JsonObject[]
  readonly next: VersionsQuery | null
}

/** The versions of an object that are retained, the newest first. */
export const listVersions = (
  resource: Resource,
): ReadOperation<{ readonly id: string; readonly parameters: Parameters }, VersionList> => ({
  ...operations.listVersions(resource.collection),
  run: async (session, { id, parameters }) => {
    const { before, limit } = accepted(parseVersionsQuery(parameters))
    const current = await requireChangeable(session, resource, id)
    const found: Version[] = []
    for await (const version of versionsOf(session, resource, current, 'light')) {
      if (version.number < before) found.push(version)
      if (found.length > limit) break
    }
    const items = found.slice(0, limit)
    const last = items.at(-1)
    return {
      items: items.map(shown),
      next: found.length > limit && last !== undefined ? { before: last.number, limit } : null,
    }
  },
})

type VersionAddress = { readonly id: string; readonly version: number }

/** The object as it was at a version, as the caller's role sees it; references are read as of now. */
export const readVersion = (resource: Resource): ReadOperation<VersionAddress, JsonObject> => ({
  ...operations.readVersion(resource.collection),
  run: async (session, { id, version }) => {
    const current = await requireChangeable(session, resource, id)
    const { state } = await findState(session, resource, current, version)
    return showObject(session, resource, id, state)
  },
})

/** Characters of a text from which it is compared word by word. */
const longText = 200

const isLongText = (value: Json): value is string => typeof value === 'string' && value.length > longText

/** Whether an attribute is a part of the object with separate addresses, such as its slots. */
const isPart = ({ attributes }: Resource, name: string): boolean => {
  const attribute = attributes[name]
  return attribute?.kind === 'stored' && attribute.part === true
}

/** What differs in an attribute between two states. */
const changeIn = (resource: Resource, attribute: string, before: Json, after: Json): JsonObject => {
  if (isPart(resource, attribute)) return { attribute }
  if (!isLongText(before) && !isLongText(after)) return { attribute, values: { before, after } }
  const words = wordChanges(String(before ?? ''), String(after ?? ''))
  return words === null ? { attribute } : { attribute, words }
}

/** What differs between a version and the one before, attribute by attribute. */
export const listVersionChanges = (
  resource: Resource,
): ReadOperation<VersionAddress, readonly JsonObject[]> => ({
  ...operations.listVersionChanges(resource.collection),
  run: async (session, { id, version }) => {
    const current = await requireChangeable(session, resource, id)
    const { record, state } = await findState(session, resource, current, version)
    const former = record?.kind === 'replace' ? await session.records.valuesBefore(record) : {}
    if (former === null) fail(notFound)
    const changes: JsonObject[] = []
    for (const name of changedIn(record)) {
      // A long text takes milliseconds to compare.
      await session.clock.turn()
      changes.push(changeIn(resource, name, former[name] ?? null, state[name] ?? null))
    }
    return changes
  },
})

/** Gives an object the attributes and parts again that clients had set at a version, as a new version. */
export const restoreVersion = (resource: Resource): WriteOperation<VersionAddress, string> => ({
  ...operations.restoreVersion(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, version }) => {
    const current = await requireUnchanged(session, resource, id)
    const { state: earlier, replaced } = await findState(session, resource, current, version)
    const hasData = await isDataRetained(session, resource, current.value, earlier, replaced)
    const withData = hasData ? withDataOf(earlier, session.clock.now()) : null
    return writeObject(session, resource, { mode: 'restore', id, earlier, last: null, withData })
  },
})
