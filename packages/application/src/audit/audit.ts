import { E } from '@publishing-service/domain/fp'
import { utf8Length, type Json, type JsonObject } from '@publishing-service/domain/json'
import { utcTime } from '@publishing-service/domain/time'
import { isPortFailure, maxAppendedBytes, type Appended, type LogFields } from '@publishing-service/ports'
import { attempt, fail } from '../attempt.js'
import type { Failure } from '../failure.js'
import { systemCollections, systemInstance } from '../collections.js'
import { removeBelow } from '../engine/remove-below.js'
import type { InstanceStores } from '../instance-store.js'
import type { Deployment, Ports } from '../ports.js'
import { ChangeRecords } from './change-records.js'
import { unrecorded, type AuditChange, type Recorded, type Recording } from '../recording.js'

/** Who has changed something, and from where. */
export type AuditSource = {
  /** UUID of the API user; null for a command of the command line, and for a visitor. */
  readonly user: string | null
  readonly name: string
  readonly apiKey: string | null
  readonly address: string | null
  /** The request id of the service. */
  readonly request: string
  /** The request id that the client chose. */
  readonly clientRequest?: string | null
}

type Entry = Appended['document']

const { audit } = systemCollections
/** Entries in memory that could not be written. Further ones are only in the log of the service. */
const maxWaiting = 1000

const fieldsOf = ({ id, value: { before: _before, mark: _mark, ...shown } }: Entry): LogFields =>
  Object.fromEntries(
    Object.entries({ ...shown, uuid: id }).map(([name, each]) => [
      name,
      typeof each === 'object' && each !== null ? JSON.stringify(each) : each,
    ]),
  )

/** An entry with its size in bytes, and the state before if that is stored apart from it. */
type SizedEntry = { readonly entry: Entry; readonly bytes: number; readonly apart: JsonObject | null }

const sized = (entry: Entry, apart: JsonObject | null): SizedEntry => ({
  entry,
  bytes: utf8Length(JSON.stringify(entry.value)),
  apart,
})

/** An entry that is longer than a store appends, without the state before and, if it still is, what has changed. */
const shortened = (entry: Entry, before: JsonObject | null): SizedEntry => {
  const apart = sized(
    { ...entry, value: { ...entry.value, before: null, is_apart: before !== null } },
    before,
  )
  return apart.bytes <= maxAppendedBytes
    ? apart
    : sized({ ...apart.entry, value: { ...apart.entry.value, changes: null } }, before)
}

const isFull = (failure: Failure): boolean => failure._tag === 'PortFailure' && failure.storageFull === true

/** The record of a removal on a full disk that has no space for the state before: the object is not in the trash. */
const withoutState = ({ entry, bytes }: SizedEntry): SizedEntry => ({
  entry: { ...entry, value: { ...entry.value, is_apart: false, is_erased: true, expires: null } },
  bytes,
  apart: null,
})

/** The audit log (docs/behaviour/administration.md#audit-log). */
export class Audit {
  private readonly documents = this.stores.of(systemInstance, 'strict')
  /** Entries whose insertion failed, in no order. */
  readonly #waiting: Entry[] = []
  #writing: Promise<number> | null = null
  /** Entries that are being written in the background. */
  readonly #noted = new Set<Promise<void>>()

  constructor(
    private readonly stores: Pick<InstanceStores, 'of'>,
    private readonly ports: Pick<Ports, 'clock' | 'ids' | 'log'>,
    private readonly deployment: Pick<Deployment, 'trashTime' | 'auditTime'>,
  ) {}

  #entryOf(
    source: AuditSource,
    { instance, operation, collection, object, title = null, changes, version, mark }: AuditChange,
  ): SizedEntry {
    const before = version?.before ?? null
    const value: Readonly<Record<string, Json>> = {
      created: utcTime(this.ports.clock.now()),
      instance,
      operation,
      collection,
      object,
      title,
      user: source.user,
      name: source.name,
      api_key: source.apiKey,
      address: source.address,
      request: source.request,
      client_request: source.clientRequest ?? null,
      changes: changes ?? null,
      mark: mark ?? null,
      kind: version?.kind ?? null,
      version: version?.number ?? null,
      within: version?.within ?? null,
      expires:
        version?.kind === 'remove' && this.deployment.trashTime > 0
          ? utcTime(this.ports.clock.now() + this.deployment.trashTime)
          : null,
      before,
      is_apart: false,
    }
    const entry: Entry = {
      id: this.ports.ids.uuid(),
      position: { atLeast: this.ports.clock.position() },
      unique: null,
      value,
    }
    const bytes = utf8Length(JSON.stringify(value))
    return bytes <= maxAppendedBytes ? { entry, bytes, apart: null } : shortened(entry, before)
  }

  /** Why an entry is not written, and whether it can be later; null if it is written. */
  async #insert(entry: Entry): Promise<{ reason: string; isLasting: boolean } | null> {
    try {
      const result = await this.documents.write(
        [{ collection: audit.name, kind: 'insert', document: entry }],
        [],
      )
      // The id exists if an earlier insertion was applied, although it failed.
      if (E.isRight(result) || result.left._tag === 'VersionConflict') return null
      return { reason: result.left._tag, isLasting: true }
    } catch (error) {
      if (isPortFailure(error)) return { reason: error.reason, isLasting: false }
      return { reason: error instanceof Error ? String(error.stack) : String(error), isLasting: true }
    }
  }

  #report(entry: Entry, reason: string): void {
    this.ports.log.write('error', 'audit entry not written', { ...fieldsOf(entry), reason })
  }

  async #add(entry: Entry): Promise<void> {
    const failed = await this.#insert(entry)
    if (failed === null) return
    this.#report(entry, failed.reason)
    if (!failed.isLasting && this.#waiting.length < maxWaiting) this.#waiting.push(entry)
  }

  async #writeEach(): Promise<number> {
    await Promise.all(this.#noted)
    let written = 0
    for (;;) {
      const entry = this.#waiting.shift()
      if (entry === undefined) return written
      const failed = await this.#insert(entry)
      if (failed === null) written += 1
      else if (!failed.isLasting) {
        this.#waiting.push(entry)
        return written
      }
    }
  }

  /** Adds entries. Never rejects: one that the store does not accept is written to the log, and waits. */
  async #addAll(entries: readonly Entry[]): Promise<void> {
    await Promise.all(entries.map((entry) => this.#add(entry)))
  }

  #recordsOf(instance: number): ChangeRecords {
    return new ChangeRecords(this.documents, this.stores.of(instance, 'strict'), instance)
  }

  /**
   * The entries of a run, of which `changesOf` returns the changes; none without a source. Entries that do not fit into
   * one write with the others, such as the roles of a user on thousands of instances, are added after it.
   */
  recording<C>(
    source: AuditSource | null,
    changesOf: (change: C) => readonly AuditChange[] | Promise<readonly AuditChange[]>,
  ): Recording<C> {
    if (source === null) return unrecorded
    let hasRecorded = false
    return {
      isRecorded: true,
      write: async (changed, write) => {
        const appended: Appended[] = []
        const later: Entry[] = []
        const apart: (() => Promise<void>)[] = []
        let sum = 0
        for (const change of await changesOf(changed)) {
          let made = this.#entryOf(source, change)
          if (made.apart !== null && change.instance !== null) {
            const { entry, apart: state } = made
            const records = this.#recordsOf(change.instance)
            const stored = await attempt(() => records.storeApart(entry.id, state))
            if (E.isRight(stored)) apart.push(() => records.removeApart(entry.id))
            else if (change.version?.kind === 'remove' && isFull(stored.left)) made = withoutState(made)
            else fail(stored.left)
          }
          sum += made.bytes
          if (sum > maxAppendedBytes) later.push(made.entry)
          else appended.push({ collection: audit.name, instance: systemInstance, document: made.entry })
        }
        const written = await write(appended)
        if (E.isLeft(written)) {
          for (const remove of apart) await attempt(remove)
          return written
        }
        hasRecorded = true
        if (later.length > 0) await this.#addAll(later)
        return written
      },
      end: async (change) => {
        if (!hasRecorded)
          await this.#addAll((await changesOf(change)).map((each) => this.#entryOf(source, each).entry))
      },
    }
  }

  /** Runs what makes a change with such entries. If it changes nothing, they are those of its output. */
  async recorded<C, Output extends C>(
    source: AuditSource | null,
    changesOf: (change: C) => readonly AuditChange[],
    run: (recorded: Recorded<C>) => Promise<Output>,
  ): Promise<Output> {
    const { write, end } = this.recording(source, changesOf)
    let isRecorded = false
    const output = await run(async (change, makeWrite) => {
      if (isRecorded) return makeWrite([])
      const written = await write(change, makeWrite)
      isRecorded = E.isRight(written)
      return written
    })
    await end(output)
    return output
  }

  /** Adds an entry in the background. One that the store does not accept is written to the log, and waits. */
  note(source: AuditSource, change: AuditChange): void {
    const adding = this.#add(this.#entryOf(source, change).entry).finally(() => this.#noted.delete(adding))
    this.#noted.add(adding)
  }

  /**
   * Waits for entries that are written in the background. Writes those that wait, until one fails, and returns the
   * number of those written. Never rejects.
   */
  writeWaiting(): Promise<number> {
    this.#writing ??= this.#writeEach().finally(() => (this.#writing = null))
    return this.#writing
  }

  /** Removes entries that are older than the limit and returns their number. Throws a PortFailure. */
  expire(): Promise<number> {
    return removeBelow(
      this.documents,
      audit.name,
      { key: 'created', below: utcTime(this.ports.clock.now() - this.deployment.auditTime) },
      async ({ id, value: { is_apart: isApart, instance } }) => {
        if (isApart === true && typeof instance === 'number') await this.#recordsOf(instance).removeApart(id)
      },
    )
  }
}
