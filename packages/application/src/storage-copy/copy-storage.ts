/**
 * Copies all documents and blobs from one pair of stores to another, and compares both at the end. An interrupted copy
 * can be resumed. No other process may write to either side in the meantime; the comparison detects such writes.
 */
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { BlobStore, Checksum, DocumentStore } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { compareBlobs, copyBlobs, removeExtraBlobs } from './copy-blobs.js'
import { comparePartition, copyPartition, type DocumentCopy } from './copy-documents.js'
import { copyMarks, sourceOfCopy, type CopyMarks } from './copy-marks.js'
import {
  isCopyFailure,
  throwRejection,
  type CopyDiffers,
  type CopyFailure,
  type Differences,
  type PartitionName,
} from './copy-failure.js'
import { inspectSource } from './copy-source.js'
import { orThrow } from '../attempt.js'
import { documentsAfter, type Partition } from './partitions.js'

export type CopyStep = 'copy documents' | 'copy blobs' | 'compare documents' | 'compare blobs'

/** The progress of a step, in documents or in bytes of blobs. */
export type CopyProgress = { readonly step: CopyStep; readonly done: number; readonly total: number }

type SourceAndTarget<Store> = { readonly from: Store; readonly to: Store }

export type CopyRequest = {
  readonly documents: SourceAndTarget<DocumentStore>
  /** Null if both sides have the same blob store. */
  readonly blobs: SourceAndTarget<BlobStore> | null
  /** Identifies the source, without secrets. A resumed copy must have the same. */
  readonly source: string
  readonly checksum: () => Checksum
  /** `Clock.position` */
  readonly position: () => number
  readonly onProgress: (progress: CopyProgress) => void
}

/** What was copied and found equal. */
export type CopyResult = {
  readonly instances: number
  readonly keys: number
  readonly documents: number
  readonly blobs: number
  /** Of all blobs. */
  readonly bytes: number
  /** Whether it continued an earlier run. */
  readonly resumed: boolean
}

const hasDocuments = async (documents: DocumentStore, partitions: readonly Partition[]): Promise<boolean> => {
  for (const partition of partitions)
    if ((await documentsAfter(documents, partition, 0)).length > 0) return true
  return false
}

const hasBlobs = async (blobs: BlobStore): Promise<boolean> => {
  for await (const _entry of blobs.list('')) return true
  return false
}

/** Returns whether a copy of this source is being resumed; begins one if the target is empty. */
const prepareTarget = async (
  { documents, blobs, source }: CopyRequest,
  partitions: readonly Partition[],
  marks: CopyMarks,
): Promise<boolean> => {
  const begun = await orThrow(sourceOfCopy(documents.to))
  if (begun !== null && begun !== source) throwRejection({ _tag: 'OtherCopy', source: begun })
  if (begun !== null) return true
  if (await hasDocuments(documents.to, partitions))
    throwRejection({ _tag: 'TargetNotEmpty', part: 'documents' })
  if (blobs !== null && (await hasBlobs(blobs.to))) throwRejection({ _tag: 'TargetNotEmpty', part: 'blobs' })
  await marks.begin(source)
  return false
}

type Compared = {
  readonly changed: Differences['partitions']
  readonly damaged: Differences['partitions']
  readonly counts: Pick<CopyResult, 'keys' | 'documents'>
}

const comparePartitions = async (
  copied: DocumentCopy,
  partitions: readonly Partition[],
  done: (documents: number) => void,
): Promise<Compared> => {
  const found = {
    equal: [] as PartitionName[],
    changed: [] as PartitionName[],
    damaged: [] as PartitionName[],
  }
  const counts = { keys: 0, documents: 0 }
  for (const partition of partitions) {
    const { outcome, count } = await comparePartition(copied, partition, done)
    const { instance, target } = partition
    found[outcome].push({ instance, collection: target.collection })
    counts.documents += count
    if (target.collection === systemCollections.keys.name) counts.keys += count
    if (outcome !== 'equal') await copied.marks.forget(partition)
  }
  return { ...found, counts }
}

const copy = async (request: CopyRequest): Promise<CopyResult> => {
  const { documents, blobs, checksum } = request
  const { instances, partitions, ...total } = await inspectSource(documents.from, blobs?.from ?? null)
  const marks = copyMarks(documents.to, request.position)
  const resumed = await prepareTarget(request, partitions, marks)
  const documentCopy: DocumentCopy = { ...documents, marks, checksum }

  const progressOf = (step: CopyStep, whole: number): ((more: number) => void) => {
    let done = 0
    const tell = (more: number): void => request.onProgress({ step, done: (done += more), total: whole })
    tell(0)
    return tell
  }

  const copied = progressOf('copy documents', total.documents)
  for (const partition of partitions) await copyPartition(documentCopy, partition, copied)
  if (blobs !== null) {
    if (resumed) await removeExtraBlobs({ ...blobs, checksum })
    await copyBlobs({ ...blobs, checksum }, progressOf('copy blobs', total.bytes))
  }

  const { changed, damaged, counts } = await comparePartitions(
    documentCopy,
    partitions,
    progressOf('compare documents', total.documents),
  )
  const inBlobs =
    blobs === null
      ? { equal: 0, changed: 0, damaged: 0 }
      : await compareBlobs({ ...blobs, checksum }, progressOf('compare blobs', total.bytes))
  const differs: CopyDiffers = {
    _tag: 'CopyDiffers',
    changed: { partitions: changed, blobs: inBlobs.changed },
    damaged: { partitions: damaged, blobs: inBlobs.damaged },
  }
  if (changed.length + damaged.length + inBlobs.changed + inBlobs.damaged > 0) throwRejection(differs)
  await marks.end()
  return { instances, ...counts, blobs: inBlobs.equal, bytes: total.bytes, resumed }
}

/** Copies what is missing, and compares all. Can be run again after any failure. */
export const copyStorage =
  (request: CopyRequest): TaskEither<CopyFailure, CopyResult> =>
  async () => {
    try {
      return E.right(await copy(request))
    } catch (error) {
      if (isCopyFailure(error)) return E.left(error)
      throw error
    }
  }
