/** What there is to copy, and whether it can be: nothing is written to find out. */
import { file } from '@publishing-service/domain'
import type { BlobStore, DocumentStore } from '@publishing-service/ports'
import { systemCollections, systemInstance } from '../collections.js'
import { isLiveInstance } from '../access/stored-instance.js'
import { originalBlob } from '../files/blob-paths.js'
import { sourceOfCopy } from './copy-marks.js'
import { refuse } from './copy-refusal.js'
import { settled } from './settled.js'
import { countOf, pagesOf, shelfOf, shelvesOf, type Shelf } from './shelves.js'

export type CopySource = {
  readonly instances: number
  readonly shelves: readonly Shelf[]
  readonly documents: number
  readonly bytes: number
}

type Numbered = { readonly number: number; readonly isLive: boolean }

const instancesOf = async (documents: DocumentStore): Promise<readonly Numbered[]> => {
  const found: Numbered[] = []
  for await (const page of pagesOf(documents, shelfOf(systemInstance, systemCollections.instances.name)))
    for (const { value } of page.documents) {
      const { number } = value
      found.push({ number: Number(number), isLive: isLiveInstance(value) })
    }
  return found
}

/** The first file that has data, which stands for all: blobs of another publication hold none of it. */
const checkData = async (documents: DocumentStore, blobs: BlobStore, instance: number): Promise<void> => {
  for await (const page of pagesOf(documents, shelfOf(instance, file.collection)))
    for (const { id, value } of page.documents) {
      const { blob: path } = value
      if (typeof path !== 'string') continue
      if ((await settled(blobs.size(originalBlob(path)))) !== null) return
      refuse({ _tag: 'DataMissing', instance, file: id })
    }
}

/** Throws a CopyFailure where the source isn't one; `blobs` is null where they stay where they are. */
export const surveySource = async (
  documents: DocumentStore,
  blobs: BlobStore | null,
): Promise<CopySource> => {
  const copied = await settled(sourceOfCopy(documents))
  if (copied !== null) refuse({ _tag: 'SourceUnfinished', source: copied })
  const instances = await instancesOf(documents)
  if (instances.length === 0) refuse({ _tag: 'SourceEmpty' })
  // Of a deleted instance what its deletion has not removed yet is copied too.
  const shelves = shelvesOf(instances.map(({ number }) => number))
  const live = instances.filter(({ isLive }) => isLive)
  let count = 0
  for (const shelf of shelves) count += await countOf(documents, shelf)
  let bytes = 0
  if (blobs !== null) {
    for (const { number } of live) await checkData(documents, blobs, number)
    for await (const entry of blobs.list('')) bytes += entry.bytes
  }
  return { instances: live.length, shelves, documents: count, bytes }
}
