/**
 * Makes a backup in a blob store: the documents of one moment, and the data of files that they refer to. Data that an earlier
 * backup has is not written again. Scaled images are left out: the service makes them again.
 */
import { file, stateIn } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { portFailure, type BlobKey, type BlobStore, type Checksum } from '@publishing-service/ports'
import { orThrow } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { isDerived, originalBlob } from '../files/file-blobs.js'
import { identityId, identityKey, StoredIdentity } from '../store-identity.js'
import { bytesIn, instancesIn } from '../storage-copy/content.js'
import { checksumOf, concurrency, withErrors } from '../storage-copy/copy-blobs.js'
import { throwRejection } from '../storage-copy/copy-failure.js'
import { progressOf, type CopyTools } from '../storage-copy/copy-run.js'
import type { BlobLine } from '../storage-copy/export-format.js'
import { forEachConcurrently } from '../storage-copy/for-each-concurrently.js'
import { documentsOf, partitionOf, type DocumentReads } from '../storage-copy/partitions.js'
import {
  backupId,
  backupNames,
  dataFolder,
  dataKey,
  documentsKey,
  readBackupList,
  writeBackupList,
  type BackupHead,
  type BackupList,
} from './backup-list.js'

/** The documents of one moment. */
export type DocumentsCopy = {
  readonly form: BackupHead['form']
  readonly reads: DocumentReads
  readonly body: AsyncIterable<Uint8Array>
  /** The most bytes of the body. */
  readonly limit: number
}

export type BackupSource = {
  /** Without secrets. */
  readonly name: string
  readonly blobs: BlobStore
  /** Makes a copy of the documents as they are now, which exists until `use` has ended. */
  readonly withDocuments: <A>(use: (copy: DocumentsCopy) => Promise<A>) => Promise<A>
}

export type BackupRequest = {
  readonly place: BlobStore
  readonly source: BackupSource
  /** Milliseconds since 1970. */
  readonly time: number
}

export type BackupResult = {
  readonly id: string
  readonly blobs: number
  /** Of the data of all files. */
  readonly bytes: number
  /** Blobs that no earlier backup had, and their bytes. */
  readonly newBlobs: number
  readonly newBytes: number
  /** Bytes of the documents. */
  readonly documentBytes: number
  /** Files whose data the blob store does not have, as `<instance>/<id>`. */
  readonly withoutData: readonly string[]
}

const mostAttempts = 3

/** The body, whose bytes are added to a checksum as they pass. */
async function* summed(
  body: AsyncIterable<Uint8Array>,
  sum: Checksum,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of body) {
    sum.add(chunk)
    yield chunk
  }
}

/** Writes a body, and returns its size and checksum. Throws what the body throws. */
const writeBlob = async (
  to: BlobStore,
  key: BlobKey,
  { body, limit }: Pick<DocumentsCopy, 'body' | 'limit'>,
  checksum: () => Checksum,
): Promise<{ readonly bytes: number; readonly sha256: string }> => {
  const sum = checksum()
  const { chunks, thrown } = withErrors(summed(body, sum))
  const written = await to.write(key, chunks, limit)()
  if (E.isRight(written)) return { bytes: written.right.bytes, sha256: sum.value() }
  const failure = written.left
  if (failure._tag === 'BlobTooLarge')
    throw portFailure('place of backups', `${key} is larger than ${limit} bytes`)
  throw failure._tag === 'BodyInterrupted' ? thrown[0] : failure
}

/** The data that a backup has: that of an earlier one, and what was copied since. */
class CopiedData {
  readonly lines = new Map<BlobKey, BlobLine>()
  newBlobs = 0
  newBytes = 0

  constructor(
    readonly from: BlobStore,
    readonly place: BlobStore,
    /** The blobs of the latest backup. */
    readonly known: ReadonlyMap<BlobKey, BlobLine>,
    /** The sizes of the blobs in the place, by their keys there. */
    readonly sizes: ReadonlyMap<BlobKey, number>,
    readonly checksum: CopyTools['checksum'],
  ) {}

  /** Copies what is missing. What is removed in the meantime is left out. */
  async copy(done: (bytes: number) => void): Promise<void> {
    await forEachConcurrently(this.from.list(''), concurrency, async ({ key, bytes }) => {
      if (isDerived(key) && key !== identityKey) return
      if (!this.lines.has(key)) await this.#copyOne(key, bytes)
      done(bytes)
    })
  }

  async #copyOne(key: BlobKey, bytes: number): Promise<void> {
    const known = this.known.get(key)
    const target = dataKey(key)
    const size = this.sizes.get(target)
    if (known?.bytes === bytes && size === bytes) {
      this.lines.set(key, known)
      return
    }
    // A backup that was interrupted has written it. Blobs are written completely or not at all.
    const sha256 = size === bytes ? await checksumOf(this.place, target, this.checksum) : null
    const line = sha256 === null ? await this.#write(key, bytes) : { blob: key, bytes, sha256 }
    if (line === null) return
    this.lines.set(key, line)
    this.newBlobs += 1
    this.newBytes += line.bytes
  }

  async #write(key: BlobKey, limit: number): Promise<BlobLine | null> {
    const body = await this.from.read(key)()
    if (E.isRight(body)) {
      const { chunks } = body.right
      return {
        blob: key,
        ...(await writeBlob(this.place, dataKey(key), { body: chunks, limit }, this.checksum)),
      }
    }
    if (body.left._tag === 'BlobNotFound') return null
    throw body.left
  }
}

/**
 * The files whose data is not among the copied, as `<instance>/<id>`. Throws if no file has data: then the blob store is that of
 * other documents.
 */
const filesWithoutData = async (
  reads: DocumentReads,
  instances: readonly number[],
  lines: ReadonlyMap<BlobKey, BlobLine>,
): Promise<readonly string[]> => {
  const missing: string[] = []
  let [files, first] = [0, { instance: 0, file: '' }]
  for (const number of instances)
    for await (const { id, value } of documentsOf(reads, partitionOf(number, file.collection))) {
      const { blob: upload } = stateIn(file, value)
      if (upload === null) continue
      files += 1
      if (lines.has(originalBlob(upload))) continue
      if (missing.length === 0) first = { instance: number, file: id }
      missing.push(`${number}/${id}`)
    }
  return files > 0 && files === missing.length ? throwRejection({ _tag: 'DataMissing', ...first }) : missing
}

const identityIn = async ({ get }: DocumentReads): Promise<string | null> => {
  const found = await orThrow(get(systemCollections.identity.name, systemInstance, identityId))
  return found === null ? null : decodeStored(StoredIdentity, found).id
}

const latestList = async ({ place }: BackupRequest, { checksum }: CopyTools): Promise<BackupList | null> => {
  const id = (await backupNames(place)).complete.at(-1)
  return id === undefined ? null : readBackupList(place, id, checksum)
}

/** Makes a backup. Throws a CopyFailure. */
export const makeBackup = async (request: BackupRequest, tools: CopyTools): Promise<BackupResult> => {
  const { place, source, time } = request
  const { checksum } = tools
  const id = backupId(time)
  const latest = await latestList(request, tools)
  const sizes = new Map<BlobKey, number>()
  for await (const { key, bytes } of place.list(dataFolder)) sizes.set(key, bytes)
  const data = new CopiedData(source.blobs, place, latest?.blobs ?? new Map(), sizes, checksum)
  await data.copy(progressOf(tools, 'copy blobs', await bytesIn(source.blobs.list(''))))
  for (let attempt = 1; ; attempt += 1) {
    const { head, missing } = await source.withDocuments(async ({ form, reads, body, limit }) => {
      const identity = await identityIn(reads)
      if (latest !== null && latest.head.identity !== identity)
        throwRejection({ _tag: 'OtherBackups', source: latest.head.source })
      const { live } = await instancesIn(reads)
      const documents = await writeBlob(place, documentsKey(id), { body, limit }, checksum)
      await data.copy(() => undefined)
      const made: BackupHead = {
        backup: 1,
        source: source.name,
        time: new Date(time).toISOString(),
        identity,
        form,
        documents,
      }
      return { head: made, missing: await filesWithoutData(reads, live, data.lines) }
    })
    // Data can be uploaded before this moment and removed after it: another moment has other documents.
    if (missing.length > 0 && attempt < mostAttempts) continue
    await writeBackupList(place, { id, head, blobs: data.lines }, checksum())
    const { newBlobs, newBytes, lines } = data
    const all = [...lines.values()].reduce((sum, line) => sum + line.bytes, 0)
    return {
      id,
      blobs: lines.size,
      bytes: all,
      newBlobs,
      newBytes,
      documentBytes: head.documents.bytes,
      withoutData: missing,
    }
  }
}
