/** What is copied: the documents and blobs of stores, or of an export. */
import { stateIn, file } from '@publishing-service/domain'
import type { BlobKey, BlobStore, Checksum, DocumentStore } from '@publishing-service/ports'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { orThrow } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { originalBlob } from '../files/file-blobs.js'
import { identityId, sourceOfCopy } from '../store-identity.js'
import type { Tally } from './compare-documents.js'
import { throwRejection } from './copy-failure.js'
import type { CopyResult } from './copy-run.js'
import { readExport, storageForm, type DocumentLine, type ExportEntry, type Header } from './export-format.js'
import {
  copiedPartitions,
  countOf,
  documentsOf,
  partitionOf,
  type DocumentReads,
  type Partition,
} from './partitions.js'

/** A blob that is copied. */
export type ListedBlob = {
  readonly key: BlobKey
  readonly bytes: number
  /** Null if the blob has to be read for it. */
  readonly sha256: string | null
}

export type BlobSource = {
  readonly store: Pick<BlobStore, 'read' | 'size'>
  readonly list: () => AsyncIterable<ListedBlob>
}

export type Content = {
  /** Without secrets. A copy is resumed from the content of the same name. */
  readonly name: string
  readonly header: Header
  /** In the order of the partitions, and of the positions in each. */
  readonly documents: () => AsyncIterable<DocumentLine>
  /** Null if both sides have the same blob store. */
  readonly blobs: BlobSource | null
}

/** The result of a copy of the content, which is counted without its identity. */
export const resultOf = (
  { header: { identity, bytes }, blobs }: Content,
  tally: Tally,
  more: Pick<CopyResult, 'blobs' | 'resumed'>,
): CopyResult => {
  const counts = tally.counts()
  const documents = counts.documents + (identity === null ? 0 : 1)
  return { ...counts, documents, bytes: blobs === null ? 0 : bytes, ...more }
}

/** Content with its blobs. */
export type WholeContent = Content & { readonly blobs: BlobSource }

async function* linesOf(
  store: DocumentReads,
  partitions: readonly Partition[],
): AsyncGenerator<DocumentLine, void, void> {
  for (const partition of partitions) {
    const { instance, target } = partition
    for await (const { id, position, version, value } of documentsOf(store, partition))
      yield {
        collection: target.collection,
        instance,
        id,
        position,
        version,
        unique: target.uniqueText(value),
        value,
      }
  }
}

/** The sum of the sizes of blobs. */
export const bytesIn = async (blobs: AsyncIterable<{ readonly bytes: number }>): Promise<number> => {
  let sum = 0
  for await (const { bytes } of blobs) sum += bytes
  return sum
}

export async function* listed(store: BlobStore): AsyncGenerator<ListedBlob, void, void> {
  for await (const { key, bytes } of store.list('')) yield { key, bytes, sha256: null }
}

/** Checks the data of the first file, because a blob store of another publication has none of it. */
const checkData = async (documents: DocumentReads, blobs: BlobStore, instance: number): Promise<void> => {
  for await (const { id, value } of documentsOf(documents, partitionOf(instance, file.collection))) {
    const { blob: path } = stateIn(file, value)
    if (path === null) continue
    if ((await orThrow(blobs.size(originalBlob(path)))) !== null) return
    throwRejection({ _tag: 'DataMissing', instance, file: id })
  }
}

export type Stores = { readonly documents: DocumentStore; readonly blobs: BlobStore }

/** Stores that are read. */
export type SourceStores = Stores & {
  /** Identifies them, without secrets. A resumed copy must have the same. */
  readonly name: string
  /** When they are read. */
  readonly time: string
}

/** Stores of which a copy reads the documents of one moment. */
type ReadStores = Omit<SourceStores, 'documents'> & { readonly documents: DocumentReads }

/**
 * The numbers of the instances; `live` are those that are not deleted. Throws a CopyFailure if there is none, or if the documents
 * are an unfinished copy.
 */
export const instancesIn = async (
  documents: DocumentReads,
): Promise<{ readonly all: readonly number[]; readonly live: readonly number[] }> => {
  const copied = await orThrow(sourceOfCopy(documents))
  if (copied !== null) throwRejection({ _tag: 'SourceUnfinished', source: copied })
  const { name } = systemCollections.instances
  const all: number[] = []
  const live: number[] = []
  for await (const document of documentsOf(documents, partitionOf(systemInstance, name))) {
    const stored = decodeStored(StoredInstance, document)
    all.push(stored.number)
    if (isLiveInstance(stored)) live.push(stored.number)
  }
  return all.length === 0 ? throwRejection({ _tag: 'SourceEmpty' }) : { all, live }
}

/** Throws a CopyFailure if the stores cannot be copied, or if the first file has no data. */
export const requireCopyable = async ({
  documents,
  blobs,
}: Pick<ReadStores, 'documents' | 'blobs'>): Promise<void> => {
  const { live } = await instancesIn(documents)
  for (const number of live) await checkData(documents, blobs, number)
}

/** The content of stores that may have lost data of files. Throws a CopyFailure if it cannot be copied. */
export const contentWithLosses = async ({
  documents,
  blobs,
  name,
  time,
}: ReadStores): Promise<WholeContent> => {
  // Data of deleted instances that is not removed yet is copied too.
  const { all: instances } = await instancesIn(documents)
  const partitions = copiedPartitions(instances)
  let count = 0
  for (const partition of partitions) count += await countOf(documents, partition)
  const bytes = await bytesIn(blobs.list(''))
  const ofIdentity = systemCollections.identity
  const found = await orThrow(documents.get(ofIdentity.name, systemInstance, identityId))
  const identity = found === null ? null : { position: found.position, value: found.value }
  return {
    name,
    header: { export: 1, source: name, time, instances, documents: count, bytes, identity },
    documents: () => linesOf(documents, partitions),
    blobs: { store: blobs, list: () => listed(blobs) },
  }
}

/** The content of stores. Throws a CopyFailure if it cannot be copied, or its first file has no data. */
export const contentOfStores = async (from: ReadStores): Promise<WholeContent> => {
  await requireCopyable(from)
  return contentWithLosses(from)
}

/** An export that can be read from its start again and again. */
export type StoredExport = {
  /** The lines, without line breaks. */
  readonly lines: () => AsyncIterable<string>
  readonly blobs: Pick<BlobStore, 'read' | 'size'>
}

type ExportEntries = AsyncIterable<ExportEntry<Header>>

async function* documentsIn(entries: ExportEntries): AsyncGenerator<DocumentLine, void, void> {
  for await (const entry of entries) if (entry.kind === 'document') yield entry.document
}

async function* blobsIn(entries: ExportEntries): AsyncGenerator<ListedBlob, void, void> {
  for await (const entry of entries)
    if (entry.kind === 'blob') {
      const { blob: key, bytes, sha256 } = entry.blob
      yield { key, bytes, sha256 }
    }
}

/** The content of an export. Throws ExportDamaged if it has no header. */
export const contentOfExport = async (
  { lines, blobs }: StoredExport,
  checksum: () => Checksum,
): Promise<WholeContent> => {
  const read = (): ExportEntries => readExport(storageForm, lines(), checksum())
  for await (const entry of read()) {
    if (entry.kind !== 'header') break
    const { header } = entry
    return {
      name: `${header.source} at ${header.time}`,
      header,
      documents: () => documentsIn(read()),
      blobs: { store: blobs, list: () => blobsIn(read()) },
    }
  }
  return throwRejection({ _tag: 'ExportDamaged', problem: 'it has no header' })
}
