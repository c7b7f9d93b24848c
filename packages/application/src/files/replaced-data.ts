/**
 * The replaced data of files: it remains as long as its version, at most for `replacedDataTime`, so that the version can be
 * restored with it (docs/behaviour/history.md#data-of-files). The records of uploads name it.
 */
import { file, stateIn, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { utcTime } from '@publishing-service/domain/time'
import { changeRecordIn, ChangeRecords, longestClockStep } from '../audit/change-records.js'
import { systemCollections, systemInstance } from '../collections.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { InstanceStores } from '../instance-store.js'
import type { Deployment, Ports } from '../ports.js'
import type { Session } from '../session.js'
import { originalBlob, removeUpload } from './file-blobs.js'

/** Milliseconds before its end in which data is not restored any more, so that nothing restores what is being removed. */
const margin = 3_600_000

/** Milliseconds before the start of a process for whose replaced data it looks; garbage collection finds the rest. */
const lookBack = 2 * 86_400_000

const batchSize = 200

/** The operations that replace the data of a file. */
const replacing = ['uploadFile', 'restoreVersion', 'rewindObject']

/** The upload that a state of a file names, or values of one. */
export const blobIn = (values: JsonObject | null): string | null => {
  const blob = values?.['blob']
  return typeof blob === 'string' ? blob : null
}

/** The uploads that the records of a file name, of changes since a time in milliseconds. */
export const uploadsIn = async (
  records: ChangeRecords,
  id: string,
  since: number,
): Promise<ReadonlySet<string>> => {
  const uploads = new Set<string>()
  for await (const record of records.ofObject(file.collection, id, 'full')) {
    if (record.created < utcTime(since - longestClockStep)) break
    if (record.created < utcTime(since)) continue
    const blob = record.isErased ? null : blobIn(await records.valuesBefore(record))
    if (blob !== null) uploads.add(blob)
  }
  return uploads
}

/** The upload that the change of a record has replaced; null if it has replaced none, or if that is not retained. */
const replacedBy = async (records: ChangeRecords, id: string): Promise<string | null> => {
  const document = await records.get(id)
  const record = document === null ? null : changeRecordIn(document)
  return record === null || record.isErased ? null : blobIn(await records.valuesBefore(record))
}

/** Whether an earlier state of a file can be restored with its data, which was replaced at a time in UTC. */
export const isDataRetained = async (
  { blobs, clock, deployment: { replacedDataTime } }: Pick<Session, 'blobs' | 'clock' | 'deployment'>,
  { collection }: Pick<Resource, 'collection'>,
  present: JsonObject,
  earlier: JsonObject,
  replaced: string | null,
): Promise<boolean> => {
  if (collection !== file.collection || replaced === null) return false
  const { blob, byte_size: bytes } = stateIn(file, earlier)
  if (blob === null || blob === stateIn(file, present).blob) return false
  if (replaced < utcTime(clock.now() - replacedDataTime + margin)) return false
  const size = await blobs.size(originalBlob(blob))()
  return E.isRight(size) && size.right === bytes
}

/** Removes replaced data whose time has ended, and returns the number of its uploads. Throws a PortFailure if a store fails. */
export const createExpireReplacedData = (
  stores: Pick<InstanceStores, 'of'>,
  { blobs, clock, log }: Pick<Ports, 'blobs' | 'clock' | 'log'>,
  { replacedDataTime }: Pick<Deployment, 'replacedDataTime'>,
): (() => Promise<number>) => {
  const system = stores.of(systemInstance, 'strict')
  let since = clock.now() - replacedDataTime - lookBack

  return async () => {
    const until = clock.now() - replacedDataTime
    const due: { readonly id: string; readonly instance: number; readonly object: string }[] = []
    await forEachPage(
      {
        documents: system,
        collection: systemCollections.audit.name,
        where: [
          { key: 'operation', oneOf: replacing },
          { key: 'created', atLeast: utcTime(since), below: utcTime(until) },
        ],
        limit: batchSize,
      },
      (page) => {
        for (const { id, value } of page) {
          const { instance, object, collection } = value
          if (collection === file.collection && typeof instance === 'number' && typeof object === 'string')
            due.push({ id, instance, object })
        }
      },
    )
    let removed = 0
    for (const { id, instance, object } of due) {
      const own = stores.of(instance, 'strict')
      const records = new ChangeRecords(system, own, instance)
      const blob = await replacedBy(records, id)
      if (blob === null || (await uploadsIn(records, object, until)).has(blob)) continue
      const current = await own.get(file.collection, object)
      if (current !== null && stateIn(file, current.value).blob === blob) continue
      await removeUpload({ blobs, log }, blob)
      removed += 1
    }
    since = until
    return removed
  }
}
