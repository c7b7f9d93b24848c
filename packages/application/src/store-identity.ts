/**
 * The store identity: a document store and a blob store have the same id, as a document and as a blob. Garbage
 * collection deletes blobs that no document refers to, so a service must not run on the blobs of other documents.
 */
import { E, pipe, t, TE, type TaskEither } from '@publishing-service/domain/fp'
import {
  isPortFailure,
  type BlobKey,
  type Document,
  type DocumentStore,
  type PortFailure,
} from '@publishing-service/ports'
import { systemCollections, systemInstance } from './collections.js'
import { decodeStored } from './decode-stored.js'
import { contended, type Failure } from './failure.js'
import { bytesOf, isDerived, originalBlob, textOf, type Digest, uploadBlobs } from './files/file-blobs.js'
import type { Ports } from './ports.js'
import { orThrow } from './attempt.js'
import { hasDocuments, partitionsOf } from './storage-copy/partitions.js'

/** What was found in both stores. */
export type StoresFound = {
  readonly documents: {
    /** Null if there is none, or if it is not written to the blob store yet. */
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

/** The service must not start on these stores. */
export type StoresDiffer = { readonly _tag: 'StoresDiffer'; readonly found: StoresFound }

/** Counting stops here: the number is only for a message. */
export const maxForeignCounted = 10_000

/**
 * Whether the stores belong together. `adopt` is set by an operator who knows that they do. Blobs without documents
 * belong to other documents, and so does an id that only one store has: a first start writes the id to both stores.
 */
export const belongTogether = ({ documents, blobs }: StoresFound, adopt: boolean): boolean => {
  if (adopt || (documents.id !== null && documents.id === blobs.id)) return true
  if (documents.id !== null) return false
  return documents.isEmpty ? blobs.foreign === 0 : blobs.id === null
}

/** A file of the sample publication, which a start on empty documents may find and overwrite. */
export type SampleData = { readonly instance: number; readonly fileId: string } & Digest

export type IdentityRequest = {
  /** Assigns the blob store to these documents, whatever it contains. */
  readonly adopt: boolean
  /** Called only if needed. */
  readonly sample: () => Promise<readonly SampleData[]>
}

const { name: collection } = systemCollections.identity

/**
 * The identity in the document store: begun until the blob store has it too. `copyOf` names what is being copied into the
 * stores, until they have all of it; `rewindTo` is the moment to which their instances are then taken back.
 */
export const StoredIdentity = t.readonly(
  t.intersection([
    t.type({ id: t.string }),
    t.partial({ isBegun: t.boolean, copyOf: t.string, rewindTo: t.string }),
  ]),
  collection,
)
type StoredIdentity = t.TypeOf<typeof StoredIdentity>

export const identityId = 'store'

/** What is being copied into the stores; null if they are complete. */
export const sourceOfCopy = (documents: Pick<DocumentStore, 'get'>): TaskEither<PortFailure, string | null> =>
  pipe(
    documents.get(collection, systemInstance, identityId),
    TE.map((found) => (found === null ? null : (decodeStored(StoredIdentity, found).copyOf ?? null))),
  )

/** The blob with the id. */
export const identityKey: BlobKey = 'store/identity'
const identityLimit = 1000
const attempts = 10

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield bytesOf(text)
}

const idFrom = (text: string): string => {
  const found: unknown = /^\{"id":"([\w-]{1,100})"\}$/.exec(text)?.[1]
  return typeof found === 'string' ? found : 'unreadable'
}

export type StoreIdentity = {
  /**
   * Writes the same id to both stores, if they belong together. Called at each start, before anything else is
   * written.
   */
  readonly establish: (request: IdentityRequest) => TaskEither<Failure | StoresDiffer, void>
  /** Whether both stores have the same id, or both have none. */
  readonly isSame: () => TaskEither<PortFailure, boolean>
}

export const createStoreIdentity = ({
  documents,
  blobs,
  ids,
  checksum,
  log,
}: Pick<Ports, 'documents' | 'blobs' | 'ids' | 'checksum' | 'log'>): StoreIdentity => {
  const readDocument = (): Promise<Document | null> =>
    orThrow(documents.get(collection, systemInstance, identityId))

  const readBlob = async (): Promise<string | null> => {
    const opened = await blobs.read(identityKey)()
    if (E.isLeft(opened)) {
      if (opened.left._tag === 'BlobNotFound') return null
      throw opened.left
    }
    let text = ''
    for await (const chunk of opened.right.chunks) if (text.length < identityLimit) text += textOf(chunk)
    return idFrom(text)
  }

  const writeBlob = async (id: string): Promise<void> => {
    const written = await blobs.write(identityKey, once(JSON.stringify({ id })), identityLimit)()
    if (E.isLeft(written)) throw written.left
  }

  /** Whether the identity is the only document. Every instance has a document in the system instance. */
  const isEmpty = async (): Promise<boolean> => {
    for (const partition of partitionsOf([1]))
      if (partition.target.collection !== collection && (await hasDocuments(documents, partition)))
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

  /** The uploads of the sample publication, and the number of all other blobs. */
  const classifyBlobs = async (sample: readonly SampleData[]) => {
    const samplesByFolder = new Map(sample.map((each) => [`${each.instance}/${each.fileId}`, each]))
    const uploads = new Set<string>()
    const derived = new Map<string, number>()
    let foreign = 0
    for await (const entry of blobs.list('')) {
      if (entry.key === identityKey) continue
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
      if (foreign >= maxForeignCounted) break
    }
    for (const [path, count] of derived) if (!uploads.has(path)) foreign += count
    return { uploads, foreign }
  }

  /** Another process may have written it first; then this one retries. */
  const write = async (current: Document | null, value: StoredIdentity): Promise<void> => {
    const next = { id: identityId, unique: null, value }
    const written =
      current === null
        ? await documents.insert(collection, systemInstance, next)()
        : await documents.replace(collection, systemInstance, { ...next, version: current.version })()
    if (E.isLeft(written) && written.left._tag === 'PortFailure') throw written.left
  }

  /**
   * Executes the next step. Returns null if it has to be called again. The document is written first, because only the
   * document store detects that another process was faster. It is marked as begun until the blob is written.
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
    // Another process that starts writes documents before blobs: while there are no documents, the listed blobs are not
    // from it.
    if (wasEmpty && !(await isEmpty())) return null
    const found: StoresFound = {
      documents: { id: isBegun ? null : noted, isEmpty: wasEmpty },
      blobs: { id: blobId, foreign },
    }
    if (!belongTogether(found, adopt)) return { _tag: 'StoresDiffer', found }
    if (adopt) log.write('warn', 'blob store adopted', { documents: noted, blobs: blobId })
    // Images of an earlier sample publication. A first start writes them again.
    else if (wasEmpty) for (const path of uploads) await orThrow(blobs.remove(path))
    if (noted === null) await write(null, { id: ids.uuid(), isBegun: true })
    else await writeBlob(noted)
    return null
  }

  return {
    establish: (request) => async () => {
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
    isSame: () => async () => {
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
