/**
 * Writes a bundle of one instance: its documents of one moment, and the data of files that they name. Data that is removed
 * meanwhile is left out, and named.
 */
import { file, notFound, stateIn } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { BlobKey, BlobStore, Document, DocumentStore } from '@publishing-service/ports'
import { instanceOf, isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { userIn } from '../access/stored-user.js'
import { fail, orThrow } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { objectOfDraft } from '../drafts/stored-drafts.js'
import { isDerived, originalBlob } from '../files/file-blobs.js'
import { progressOf, type CopyTools } from '../storage-copy/copy-run.js'
import { exportWriter, type BundleHeader, type DocumentLine } from '../storage-copy/export-format.js'
import { countOf, documentsOf, type DocumentReads } from '../storage-copy/partitions.js'
import { blobFile, lineFiles, type NewBundle } from './bundle-files.js'
import { partsOf } from './bundle-form.js'
import { blobAt, bundledLine, numberInBundle, uploadsIn, usersIn } from './bundle-lines.js'

export type BundleRequest = {
  readonly instance: number
  /** Whether the bundle has the records of changes, with earlier versions. */
  readonly history: boolean
  /** Whether it has the data of files. */
  readonly data: boolean
  /** When it is made. */
  readonly time: string
}

export type ExportedBundle = {
  readonly instance: number
  readonly title: string
  readonly documents: number
  readonly blobs: number
  /** Of all blobs. */
  readonly bytes: number
  /** Files whose data the blob store does not have, by UUID. */
  readonly withoutData: readonly string[]
}

type Source = { readonly documents: DocumentStore; readonly blobs: BlobStore }

const { drafts, instances, users } = systemCollections

const requireStored = async (reads: DocumentReads, instance: number): Promise<StoredInstance> => {
  const found = await orThrow(reads.get(instances.name, systemInstance, String(instance)))
  const stored = found === null ? null : decodeStored(StoredInstance, found)
  return stored === null || !isLiveInstance(stored) ? fail(notFound) : stored
}

/** Whether a document is the draft of a former object, which nobody reads. */
const isLeftDraft = async (
  reads: DocumentReads,
  instance: number,
  { value }: Pick<Document, 'value'>,
): Promise<boolean> => {
  const { collection, id, position } = objectOfDraft(value)
  const object = await orThrow(reads.get(collection, instance, id))
  return object?.position !== position
}

/** The value with its attributes in an order that is the same in every store. */
const inOrderOfNames = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** The documents of the instance as lines of a bundle, numbered in each collection. */
async function* linesOf(
  reads: DocumentReads,
  { instance, history }: BundleRequest,
): AsyncGenerator<DocumentLine, void, void> {
  for (const { partition, where, isIn } of partsOf(instance, history)) {
    const { target, instance: of } = partition
    const { collection } = target
    let position = 0
    for await (const document of documentsOf(reads, partition, where)) {
      if (!isIn(document)) continue
      if (collection === drafts.name && (await isLeftDraft(reads, instance, document))) continue
      const { id, version } = document
      const value = inOrderOfNames(document.value)
      position += 1
      yield bundledLine(
        { collection, instance: of, id, position, version, unique: target.uniqueText(value), value },
        instance,
      )
    }
  }
}

const emailOf = async (reads: DocumentReads, id: string): Promise<string | null> => {
  const found = await orThrow(reads.get(users.name, systemInstance, id))
  return found === null ? null : userIn(found).email
}

/** The lines that are written until the text is taken. */
class Lines {
  #text = ''

  readonly write = async (line: string): Promise<void> => {
    this.#text += line
  }

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

/** Writes one bundle. */
class BundleWriting {
  readonly #lines = new Lines()
  readonly #writer
  readonly #users = new Set<string>()
  /** The data of files, by keys of the instance, with the files that have it now. */
  readonly #wanted = new Map<BlobKey, string | null>()
  readonly #withoutData: string[] = []
  #documents = 0
  #blobs = 0
  #bytes = 0

  constructor(
    private readonly from: Source,
    private readonly request: BundleRequest,
    private readonly to: NewBundle,
    private readonly tools: CopyTools,
  ) {
    this.#writer = exportWriter<BundleHeader>(this.#lines.write, tools.checksum())
  }

  async write(): Promise<ExportedBundle> {
    const { instance } = this.request
    const snapshot = await orThrow(this.from.documents.snapshot())
    let title: string
    try {
      const stored = await requireStored(snapshot, instance)
      title = instanceOf(instance, stored).settings.title
      await this.to.add(lineFiles.before, this.#documentLines(snapshot, stored), 'compressed')
    } finally {
      await snapshot.close()
    }
    await this.#writeBlobs()
    await this.#writer.end()
    await this.to.add(lineFiles.after, this.#rest(), 'compressed')
    return {
      instance,
      title,
      documents: this.#documents,
      blobs: this.#blobs,
      bytes: this.#bytes,
      withoutData: this.#withoutData,
    }
  }

  async #headerOf(reads: DocumentReads, { settings = {}, zone_changed: rezoned }: StoredInstance) {
    const { instance, history, time } = this.request
    let documents = 0
    for (const { partition, where, isIn } of partsOf(instance, history))
      documents += await countOf(reads, partition, where, isIn)
    return { bundle: 1, time, settings, rezoned: rezoned !== undefined, history, documents } as const
  }

  async *#documentLines(reads: DocumentReads, stored: StoredInstance): AsyncGenerator<string, void, void> {
    const header = await this.#headerOf(reads, stored)
    await this.#writer.header(header)
    const done = progressOf(this.tools, 'copy documents', header.documents)
    for await (const line of linesOf(reads, this.request)) {
      for (const user of usersIn(line)) this.#users.add(user)
      this.#noteUploads(line)
      await this.#writer.document(line)
      this.#documents += 1
      done(1)
      yield this.#lines.take()
    }
    for (const user of this.#users) await this.#writer.user({ user, email: await emailOf(reads, user) })
    yield this.#lines.take()
  }

  #noteUploads(line: DocumentLine): void {
    for (const upload of uploadsIn(line)) {
      const key = originalBlob(blobAt(upload, numberInBundle, this.request.instance))
      const isPresent = line.collection === file.collection && stateIn(file, line.value).blob === upload
      if (isPresent || !this.#wanted.has(key)) this.#wanted.set(key, isPresent ? line.id : null)
    }
  }

  /** Writes the data that the blob store has, in the order of the documents that name it first. */
  async #writeBlobs(): Promise<void> {
    const { instance, data } = this.request
    if (!data) return
    const sizes = new Map<BlobKey, number>()
    let total = 0
    for await (const { key, bytes } of this.from.blobs.list(String(instance)))
      if (!isDerived(key) && this.#wanted.has(key)) {
        sizes.set(key, bytes)
        total += bytes
      }
    const done = progressOf(this.tools, 'copy blobs', total)
    for (const [key, id] of this.#wanted) {
      const isWritten = sizes.has(key) && (await this.#writeBlob(key, done))
      // Data of earlier versions is retained for some time only.
      if (!isWritten && id !== null) this.#withoutData.push(id)
    }
  }

  async #writeBlob(key: BlobKey, done: (bytes: number) => void): Promise<boolean> {
    const body = await this.from.blobs.read(key)()
    if (E.isLeft(body)) {
      if (body.left._tag === 'BlobNotFound') return false
      throw body.left
    }
    const { chunks } = body.right
    const sum = this.tools.checksum()
    let bytes = 0
    const summed = async function* (): AsyncGenerator<Uint8Array, void, void> {
      for await (const chunk of chunks) {
        sum.add(chunk)
        bytes += chunk.length
        yield chunk
        done(chunk.length)
      }
    }
    const blob = blobAt(key, this.request.instance, numberInBundle)
    await this.to.add(blobFile(blob), summed(), 'as it is')
    await this.#writer.blob({ blob, bytes, sha256: sum.value() })
    this.#blobs += 1
    this.#bytes += bytes
    return true
  }

  async *#rest(): AsyncGenerator<string, void, void> {
    yield this.#lines.take()
  }
}

/** Writes a bundle of an instance. Throws a PortFailure, or NotFound if there is no such instance. */
export const exportInstance = (
  from: Source,
  request: BundleRequest,
  to: NewBundle,
  tools: CopyTools,
): Promise<ExportedBundle> => new BundleWriting(from, request, to, tools).write()
