/** Writes exports, and checks them before they are imported. */
import { file, stateIn } from '@publishing-service/domain'
import type { BlobKey, BlobStore } from '@publishing-service/ports'
import { orThrow } from '../attempt.js'
import { originalBlob } from '../files/file-blobs.js'
import { changedBetween, tallyOf } from './compare-documents.js'
import {
  bytesIn,
  contentOfStores,
  listed,
  requireCopyable,
  resultOf,
  type SourceStores,
  type WholeContent,
  type Content,
} from './content.js'
import { type BlobCopy, compareBlobs, copyBlobs, removeExtraBlobs, requireIntact } from './copy-blobs.js'
import { throwIfDifferent } from './copy-failure.js'
import { progressOf, type CopyResult, type CopyTools } from './copy-run.js'
import { exportWriter, type DocumentLine } from './export-format.js'
import { copiedPartitions } from './partitions.js'

/** Where an export is written. */
export type NewExport = {
  /** Appends a line, with its line break. */
  readonly write: (line: string) => Promise<void>
  /** Blobs of an earlier run are not written again. */
  readonly blobs: BlobStore
}

/** The original of each file among the lines, unless the store has it already. */
const missingOriginals = (blobs: BlobStore) => {
  const missing = new Set<BlobKey>()
  const isIn = async (key: BlobKey): Promise<boolean> => (await orThrow(blobs.size(key))) !== null
  return {
    async *watch(lines: AsyncIterable<DocumentLine>): AsyncGenerator<DocumentLine, void, void> {
      for await (const line of lines) {
        const upload = line.collection === file.collection ? stateIn(file, line.value).blob : null
        if (upload !== null && !(await isIn(originalBlob(upload)))) missing.add(originalBlob(upload))
        yield line
      }
    },
    /** How many are missing still. */
    count: async (): Promise<number> => {
      let count = 0
      for (const key of missing) if (!(await isIn(key))) count += 1
      return count
    },
  }
}

/** Copies blobs before the moment of the documents, so that those which are removed after it are there. */
const copyBlobsBefore = async (copy: BlobCopy, tools: CopyTools): Promise<void> => {
  await removeExtraBlobs(copy)
  await copyBlobs(copy, progressOf(tools, 'copy blobs', await bytesIn(copy.from.list())))
}

/**
 * Writes an export of the documents of one moment, with the blobs that they refer to. Blobs are written before their documents and
 * removed after them, so they are copied before and after that moment. Where a store has no snapshots, the last line is written
 * only if the content has not changed in the meantime. Throws a CopyFailure.
 */
export const writeExport = async (
  { documents: store, ...from }: SourceStores,
  to: NewExport,
  tools: CopyTools,
): Promise<CopyResult> => {
  const { checksum } = tools
  const writer = exportWriter(to.write, checksum())
  const [copied, compared] = [tallyOf(checksum), tallyOf(checksum)]
  const source = { store: from.blobs, list: () => listed(from.blobs) }
  const blobCopy: BlobCopy = { from: source, to: to.blobs, checksum }
  await requireCopyable({ ...from, documents: store })
  await copyBlobsBefore(blobCopy, tools)
  const snapshot = await orThrow(store.snapshot())
  const { isOneMoment } = snapshot
  try {
    const content = await contentOfStores({ ...from, documents: snapshot })
    const { header, documents } = content
    await writer.header(header)
    const doneDocuments = progressOf(tools, 'copy documents', header.documents)
    const originals = missingOriginals(to.blobs)
    for await (const line of copied.watch(originals.watch(documents()))) {
      await writer.document(line)
      doneDocuments(1)
    }
    if (isOneMoment) await snapshot.close()
    await copyBlobs(blobCopy, () => undefined)
    if (!isOneMoment) {
      const doneComparing = progressOf(tools, 'compare documents', header.documents)
      for await (const _line of compared.watch(documents())) doneComparing(1)
    }
    const inBlobs = await compareBlobs(
      isOneMoment ? { ...blobCopy, from: { ...source, list: () => listed(to.blobs) } } : blobCopy,
      progressOf(tools, 'compare blobs', header.bytes),
      { onEqual: writer.blob, mayBeGone: isOneMoment },
    )
    const changed = isOneMoment ? [] : changedBetween(copied, compared, copiedPartitions(header.instances))
    const blobs = { changed: inBlobs.changed + (await originals.count()), damaged: inBlobs.damaged }
    throwIfDifferent({ changed, damaged: [] }, blobs)
    await writer.end()
    return resultOf(content, copied, { blobs: inBlobs.equal, resumed: false })
  } finally {
    await snapshot.close()
  }
}

/** Reads an export with all its blobs, so that nothing of a damaged one is imported. Throws ExportDamaged. */
export const checkExport = async (
  { header, documents, blobs }: WholeContent,
  tools: CopyTools,
): Promise<void> => {
  const doneDocuments = progressOf(tools, 'check documents', header.documents)
  for await (const _line of documents()) doneDocuments(1)
  const done = progressOf(tools, 'check blobs', header.bytes)
  await requireIntact(blobs.store, blobs.list(), { checksum: tools.checksum, done })
}

/** The documents of content as lines with their line breaks: an export without blobs. */
export async function* documentLines(
  { header, documents }: Pick<Content, 'header' | 'documents'>,
  checksum: CopyTools['checksum'],
): AsyncGenerator<string, void, void> {
  let text = ''
  const taken = (): string => {
    const line = text
    text = ''
    return line
  }
  const writer = exportWriter(async (line) => void (text += line), checksum())
  await writer.header(header)
  for await (const line of documents()) {
    yield taken()
    await writer.document(line)
  }
  await writer.end()
  yield taken()
}
