/**
 * Makes an instance of a bundle. Until it has everything, no process serves it, and a repeated import of the same bundle goes on
 * with it. One that turns out to be damaged is removed.
 */
import { E } from '@publishing-service/domain/fp'
import { jsonEqual, utf8Length, type JsonObject } from '@publishing-service/domain/json'
import { maxAppendedBytes, type BlobKey, type Change } from '@publishing-service/ports'
import { StoredInstance } from '../access/stored-instance.js'
import { userIn } from '../access/stored-user.js'
import { newSettings, type InstanceRow } from '../administration/administer-instances.js'
import type { DeleteInstance } from '../administration/delete-instance.js'
import { orThrow } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { objectOfDraft } from '../drafts/stored-drafts.js'
import { forEachPage } from '../engine/for-each-page.js'
import { targetIn, type UpdateDocument } from '../engine/update-document.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import type { Recorded } from '../recording.js'
import { checksumOf, concurrency, withErrors } from '../storage-copy/copy-blobs.js'
import { rejectConflict, requireAccepted, throwRejection } from '../storage-copy/copy-failure.js'
import { progressOf, type CopyTools } from '../storage-copy/copy-run.js'
import type { BlobLine, DocumentLine, UserLine } from '../storage-copy/export-format.js'
import { forEachConcurrently } from '../storage-copy/for-each-concurrently.js'
import { recordPlacesIn } from '../upgrades/complete-places.js'
import type { StoredBundle } from './bundle-files.js'
import { blobFor, lineFor, type Destination } from './bundle-lines.js'
import { checkBundle, type CheckedBundle } from './check-bundle.js'

export type BundleOptions = {
  /** In place of the title in the bundle; null for that. */
  readonly title: string | null
  /** Whether all objects get other UUIDs. */
  readonly newIds: boolean
}

/** A user of the bundle for whom the deployment has none. */
export type UnknownUser = UserLine

export type ImportedInstance = {
  readonly instance: InstanceRow
  readonly documents: number
  readonly blobs: number
  /** Of all blobs. */
  readonly bytes: number
  /** The number of users whom objects name, and those of them that the deployment does not have. */
  readonly users: number
  readonly unknownUsers: readonly UnknownUser[]
  /** The number of uploads whose data the bundle does not have. */
  readonly withoutData: number
  /** Whether it continued an earlier run. */
  readonly resumed: boolean
}

type Context = Pick<Ports, 'documents' | 'blobs' | 'clock' | 'checksum'> & {
  readonly update: UpdateDocument
  readonly deletions: Pick<DeleteInstance, 'discard'>
}

const { drafts, instances, users: userCollection } = systemCollections
const target = targetIn(instances.name)

/** Documents that are inserted at a time: stores commit concurrent writes together. */
const batchSize = 100

/**
 * The position before those of the records of an instance. Records of changes are read on in the order of their positions, and the
 * next one that is written follows all: so those of a history are below every position that stores give.
 */
const firstRecord = (instance: number): number => (instance % 1_000_000) * 2 ** 30

const attempts = 50

/** The users of the deployment in place of those of the bundle: by address; those without one by UUID. */
const findUsers = async (
  { documents }: Context,
  users: readonly UserLine[],
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  for (const { user, email } of users) {
    if (email === null) {
      const same = await orThrow(documents.get(userCollection.name, systemInstance, user))
      if (same !== null && userIn(same).email === null) found.set(user, user)
      continue
    }
    const where = [{ key: 'email', equals: email }]
    const query = { where, order: [], skip: 0, limit: 1, detail: 'light' } as const
    const [other] = (await orThrow(documents.find(userCollection.name, systemInstance, query))).documents
    if (other !== undefined) found.set(user, other.id)
  }
  return found
}

/** An instance that is being imported. */
type Begun = {
  readonly number: number
  readonly position: number
  readonly settings: InstanceRow['settings']
  readonly resumed: boolean
}

const findBegun = async ({ documents }: Context, importing: string): Promise<Begun | null> => {
  const query = {
    where: [
      { key: 'deleted', equals: null },
      { key: 'importing', equals: importing },
    ],
    order: [],
    skip: 0,
    limit: 1,
    detail: 'full',
  } as const
  const [found] = (await orThrow(documents.find(instances.name, systemInstance, query))).documents
  if (found === undefined) return null
  const { number, settings = {} } = decodeStored(StoredInstance, found)
  return { number, position: found.position, settings, resumed: true }
}

/** The number after the last one. */
const nextNumber = async ({ documents }: Context): Promise<number> => {
  let last = 0
  const scan = { documents: documentsIn(documents, systemInstance), collection: instances.name, limit: 1000 }
  await forEachPage(scan, (page) => {
    for (const document of page) last = Math.max(last, decodeStored(StoredInstance, document).number)
  })
  return last + 1
}

/** Makes an instance that no process serves, unless there is one for the same import. */
const begin = async (
  context: Context,
  importing: string,
  settings: InstanceRow['settings'],
): Promise<Begun> => {
  const begun = await findBegun(context, importing)
  if (begun !== null) return begun
  const system = documentsIn(context.documents, systemInstance)
  for (let attempted = 0; attempted < attempts; attempted += 1) {
    const number = await nextNumber(context)
    const value = { number, settings, importing }
    const made = await system.insert(instances.name, { id: String(number), unique: null, value })
    if (E.isRight(made)) return { number, position: made.right.position, settings, resumed: false }
  }
  return throwRejection({ _tag: 'ConcurrentWriter' })
}

/** Fills one instance with a bundle. */
class Filling {
  constructor(
    private readonly context: Context,
    private readonly bundle: CheckedBundle,
    private readonly to: Destination,
    /** The position of the instance: those of its own documents follow, so that a repeated run uses the same ones. */
    private readonly first: number,
    private readonly tools: CopyTools,
  ) {}

  async fill(): Promise<void> {
    const { bundle, tools, to } = this
    const doneBlobs = progressOf(tools, 'copy blobs', bundle.bytes)
    await forEachConcurrently(this.#blobs(), concurrency, async (line) => {
      await this.#writeBlob(line)
      doneBlobs(line.bytes)
    })
    const done = progressOf(tools, 'copy documents', bundle.header.documents)
    for await (const lines of this.#batches()) {
      await this.#insertAll(lines)
      done(lines.length)
    }
    await recordPlacesIn(this.context, to.instance, progressOf(tools, 'record paths', bundle.withPaths))
  }

  async *#blobs(): AsyncGenerator<BlobLine, void, void> {
    yield* this.bundle.blobs.values()
  }

  /** Documents of one collection in their order, some at a time. */
  async *#batches(): AsyncGenerator<readonly DocumentLine[], void, void> {
    let [lines, bytes]: [DocumentLine[], number] = [[], 0]
    for await (const found of this.bundle.documents()) {
      const line = lineFor(found, this.to)
      const length = utf8Length(JSON.stringify(line.value))
      const isFull = lines.length === batchSize || bytes + length > maxAppendedBytes
      if (lines.length > 0 && (isFull || lines[0]?.collection !== line.collection)) {
        yield lines
        ;[lines, bytes] = [[], 0]
      }
      lines.push(line)
      bytes += length
    }
    if (lines.length > 0) yield lines
  }

  /** Inserts documents. Rejects with the first failure, after all insertions have ended. */
  async #insertAll(lines: readonly DocumentLine[]): Promise<void> {
    const ended = await Promise.allSettled(lines.map((line) => this.#insert(line)))
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }

  /** A draft names the position of its object, which is there by now. */
  async #withPosition({ collection, instance, value }: DocumentLine): Promise<JsonObject> {
    if (collection !== drafts.name) return value
    const { collection: of, id } = objectOfDraft(value)
    const object = await orThrow(this.context.documents.get(of, instance, id))
    return { ...value, position: object?.position ?? 0 }
  }

  async #writeBlob({ blob, bytes, sha256 }: BlobLine): Promise<void> {
    const { blobs, checksum } = this.context
    const key: BlobKey = blobFor(blob, this.to)
    // Only an interrupted run has written it.
    if ((await orThrow(blobs.size(key))) === bytes && (await checksumOf(blobs, key, checksum)) === sha256)
      return
    const { chunks, thrown } = withErrors(this.bundle.data(blob))
    const written = await blobs.write(key, chunks, bytes)()
    if (E.isLeft(written) && written.left._tag === 'PortFailure') throw written.left
    if (E.isLeft(written) && written.left._tag === 'BodyInterrupted') throw thrown[0]
    if (E.isLeft(written) || written.right.bytes !== bytes || written.right.sha256 !== sha256)
      throwRejection({ _tag: 'ExportDamaged', problem: `the data of blobs/${blob} was changed` })
  }

  /** Inserts a document; one that an interrupted run has inserted, with another value, is replaced. */
  async #insert(line: DocumentLine): Promise<void> {
    const { collection, instance, id, version, unique } = line
    const { documents } = this.context
    const value = await this.#withPosition(line)
    const position =
      line.position + (instance === systemInstance ? firstRecord(this.to.instance) : this.first)
    const insert: Change = {
      collection,
      kind: 'insert',
      document: { id, position, version, unique, value },
    }
    for (let attempted = 0; attempted < attempts; attempted += 1) {
      const inserted = await documents.write(instance, [insert], [])()
      if (E.isRight(inserted)) return
      requireAccepted(inserted.left, { instance, collection, id })
      const found = await orThrow(documents.get(collection, instance, id))
      if (found === null) continue
      if (jsonEqual(found.value, value)) return
      const removal: Change = { collection, kind: 'remove', id, version: found.version }
      await rejectConflict(documents.write(instance, [removal], []))
    }
    throwRejection({ _tag: 'ConcurrentWriter' })
  }
}

/** Failures after which the same bundle can be imported. */
const isRepeatable = (failure: unknown): boolean =>
  typeof failure === 'object' &&
  failure !== null &&
  '_tag' in failure &&
  (failure._tag === 'PortFailure' || failure._tag === 'ConcurrentWriter')

/** Makes an instance of a bundle. Throws a CopyFailure, or BadParameters for settings that are not accepted. */
export const importInstance = async (
  context: Context,
  from: StoredBundle,
  { title, newIds }: BundleOptions,
  recorded: Recorded<InstanceRow>,
  tools: CopyTools,
): Promise<ImportedInstance> => {
  const bundle = await checkBundle(from, tools)
  const { header } = bundle
  const settings = newSettings({ ...header.settings, ...(title === null ? {} : { title }) }, true)
  const { checksum } = context
  const identified = checksum()
  identified.add(JSON.stringify([bundle.sum, newIds, title]))
  const known = await findUsers(context, bundle.users)
  const begun = await begin(context, identified.value(), settings)
  const { number, resumed } = begun
  const to: Destination = {
    instance: number,
    userOf: (id) => known.get(id) ?? null,
    renamed: newIds ? bundle.ids : new Set(),
    checksum,
  }
  try {
    await new Filling(context, bundle, to, begun.position, tools).fill()
  } catch (failure) {
    if (!isRepeatable(failure)) await context.deletions.discard(number)
    throw failure
  }
  const row = { id: number, settings: begun.settings }
  await context.update(
    target,
    String(number),
    async ({ importing: _importing, ...value }) => ({
      ...value,
      places: true,
      ...(header.rezoned ? { zone_changed: context.clock.now() } : {}),
    }),
    (_value, write) => recorded(row, write),
  )
  return {
    instance: row,
    documents: header.documents,
    blobs: bundle.blobs.size,
    bytes: bundle.bytes,
    users: bundle.users.length,
    unknownUsers: bundle.users.filter(({ user }) => !known.has(user)),
    withoutData: bundle.withoutData,
    resumed,
  }
}
