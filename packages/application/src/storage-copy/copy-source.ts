/** Reads what there is to copy, and checks whether it can be copied. Writes nothing. */
import { stateIn, file } from '@publishing-service/domain'
import type { BlobStore, DocumentStore } from '@publishing-service/ports'
import { systemCollections, systemInstance } from '../collections.js'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { decodeStored } from '../decode-stored.js'
import { originalBlob } from '../files/upload-blobs.js'
import { sourceOfCopy } from './copy-marks.js'
import { throwRejection } from './copy-failure.js'
import { orThrow } from '../attempt.js'
import { countOf, pagesOf, partitionOf, partitionsOf, type Partition } from './partitions.js'

export type CopySource = {
  readonly instances: number
  readonly partitions: readonly Partition[]
  readonly documents: number
  readonly bytes: number
}

type Numbered = { readonly number: number; readonly isLive: boolean }

const instancesOf = async (documents: DocumentStore): Promise<readonly Numbered[]> => {
  const found: Numbered[] = []
  for await (const page of pagesOf(documents, partitionOf(systemInstance, systemCollections.instances.name)))
    for (const document of page.documents) {
      const stored = decodeStored(StoredInstance, document)
      found.push({ number: stored.number, isLive: isLiveInstance(stored) })
    }
  return found
}

/** Checks the data of the first file, because a blob store of another publication has none of it. */
const checkData = async (documents: DocumentStore, blobs: BlobStore, instance: number): Promise<void> => {
  for await (const page of pagesOf(documents, partitionOf(instance, file.collection)))
    for (const { id, value } of page.documents) {
      const { blob: path } = stateIn(file, value)
      if (path === null) continue
      if ((await orThrow(blobs.size(originalBlob(path)))) !== null) return
      throwRejection({ _tag: 'DataMissing', instance, file: id })
    }
}

/** Throws a CopyFailure if the source cannot be copied. `blobs` is null if blobs are not copied. */
export const inspectSource = async (
  documents: DocumentStore,
  blobs: BlobStore | null,
): Promise<CopySource> => {
  const copied = await orThrow(sourceOfCopy(documents))
  if (copied !== null) throwRejection({ _tag: 'SourceUnfinished', source: copied })
  const instances = await instancesOf(documents)
  if (instances.length === 0) throwRejection({ _tag: 'SourceEmpty' })
  // Data of deleted instances that is not removed yet is copied too.
  const partitions = partitionsOf(instances.map(({ number }) => number))
  const live = instances.filter(({ isLive }) => isLive)
  let count = 0
  for (const partition of partitions) count += await countOf(documents, partition)
  let bytes = 0
  if (blobs !== null) {
    for (const { number } of live) await checkData(documents, blobs, number)
    for await (const entry of blobs.list('')) bytes += entry.bytes
  }
  return { instances: live.length, partitions, documents: count, bytes }
}
