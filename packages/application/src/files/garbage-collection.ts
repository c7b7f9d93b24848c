import { stateIn, file } from '@publishing-service/domain'
import { E, pipe, t, TE, type TaskEither } from '@publishing-service/domain/fp'
import type { BlobEntry, Cursor, Document, PortFailure } from '@publishing-service/ports'
import type { ReadinessError } from '../check-readiness.js'
import { ChangeRecords } from '../audit/change-records.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { Outcome } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import type { Deployment, Ports } from '../ports.js'
import type { StoreIdentity } from '../store-identity.js'
import { orThrow } from '../attempt.js'
import { uploadsIn } from './replaced-data.js'
import { isDerived, uploadBlobs } from './file-blobs.js'

/** The number of uploads that are looked up at a time. */
const batchSize = 500

/** Blobs that are younger than this are never deleted, in milliseconds. */
const minimumAge = 86_400_000

/** While more than this share of all uploads is quarantined, nothing is deleted. */
const maxOrphanShare = 0.1

const { name: collection } = systemCollections.orphans

/** When an orphan was found, as it is stored under its path. */
const StoredOrphan = t.readonly(t.type({ found: t.number }), collection)
type StoredOrphan = t.TypeOf<typeof StoredOrphan>

/** The blobs of one upload: the original and its derivatives. */
type Upload = { readonly path: string; readonly instance: number; readonly fileId: string }

/** An upload that neither a file refers to nor a version that is retained. Times are milliseconds since 1970. */
export type Orphan = {
  readonly path: string
  readonly bytes: number
  readonly found: number
  /** The first collection after this time deletes it. */
  readonly deletesAfter: number
}

export type Collected = {
  /** Uploads that this run has found orphaned for the first time. */
  readonly quarantined: number
  readonly deleted: number
}

/** Messages for operators: why nothing is deleted. */
const errorTexts = {
  'too many orphans':
    'More than a tenth of the uploads in the blob store are named by no file, so garbage collection deletes nothing. ' +
    'Restore the documents that name them, or see the admin command storage orphans.',
  'other stores':
    'The document store and the blob store don’t belong to each other any more, so garbage collection deletes ' +
    'nothing. A start reports which stores they are.',
} as const

type Stopped = keyof typeof errorTexts

const uploadOf = (key: string): Upload | null => {
  const [instance = '', fileId = '', name = '', rest] = key.split('/')
  return rest === undefined || !/^\d+$/.test(instance)
    ? null
    : { path: uploadBlobs(Number(instance), fileId, name), instance: Number(instance), fileId }
}

const uploadAt = (path: string): Upload => {
  const [instance = '', fileId = ''] = path.split('/')
  return { path, instance: Number(instance), fileId }
}

/**
 * Deletes orphaned blobs: uploads that no file refers to, because a process ended between writing a blob and its
 * metadata, or a blob could not be removed. An orphan is first recorded (the quarantine). The first run after
 * `orphanQuarantine` deletes it if it is still orphaned, so that lost documents can be restored until then. While more
 * than a tenth of all uploads is quarantined, nothing is deleted, because another error is likely.
 *
 * Both ages use the wall clock, because they outlive the process: setting it forward shortens a quarantine, setting it
 * back extends it. All functions throw a PortFailure if a store fails, unless they return one.
 */
export class GarbageCollection {
  private readonly system = documentsIn(this.ports.documents, systemInstance)
  /** Why the last run of this process has deleted nothing. */
  #stopped: Stopped | null = null

  constructor(
    private readonly ports: Pick<Ports, 'documents' | 'blobs' | 'clock' | 'log'>,
    private readonly deployment: Pick<Deployment, 'orphanQuarantine' | 'replacedDataTime'>,
    private readonly identity: Pick<StoreIdentity, 'isSame'>,
  ) {}

  async #orphansAmong(uploads: readonly Upload[]): Promise<readonly Upload[]> {
    const orphans: Upload[] = []
    for (const instance of new Set(uploads.map((upload) => upload.instance))) {
      const inInstance = uploads.filter((upload) => upload.instance === instance)
      const ids = [...new Set(inInstance.map(({ fileId }) => fileId))]
      const files = await orThrow(this.ports.documents.getMany(file.collection, instance, ids, 'light'))
      const named = new Set(files.map(({ value }) => stateIn(file, value).blob))
      const changes = new ChangeRecords(this.system, documentsIn(this.ports.documents, instance), instance)
      const removed = await changes.removedAmong(file.collection, ids)
      const unnamed = inInstance.filter(({ path, fileId }) => !named.has(path) && !removed.has(fileId))
      for (const fileId of new Set(unnamed.map((upload) => upload.fileId))) {
        const retained = await uploadsIn(
          changes,
          fileId,
          this.ports.clock.now() - this.deployment.replacedDataTime,
        )
        orphans.push(...unnamed.filter((upload) => upload.fileId === fileId && !retained.has(upload.path)))
      }
    }
    return orphans
  }

  /** Passes all blobs to `onBlob`, and the orphans among uploads written before a time to `onOrphans`, in batches. */
  async #eachOrphan(
    before: number,
    onBlob: (entry: BlobEntry) => void,
    onOrphans: (orphans: readonly Upload[]) => Promise<void>,
  ): Promise<void> {
    let batch = new Map<string, Upload>()
    const flush = async (): Promise<void> => {
      await onOrphans(await this.#orphansAmong([...batch.values()]))
      batch = new Map()
    }
    for await (const entry of this.ports.blobs.list('')) {
      onBlob(entry)
      const upload = entry.written < before ? uploadOf(entry.key) : null
      if (upload !== null) batch.set(upload.path, upload)
      if (batch.size >= batchSize) await flush()
    }
    await flush()
  }

  async *#records(): AsyncGenerator<readonly Document[]> {
    for (let after: Cursor | null = null; ;) {
      const page: { readonly documents: readonly Document[]; readonly next: Cursor | null } = await orThrow(
        this.ports.documents.find(collection, systemInstance, {
          where: [],
          order: [],
          skip: 0,
          limit: batchSize,
          detail: 'light',
          ...(after === null ? {} : { after }),
        }),
      )
      yield page.documents
      if (page.next === null) return
      after = page.next
    }
  }

  async #removeRecord({ id, version }: Document): Promise<void> {
    // After a conflict: another process has removed it first.
    await this.system.remove(collection, id, version)
  }

  async #quarantine(orphans: readonly Upload[], now: number): Promise<number> {
    const ids = orphans.map(({ path }) => path)
    const known = await orThrow(this.ports.documents.getMany(collection, systemInstance, ids, 'light'))
    const recorded = new Set(known.map(({ id }) => id))
    let added = 0
    for (const id of ids.filter((each) => !recorded.has(each))) {
      const value: StoredOrphan = { found: now }
      if (E.isRight(await this.system.insert(collection, { id, unique: null, value }))) added += 1
    }
    return added
  }

  /**
   * The orphan of a record, with the time of its newest blob; null if a file refers to it again or it no longer exists.
   */
  async #orphanOf(record: Document): Promise<{ readonly orphan: Orphan; readonly written: number } | null> {
    const { id: path } = record
    let [bytes, written] = [0, -Infinity]
    for await (const entry of this.ports.blobs.list(path)) {
      bytes += entry.bytes
      written = Math.max(written, entry.written)
    }
    if (written === -Infinity || (await this.#orphansAmong([uploadAt(path)])).length === 0) return null
    const { found } = decodeStored(StoredOrphan, record)
    return { orphan: { path, bytes, found, deletesAfter: found + this.deployment.orphanQuarantine }, written }
  }

  /** Passes each quarantined orphan with its record; removes records of uploads that are no longer orphaned. */
  async #eachQuarantined(
    take: (orphan: Orphan, record: Document, written: number) => Promise<void>,
  ): Promise<void> {
    for await (const page of this.#records())
      for (const record of page) {
        const found = await this.#orphanOf(record)
        await (found === null ? this.#removeRecord(record) : take(found.orphan, record, found.written))
      }
  }

  async #deleteWhere(isSelected: (orphan: Orphan) => boolean): Promise<readonly Orphan[]> {
    const deleted: Orphan[] = []
    await this.#eachQuarantined(async (orphan, record, written) => {
      if (!isSelected(orphan) || written >= this.ports.clock.now() - minimumAge) return
      await orThrow(this.ports.blobs.remove(orphan.path))
      await this.#removeRecord(record)
      deleted.push(orphan)
    })
    return deleted
  }

  /** All quarantined orphans. */
  async list(): Promise<readonly Orphan[]> {
    const found: Orphan[] = []
    await this.#eachQuarantined(async (orphan) => void found.push(orphan))
    return found
  }

  #isResolved(reason: Stopped): TaskEither<PortFailure, boolean> {
    if (reason === 'other stores') return this.identity.isSame()
    const query = { where: [], order: [], skip: 0, limit: 1, detail: 'light' } as const
    return pipe(
      this.ports.documents.find(collection, systemInstance, query),
      TE.map((found) => found.documents.length === 0),
    )
  }

  /** Quarantines new orphans, and deletes those whose quarantine has ended. */
  async collect(): Promise<Collected> {
    const now = this.ports.clock.now()
    if (!(await orThrow(this.identity.isSame()))) {
      this.#stopped = 'other stores'
      this.ports.log.write('error', 'garbage collection stopped', { reason: this.#stopped })
      return { quarantined: 0, deleted: 0 }
    }
    let [uploads, quarantined, held] = [0, 0, 0]
    const count = ({ key }: BlobEntry): void => {
      if (uploadOf(key) !== null && !isDerived(key)) uploads += 1
    }
    await this.#eachOrphan(now - minimumAge, count, async (orphans) => {
      quarantined += await this.#quarantine(orphans, now)
    })
    await this.#eachQuarantined(async () => void (held += 1))
    this.#stopped = held > uploads * maxOrphanShare ? 'too many orphans' : null
    if (this.#stopped !== null)
      this.ports.log.write('error', 'garbage collection stopped', {
        reason: this.#stopped,
        orphaned: held,
        uploads,
      })
    const deleted =
      this.#stopped === null ? await this.#deleteWhere(({ deletesAfter }) => deletesAfter <= now) : []
    return { quarantined, deleted: deleted.length }
  }

  /** Deletes all quarantined orphans immediately. */
  deleteAll(): Promise<readonly Orphan[]> {
    return this.#deleteWhere(() => true)
  }

  /** Passes all blobs to `see`, and all orphans, of any age, quarantined or not, to `take`. */
  eachOrphan(see: (entry: BlobEntry) => void, take: (path: string) => void): Promise<void> {
    return this.#eachOrphan(Infinity, see, async (orphans) => orphans.forEach(({ path }) => take(path)))
  }

  /** Why this process currently deletes nothing. Another process may have resolved it. */
  errors(): Outcome<readonly ReadinessError[]> {
    return async () => {
      const resolved = this.#stopped === null ? E.right(true) : await this.#isResolved(this.#stopped)()
      if (E.isLeft(resolved)) return resolved
      if (resolved.right) this.#stopped = null
      return E.right(this.#stopped === null ? [] : [{ part: 'blob store', text: errorTexts[this.#stopped] }])
    }
  }
}
