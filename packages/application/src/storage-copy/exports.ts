/** Writes exports, and checks them before they are imported. */
import type { BlobStore } from '@publishing-service/ports'
import { changedBetween, tallyOf } from './compare-documents.js'
import { resultOf, type WholeContent } from './content.js'
import { checksumOf, compareBlobs, concurrency, copyBlobs, removeExtraBlobs } from './copy-blobs.js'
import { throwIfDifferent, throwRejection } from './copy-failure.js'
import { progressOf, type CopyResult, type CopyTools } from './copy-run.js'
import { exportWriter } from './export-format.js'
import { forEachConcurrently } from './for-each-concurrently.js'
import { copiedPartitions } from './partitions.js'

/** Where an export is written. */
export type NewExport = {
  /** Appends a line, with its line break. */
  readonly write: (line: string) => Promise<void>
  /** Blobs of an earlier run are not written again. */
  readonly blobs: BlobStore
}

/** Writes an export, and its last line if the content has not changed in the meantime. Throws a CopyFailure. */
export const writeExport = async (
  content: WholeContent,
  to: NewExport,
  tools: CopyTools,
): Promise<CopyResult> => {
  const { checksum } = tools
  const { header, documents, blobs } = content
  const writer = exportWriter(to.write, checksum())
  const [copied, compared] = [tallyOf(checksum), tallyOf(checksum)]
  await writer.header(header)
  const doneDocuments = progressOf(tools, 'copy documents', header.documents)
  for await (const line of copied.watch(documents())) {
    await writer.document(line)
    doneDocuments(1)
  }
  const blobCopy = { from: blobs, to: to.blobs, checksum }
  await removeExtraBlobs(blobCopy)
  await copyBlobs(blobCopy, progressOf(tools, 'copy blobs', header.bytes))
  const doneComparing = progressOf(tools, 'compare documents', header.documents)
  for await (const _line of compared.watch(documents())) doneComparing(1)
  const inBlobs = await compareBlobs(blobCopy, progressOf(tools, 'compare blobs', header.bytes), writer.blob)
  const changed = changedBetween(copied, compared, copiedPartitions(header.instances))
  throwIfDifferent({ changed, damaged: [] }, inBlobs)
  await writer.end()
  return resultOf(content, compared, { blobs: inBlobs.equal, resumed: false })
}

/** Reads an export with all its blobs, so that nothing of a damaged one is imported. Throws ExportDamaged. */
export const checkExport = async (
  { header, documents, blobs }: WholeContent,
  tools: CopyTools,
): Promise<void> => {
  const doneDocuments = progressOf(tools, 'check documents', header.documents)
  for await (const _line of documents()) doneDocuments(1)
  const doneBlobs = progressOf(tools, 'check blobs', header.bytes)
  await forEachConcurrently(blobs.list(), concurrency, async ({ key, bytes, sha256 }) => {
    const found = await checksumOf(blobs.store, key, tools.checksum)
    if (found !== sha256)
      throwRejection({
        _tag: 'ExportDamaged',
        problem: `blob ${key} is ${found === null ? 'missing' : 'damaged'}`,
      })
    doneBlobs(bytes)
  })
}
