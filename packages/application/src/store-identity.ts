/**
 * The identity that a document store and a blob store have in common: the same id, as a document and as a blob. Garbage
 * collection deletes what the documents don't name, so a service must never run on blobs that belong to others.
 */
import { E, t, type TaskEither } from '@publishing-service/domain'
import { isPortFailure, type BlobKey, type Document, type PortFailure } from '@publishing-service/ports'
import { bytesOf, textOf } from './ascii.js'
import { systemCollections, systemInstance } from './collections.js'
import { decodeStored } from './decode-stored.js'
import { contended, type Failure } from './failure.js'
import { isDerived, originalBlob, uploadBlobs } from './files/blob-paths.js'
import type { Digest } from './files/verified-data.js'
import type { Ports } from './ports.js'
import { orThrow } from './or-throw.js'
import { documentsAfter, partitionsOf } from './storage-copy/partitions.js'

/** What was found in both stores. */
export type StoresFound = {
  readonly documents: {
    /** Null where there is none, or one that was begun only: the blob store doesn't have it yet. */
    readonly id: string | null
    /** Whether there is any other document. */
    readonly isEmpty: boolean
  }
  readonly blobs: {
    readonly id: string | null
    /** Blobs that are neither the identity nor of the sample publication; counted up to `mostCounted`. */
    readonly foreign: number
  }
}

/** Why a service must not start on these stores. */
export type StoresDiffer = { readonly _tag: 'StoresDiffer'; readonly found: StoresFound }

/** Where counting ends: the number is for a message. */
export const mostCounted = 10_000

/**
 * Whether the stores belong together. `adopt` is said by an operator who knows that they do. Blobs without documents
 * are somebody's, and so is an id that only one side has; a first start makes the id on both sides.
 */
export const belongTogether = ({ documents, blobs }: StoresFound, adopt: boolean): boolean => {
  if (adopt || (documents.id !== null && documents.id === blobs.id)) return true
  if (documents.id !== null) return false
  return documents.isEmpty ? blobs.foreign === 0 : blobs.id === null
}

/** The sample publication's data: what a start on empty documents may find, and write again. */
export type SampleData = { readonly instance: number; readonly fileId: string } & Digest

export type IdentityRequest = {
  /** Makes the blob store one of these documents, whatever it holds. */
  readonly adopt: boolean
  /** Read only where it has to be known. */
  readonly sample: () => Promise<readonly SampleData[]>
}

const { name: collection } = systemCollections.identity

/** The identity as the document store has it: begun until the blob store has it too. */
const StoredIdentity = t.readonly(
  t.intersection([t.type({ id: t.string }), t.partial({ isBegun: t.boolean })]),
  collection,
)
type StoredIdentity = t.TypeOf<typeof StoredIdentity>

const documentId = 'store'
const key: BlobKey = 'store/identity'
const identityLimit = 1000
const attempts = 10

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield bytesOf(text)
}

const idFrom = (text: string): string => {
  const found: unknown = /^\{"id":"([\w-]{1,100})"\}$/.exec(text)?.[1]
  return typeof found === 'string' ? found : 'unreadable'
}

export const createStoreIdentity = ({
  documents,
  blobs,
  ids,
  checksum,
  log,
}: Pick<Ports, 'documents' | 'blobs' | 'ids' | 'checksum' | 'log'>) => {
  const readDocument = (): Promise<Document | null> =>
    orThrow(documents.get(collection, systemInstance, documentId))

  const readBlob = async (): Promise<string | null> => {
    const opened = await blobs.read(key)()
    if (E.isLeft(opened)) {
      if (opened.left._tag === 'BlobNotFound') return null
      throw opened.left
    }
    let text = ''
    for await (const chunk of opened.right.chunks) if (text.length < identityLimit) text += textOf(chunk)
    return idFrom(text)
  }

  const writeBlob = async (id: string): Promise<void> => {
    await orThrow(blobs.write(key, once(JSON.stringify({ id })), identityLimit))
  }

  /** Whether there is no document but the identity. No instance can be there without its own. */
  const isEmpty = async (): Promise<boolean> => {
    for (const partition of partitionsOf([1]))
      if (
        partition.target.collection !== collection &&
        (await documentsAfter(documents, partition, 0)).length > 0
      )
        return false
    return true
  }

  const checksumOf = async (blob: BlobKey): Promise<string | null> => {
    const opened = await blobs.read(blob)()
    if (E.isLeft(opened)) {
      if (opened.left._tag === 'BlobNotFound') return null
      throw opened.left
    }
    const sum = checksum()
    for await (const chunk of opened.right.chunks) sum.add(chunk)
    return sum.value()
  }

  /** The uploads that are the sample's, and the number of all other blobs. */
  const classifyBlobs = async (sample: readonly SampleData[]) => {
    const samplesByFolder = new Map(sample.map((each) => [`${each.instance}/${each.fileId}`, each]))
    const uploads = new Set<string>()
    const derived = new Map<string, number>()
    let foreign = 0
    for await (const entry of blobs.list('')) {
      if (entry.key === key) continue
      const [instance = '', fileId = '', name = ''] = entry.key.split('/')
      const sampleData = samplesByFolder.get(`${instance}/${fileId}`)
      const path = uploadBlobs(Number(instance), fileId, name)
      if (sampleData === undefined) foreign += 1
      else if (isDerived(entry.key)) derived.set(path, (derived.get(path) ?? 0) + 1)
      else if (
        entry.bytes === sampleData.bytes &&
        (await checksumOf(originalBlob(path))) === sampleData.sha256
      )
        uploads.add(path)
      else foreign += 1
      if (foreign >= mostCounted) break
    }
    for (const [path, count] of derived) if (!uploads.has(path)) foreign += count
    return { uploads, foreign }
  }

  /** Another process may have written it first; then this one looks again. */
  const write = async (current: Document | null, value: StoredIdentity): Promise<void> => {
    const next = { id: documentId, unique: null, value }
    const written =
      current === null
        ? await documents.insert(collection, systemInstance, next)()
        : await documents.replace(collection, systemInstance, { ...next, version: current.version })()
    if (E.isLeft(written) && written.left._tag === 'PortFailure') throw written.left
  }

  /**
   * Takes the next step: done, refused, or null where it has to look again. The document comes first, since only the
   * document store tells one of two processes that it was second; until the blob is there it is marked as begun.
   */
  const tryEstablish = async ({ adopt, sample }: IdentityRequest): Promise<StoresDiffer | 'done' | null> => {
    const document = await readDocument()
    const identity = document === null ? null : decodeStored(StoredIdentity, document)
    const noted = identity?.id ?? null
    const isBegun = identity?.isBegun === true
    const blobId = await readBlob()
    if (noted !== null && noted === blobId) {
      if (!isBegun) return 'done'
      await write(document, { id: noted })
      return null
    }
    const wasEmpty = await isEmpty()
    const { uploads, foreign } = await classifyBlobs(await sample())
    // Another process that starts fills the documents before the blobs: what was listed before this look is not its.
    if (wasEmpty && !(await isEmpty())) return null
    const found: StoresFound = {
      documents: { id: isBegun ? null : noted, isEmpty: wasEmpty },
      blobs: { id: blobId, foreign },
    }
    if (!belongTogether(found, adopt)) return { _tag: 'StoresDiffer', found }
    if (adopt) log.write('warn', 'blob store adopted', { documents: noted, blobs: blobId })
    // The sample's photographs of documents that are gone; a first start writes them again.
    else if (wasEmpty) for (const path of uploads) await orThrow(blobs.remove(path))
    if (noted === null) await write(null, { id: ids.uuid(), isBegun: true })
    else await writeBlob(noted)
    return null
  }

  return {
    /** Makes both stores have the same id, where they may; run at each start, before anything else is written. */
    establish:
      (request: IdentityRequest): TaskEither<Failure | StoresDiffer, void> =>
      async () => {
        try {
          for (let attempt = 0; attempt < attempts; attempt += 1) {
            const result = await tryEstablish(request)
            if (result === 'done') return E.right(undefined)
            if (result !== null) return E.left(result)
          }
          return E.left(contended)
        } catch (error) {
          if (isPortFailure(error)) return E.left(error)
          throw error
        }
      },
    /** Whether both stores have the same id, or none yet. */
    isSame: (): TaskEither<PortFailure, boolean> => async () => {
      try {
        const document = await readDocument()
        const noted = document === null ? null : decodeStored(StoredIdentity, document).id
        return E.right(noted === (await readBlob()))
      } catch (error) {
        if (isPortFailure(error)) return E.left(error)
        throw error
      }
    },
  }
}

export type StoreIdentity = ReturnType<typeof createStoreIdentity>
