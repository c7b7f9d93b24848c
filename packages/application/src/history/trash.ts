/** The trash: removed objects that can be restored (docs/behaviour/trash.md). */
import { file, notFound, resourceOf, type Resource } from '@publishing-service/domain'
import { trashRows } from '@publishing-service/access'
import { operations } from '@publishing-service/domain/roles'
import { E } from '@publishing-service/domain/fp'
import { utf8Length, type JsonObject } from '@publishing-service/domain/json'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import { utcTime } from '@publishing-service/domain/time'
import { maxAppendedBytes, type Change } from '@publishing-service/ports'
import { attempt, fail } from '../attempt.js'
import { ChangeRecords, type ChangeRecord } from '../audit/change-records.js'
import { systemInstance } from '../collections.js'
import { carryOut, cascadeOf, mostTogether } from '../engine/cascade.js'
import { writeObject } from '../engine/write.js'
import { contended } from '../failure.js'
import { blobIn, uploadsIn } from '../files/replaced-data.js'
import { removeUpload } from '../files/file-blobs.js'
import { requirePrecondition } from '../engine/precondition.js'
import type { InstanceDocuments, InstanceStores } from '../instance-store.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Ports } from '../ports.js'
import type { Session } from '../session.js'
import { liveInstances } from '../storage-copy/partitions.js'

type TrashAddress = { readonly collection: string; readonly id: string }

/**
 * The removal of an object that is in the trash, and its resource; NotFound if it is not. A precondition is about the entry
 * in the trash, of which clients have no entity tag.
 */
const requireRemoval = async (
  { records, precondition }: Pick<Session, 'records' | 'precondition'>,
  address: TrashAddress,
): Promise<{ readonly record: ChangeRecord; readonly resource: Resource }> => {
  const resource = resourceOf(address.collection)
  const record = resource === undefined ? null : await records.removalOf(address.collection, address.id)
  if (resource === undefined || record === null) fail(notFound)
  const { collection: type, object: uuid, created: deleted, expires } = record
  requirePrecondition(precondition, { type, uuid, deleted, expires })
  return { record, resource }
}

/** The removed objects that can be restored, those that were removed last first. */
export const listTrash: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listTrash,
  run: (session, { parameters }) =>
    session.recordsPage({
      rows: trashRows,
      parameters,
      where: [
        { key: 'expires', atLeast: utcTime(session.clock.now()) },
        { key: 'within', equals: null },
      ],
      initialOrder: [{ key: 'expires', direction: 'desc' }],
    }),
}

/** What was removed with an object and is not restored: some of it. */
type RemovedWithin = {
  readonly changes: readonly Change[]
  /** The records of these objects, and of those that exist by now, and stay. */
  readonly records: readonly ChangeRecord[]
  readonly isComplete: boolean
}

/** Inserts the last states of objects that were removed with another, as many as fit into one write, and `most` of them. */
const insertedWithin = async (
  { clock, documents, records }: Restoring,
  removal: ChangeRecord,
  most = mostTogether,
): Promise<RemovedWithin> => {
  const all = await records.removedWithin(removal)
  const changes: Change[] = []
  const done: ChangeRecord[] = []
  let bytes = 0
  for (const each of all) {
    const { collection, object: id, version } = each
    const resource = resourceOf(collection)
    const value =
      resource === undefined || (await documents.get(collection, id)) !== null
        ? null
        : await records.valuesBefore(each)
    if (resource !== undefined && value !== null) {
      bytes += utf8Length(JSON.stringify(value))
      if (changes.length === most || (changes.length > 0 && bytes > maxAppendedBytes)) break
      const document = { id, version: version + 1, unique: resource.uniqueText(value), value }
      changes.push({ collection, kind: 'insert', document: { ...document, position: clock.position() } })
    }
    done.push(each)
  }
  return { changes, records: done, isComplete: done.length === all.length }
}

type Restoring = Pick<Session, 'clock' | 'documents' | 'records'>

const attempts = 20

/** If the store fails to write so many objects together, it is not tried with fewer. */
const fewTogether = 10

/**
 * Restores what is left of an object that was restored from the trash, and takes both out of it. Returns the number of objects
 * that were written.
 */
export const finishRestoration = async (session: Restoring, removal: ChangeRecord): Promise<number> => {
  const { documents, records } = session
  const { collection, object: id } = removal
  let restored = 0
  let most = mostTogether
  for (let attempted = 0; attempted < attempts; attempted += 1) {
    const { changes, records: done, isComplete } = await insertedWithin(session, removal, most)
    if (changes.length > 0) {
      const expected: Change = { collection, kind: 'expect', id, version: null }
      const written = await attempt(() => documents.change([...changes, expected]))
      if (E.isLeft(written)) {
        if (most <= fewTogether) fail(written.left)
        // A slow store makes fewer changes within its deadline. Those that it has made are not repeated.
        most = Math.floor(most / 2)
        continue
      }
      if (E.isLeft(written.right)) continue
      restored += changes.length
      attempted = 0
    }
    await records.takeOut(done)
    if (!isComplete) continue
    await records.takeOut([removal])
    return restored
  }
  fail(contended)
}

/** What is written of a removed object. */
type RestoredObject = {
  readonly removal: ChangeRecord
  readonly earlier: JsonObject
  /** The version before that of the object. */
  readonly last: number
  /** Whether it is known that nothing was removed with it. */
  readonly isAlone: boolean
}

/**
 * Writes a state of a removed object again, under its UUID, with what was removed with it. What refers to it, refers to it
 * again.
 */
export const restoreRemoved = async (
  session: Session,
  resource: Resource,
  { removal, earlier, last, isAlone }: RestoredObject,
): Promise<void> => {
  const { records } = session
  const { object: id } = removal
  const within = isAlone ? null : await insertedWithin(session, removal)
  const cascade = cascadeOf(session, resource, id, removal.id)
  const request = { mode: 'restore', id, earlier, last, withData: null } as const
  await writeObject(session, resource, request, [...(within?.changes ?? []), cascade])
  await carryOut(session, cascade, async () => {
    if (within === null) return records.takeOut([removal])
    await records.takeOut(within.records)
    await finishRestoration(session, removal)
  })
}

/** Writes the last state of a removed object again. */
export const restoreFromTrash: WriteOperation<TrashAddress, string> = {
  ...operations.restoreFromTrash,
  changed: ({ id }) => ({ object: id }),
  run: async (session, address) => {
    const { record, resource } = await requireRemoval(session, address)
    const earlier = await session.records.valuesBefore(record)
    if (earlier === null) fail(notFound)
    await restoreRemoved(session, resource, {
      removal: record,
      earlier,
      last: record.version,
      isAlone: false,
    })
    return address.id
  },
}

/** What the objects of an instance are deleted with for good. */
type Emptying = Pick<Ports, 'blobs' | 'log'> & {
  readonly documents: InstanceDocuments
  readonly records: ChangeRecords
}

/**
 * Deletes what remains of a removed object: its states, those of the objects that were removed with it, and the data of a
 * file. The record of its removal stays. A crash leaves orphaned blobs at most.
 */
const erase = async (
  { blobs, log, documents, records }: Emptying,
  resource: Resource,
  record: ChangeRecord,
): Promise<void> => {
  const { object } = record
  // Another object may have the UUID by now.
  const current = await documents.get(resource.collection, object)
  const uploads =
    resource.collection !== file.collection
      ? []
      : current === null
        ? await uploadsIn(records, object, 0)
        : [blobIn(await records.valuesBefore(record))]
  for (const each of [record, ...(await records.removedWithin(record))]) await records.eraseValues(each)
  if (current === null)
    for await (const each of records.ofObject(resource.collection, object))
      if (!each.isErased) await records.eraseValues(each)
  const present = current === null ? null : blobIn(current.value)
  for (const upload of uploads)
    if (upload !== null && upload !== present) await removeUpload({ blobs, log }, upload)
}

/** Deletes a removed object for good. */
export const removeFromTrash: WriteOperation<TrashAddress, void> = {
  ...operations.removeFromTrash,
  changed: ({ id }) => ({ object: id }),
  run: async (session, address) => {
    const { resource, record } = await requireRemoval(session, address)
    await erase(session, resource, record)
  },
}

/** Deletes the objects of an instance whose time in the trash has ended, and returns their number. */
const expireIn = async (emptying: Emptying, now: number): Promise<number> => {
  const { records } = emptying
  let erased = 0
  for (;;) {
    const expired = await records.expired(now)
    for (const record of expired) {
      const resource = resourceOf(record.collection)
      // The resource may be one of another release.
      await (resource === undefined ? records.eraseValues(record) : erase(emptying, resource, record))
    }
    erased += expired.length
    if (expired.length === 0) return erased
  }
}

/** Deletes the objects of all instances whose time in the trash has ended. Throws a PortFailure if a store fails. */
export const createExpireTrash =
  (
    { blobs, clock, documents: all, log }: Pick<Ports, 'blobs' | 'clock' | 'documents' | 'log'>,
    stores: Pick<InstanceStores, 'of'>,
  ) =>
  async (): Promise<number> => {
    const system = stores.of(systemInstance, 'strict')
    let erased = 0
    for await (const { number } of liveInstances(all)) {
      const documents = stores.of(number, 'strict')
      const records = new ChangeRecords(system, documents, number)
      erased += await expireIn({ blobs, log, documents, records }, clock.now())
    }
    return erased
  }
