/** Fills empty stores with a backup. Can be run again after any failure. */
import { E } from '@publishing-service/domain/fp'
import type { BlobStore } from '@publishing-service/ports'
import { orThrow } from '../attempt.js'
import { copyBlobs, requireIntact } from '../storage-copy/copy-blobs.js'
import type { BlobSource, ListedBlob, WholeContent } from '../storage-copy/content.js'
import { throwRejection } from '../storage-copy/copy-failure.js'
import { progressOf, type CopyTools } from '../storage-copy/copy-run.js'
import { documentsKey, type BackupList } from './backup-list.js'
import { dataOfBackup } from './read-backup.js'

/** The blobs of a backup as the source of a copy. */
export const blobsOfBackup = (place: BlobStore, { blobs }: BackupList): BlobSource => ({
  store: dataOfBackup(place),
  async *list(): AsyncGenerator<ListedBlob, void, void> {
    for (const { blob, bytes, sha256 } of blobs.values()) yield { key: blob, bytes, sha256 }
  },
})

/** The bytes of the documents. Throws ExportDamaged at the end if they are not as they were written. */
export async function* documentBytes(
  place: BlobStore,
  { id, head }: BackupList,
  { checksum }: Pick<CopyTools, 'checksum'>,
): AsyncGenerator<Uint8Array, void, void> {
  const damaged = (how: string): never =>
    throwRejection({ _tag: 'ExportDamaged', problem: `the documents of the backup ${id} are ${how}` })
  const opened = await place.read(documentsKey(id))()
  if (E.isLeft(opened)) {
    if (opened.left._tag === 'BlobNotFound') return damaged('missing')
    throw opened.left
  }
  const sum = checksum()
  for await (const chunk of opened.right.chunks) {
    sum.add(chunk)
    yield chunk
  }
  if (sum.value() !== head.documents.sha256) damaged('changed')
}

/** Copies the blobs to a store that has no others, and compares what it has then with their checksums. Throws a CopyFailure. */
export const restoreBlobs = async (
  place: BlobStore,
  list: BackupList,
  to: BlobStore,
  tools: CopyTools,
): Promise<void> => {
  for await (const { key } of to.list(''))
    if (!list.blobs.has(key)) throwRejection({ _tag: 'TargetNotEmpty', part: 'blobs' })
  const from = blobsOfBackup(place, list)
  const done = progressOf(tools, 'copy blobs', list.bytes)
  await copyBlobs({ from, to, checksum: tools.checksum }, done)
  const compared = progressOf(tools, 'compare blobs', list.bytes)
  await requireIntact(to, from.list(), { checksum: tools.checksum, done: compared }, (key) =>
    orThrow(to.remove(key)),
  )
}

/** What a backup is called as the source of a copy. */
export const nameOfBackup = ({ head: { source, time } }: Pick<BackupList, 'head'>): string =>
  `${source} at ${time}`

/** Content whose documents are read of a backup, with its blobs. */
export const contentOfBackup = (
  documents: WholeContent,
  place: BlobStore,
  list: BackupList,
): WholeContent => ({
  ...documents,
  name: nameOfBackup(list),
  header: { ...documents.header, bytes: list.bytes },
  blobs: blobsOfBackup(place, list),
})
