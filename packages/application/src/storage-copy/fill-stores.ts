/** Fills empty stores, or those that an interrupted copy has filled in part, and compares them with the source at the end. */
import { E } from '@publishing-service/domain/fp'
import type { DocumentStore } from '@publishing-service/ports'
import { orThrow } from '../attempt.js'
import { changedBetween, isEqualPair, pairsOf, tallyOf } from './compare-documents.js'
import { resultOf, type Content, type Stores } from './content.js'
import { compareBlobs, copyBlobs, removeExtraBlobs } from './copy-blobs.js'
import { rejectConflict, requireAccepted, throwIfDifferent, throwRejection } from './copy-failure.js'
import { progressOf, type CopyResult, type CopyTools } from './copy-run.js'
import type { DocumentLine } from './export-format.js'
import { forEachConcurrently } from './for-each-concurrently.js'
import { copiedPartitions, nameOf, nameText, type Partition, type PartitionName } from './partitions.js'
import { beginCopy, endCopy } from './unfinished-copy.js'

/** Stores commit concurrent writes together. */
const concurrency = 32

const insert = async (to: DocumentStore, partition: Partition, line: DocumentLine): Promise<void> => {
  const { collection, instance, id, position, version, unique, value } = line
  const document = { id, position, version, unique, value }
  const inserted = await to.write(instance, [{ collection, kind: 'insert', document }], [])()
  if (E.isRight(inserted)) return
  requireAccepted(inserted.left, { instance, collection, id })
  // A write that seemed to fail may have been applied since.
  const found = await orThrow(to.get(collection, instance, id))
  if (!isEqualPair({ partition, line, found }))
    throwRejection({ _tag: 'DocumentDiffers', instance, collection, id })
}

/**
 * What an interrupted run has written and the content does not have: `remove` removes it, because the source has changed
 * since; `reject` ends the copy, because an export does not change.
 */
export type WhereDifferent = 'remove' | 'reject'

const removeDiffering = async (
  content: Content,
  { documents }: Stores,
  whereDifferent: WhereDifferent,
  done: (documents: number) => void,
): Promise<void> => {
  const partitions = copiedPartitions(content.header.instances)
  for await (const pair of pairsOf(content.documents(), partitions, documents)) {
    const { partition, line, found } = pair
    if (line !== null) done(1)
    if (found === null || isEqualPair(pair)) continue
    const { id, version } = found
    const { instance, collection } = nameOf(partition)
    if (whereDifferent === 'reject') throwRejection({ _tag: 'DocumentDiffers', instance, collection, id })
    await rejectConflict(documents.write(instance, [{ collection, kind: 'remove', id, version }], []))
  }
}

/** Copies what the stores lack, and compares all. Can be run again after any failure. Throws a CopyFailure. */
export const fillStores = async (
  content: Content,
  to: Stores,
  { whereDifferent, ...tools }: CopyTools & { readonly whereDifferent: WhereDifferent },
): Promise<CopyResult> => {
  const { checksum } = tools
  const { header, blobs } = content
  const partitions = copiedPartitions(header.instances)
  const resumed = await beginCopy(content, to)
  if (resumed)
    await removeDiffering(
      content,
      to,
      whereDifferent,
      progressOf(tools, 'compare documents', header.documents),
    )

  const copied = tallyOf(checksum)
  const doneDocuments = progressOf(tools, 'copy documents', header.documents)
  const wanted = pairsOf(copied.watch(content.documents()), partitions, to.documents)
  await forEachConcurrently(wanted, concurrency, async ({ partition, line, found }) => {
    if (line === null) return
    if (found === null) await insert(to.documents, partition, line)
    doneDocuments(1)
  })
  const blobCopy = blobs === null ? null : { from: blobs, to: to.blobs, checksum }
  if (blobCopy !== null) {
    if (resumed) await removeExtraBlobs(blobCopy)
    await copyBlobs(blobCopy, progressOf(tools, 'copy blobs', header.bytes))
  }

  const compared = tallyOf(checksum)
  const differing = new Map<string, PartitionName>()
  const doneComparing = progressOf(tools, 'compare documents', header.documents)
  for await (const pair of pairsOf(compared.watch(content.documents()), partitions, to.documents)) {
    if (pair.line !== null) doneComparing(1)
    const name = nameOf(pair.partition)
    if (!isEqualPair(pair)) differing.set(nameText(name), name)
  }
  const changed = changedBetween(copied, compared, partitions)
  const inBlobs =
    blobCopy === null
      ? { equal: 0, changed: 0, damaged: 0 }
      : await compareBlobs(blobCopy, progressOf(tools, 'compare blobs', header.bytes))
  const isChanged = new Set(changed.map(nameText))
  const damaged = [...differing].filter(([name]) => !isChanged.has(name)).map(([, partition]) => partition)
  throwIfDifferent({ changed, damaged }, inBlobs)
  await endCopy(content, to)
  return resultOf(content, compared, { blobs: inBlobs.equal, resumed })
}
