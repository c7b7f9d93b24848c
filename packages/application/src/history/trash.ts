/** The trash: removed objects that can be restored (docs/behaviour/trash.md). */
import { file, notFound, resourceOf, type Resource } from '@publishing-service/domain'
import { trashRows } from '@publishing-service/access'
import { operations } from '@publishing-service/domain/roles'
import { E } from '@publishing-service/domain/fp'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import { utcTime } from '@publishing-service/domain/time'
import { attempt } from '../attempt.js'
import { ChangeRecords, type ChangeRecord } from '../audit/change-records.js'
import { systemInstance } from '../collections.js'
import { writeObject } from '../engine/write.js'
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
  if (resource === undefined || record === null) throw notFound
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

/** The object of a removal is not in the trash any more. */
const takeOut = (records: ChangeRecords, { id }: ChangeRecord): Promise<void> =>
  records.change(id, (value) => ({ ...value, expires: null }))

/** Writes the last state again of an object that was removed with another. */
const restoreWithin = async ({ clock, documents, records }: Session, record: ChangeRecord): Promise<void> => {
  const { collection, object: id, version } = record
  const [resource, value] = [resourceOf(collection), await records.valuesBefore(record)]
  if (resource === undefined || value === null) return
  const document = { id, version: version + 1, unique: resource.uniqueText(value), value }
  // An object that exists by now stays.
  await documents.change(collection, {
    kind: 'insert',
    document: { ...document, position: clock.position() },
  })
  await takeOut(records, record)
}

/** Writes the last state of a removed object again, under its UUID. What refers to it, refers to it again. */
export const restoreFromTrash: WriteOperation<TrashAddress, string> = {
  ...operations.restoreFromTrash,
  changed: ({ id }) => ({ object: id }),
  run: async (session, address) => {
    const { log, records } = session
    const { record, resource } = await requireRemoval(session, address)
    const earlier = await records.valuesBefore(record)
    if (earlier === null) throw notFound
    const { id } = address
    await writeObject(session, resource, {
      mode: 'restore',
      id,
      earlier,
      last: record.version,
      dataAt: null,
    })
    // The object is restored, whatever follows.
    const finished = await attempt(async () => {
      for (const each of await records.removedWithin(record)) await restoreWithin(session, each)
      await takeOut(records, record)
    })
    if (E.isLeft(finished))
      log.write('warn', 'object not restored with all that was deleted with it', { object: id })
    return id
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
