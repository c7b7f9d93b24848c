import { E } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { utcTime } from '@publishing-service/domain/time'
import { auditDays } from '@publishing-service/domain/access'
import { isPortFailure, type LogFields, type NewDocument } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import type { InstanceDocuments } from '../instance-store.js'
import type { Ports } from '../ports.js'

/** Who has changed something, and from where. */
export type AuditSource = {
  /** UUID of the API user; null for a command of the command line. */
  readonly user: string | null
  readonly name: string
  readonly apiKey: string | null
  readonly address: string | null
  /** The request id of the service. */
  readonly request: string
  /** The request id that the client chose. */
  readonly clientRequest?: string | null
}

/** One change of a run. */
export type AuditChange = {
  /** The instance that it belongs to; null for a change of the deployment. */
  readonly instance: number | null
  readonly operation: string
  readonly collection: string
  readonly object: string | null
  /** The name of the object. */
  readonly title?: string | null
  readonly changes?: JsonObject
  /** Part of a deletion or revocation, which works on a full disk. */
  readonly urgent?: true
}

const { audit } = systemCollections
const batchSize = 200
const dayMilliseconds = 86_400_000
/** Entries in memory that could not be written. Further ones are only in the log of the service. */
const maxWaiting = 1000

const fieldsOf = ({ id, value }: NewDocument): LogFields =>
  Object.fromEntries(
    Object.entries({ ...value, uuid: id }).map(([name, each]) => [
      name,
      typeof each === 'object' && each !== null ? JSON.stringify(each) : each,
    ]),
  )

/** The audit log (docs/behaviour/administration.md#audit-log). */
export type Audit = {
  /**
   * Adds an entry for each change. Never rejects, because the changes have been made: an entry that the store does not
   * accept is written to the log of the service, and waits for `writeWaiting`.
   */
  readonly record: (source: AuditSource, changes: readonly AuditChange[]) => Promise<void>
  /** Adds an entry in the background, as `record` does. */
  readonly note: (source: AuditSource, change: AuditChange) => void
  /**
   * Waits for entries that are written in the background. Writes those that wait, until one fails, and returns the
   * number of those written. Never rejects.
   */
  readonly writeWaiting: () => Promise<number>
  /** Removes entries that are older than the limit and returns their number. Throws a PortFailure. */
  readonly expire: () => Promise<number>
}

/** `documents` are those of the service itself. */
export const createAudit = (
  documents: Pick<InstanceDocuments, 'find' | 'insert' | 'remove'>,
  { clock, ids, log }: Pick<Ports, 'clock' | 'ids' | 'log'>,
): Audit => {
  /** Entries whose insertion failed, in no order. */
  const waiting: NewDocument[] = []
  let writing: Promise<number> | null = null
  /** Entries that are being written in the background. */
  const noted = new Set<Promise<void>>()

  const entryOf = (
    source: AuditSource,
    { instance, operation, collection, object, title = null, changes, urgent }: AuditChange,
  ): NewDocument => {
    const value: Readonly<Record<string, Json>> = {
      created: utcTime(clock.now()),
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
    }
    const document = { id: ids.uuid(), unique: null, value }
    return urgent === undefined ? document : { ...document, urgent }
  }

  /** Why an entry is not written, and whether it can be later; null if it is written. */
  const insert = async (entry: NewDocument): Promise<{ reason: string; isLasting: boolean } | null> => {
    try {
      const result = await documents.insert(audit.name, entry)
      // The id exists if an earlier insertion was applied, although it failed.
      if (E.isRight(result) || result.left._tag === 'VersionConflict') return null
      return { reason: result.left._tag, isLasting: true }
    } catch (error) {
      if (isPortFailure(error)) return { reason: error.reason, isLasting: false }
      return { reason: error instanceof Error ? String(error.stack) : String(error), isLasting: true }
    }
  }

  const report = (entry: NewDocument, reason: string): void =>
    log.write('error', 'audit entry not written', { ...fieldsOf(entry), reason })

  const add = async (entry: NewDocument): Promise<void> => {
    const failed = await insert(entry)
    if (failed === null) return
    report(entry, failed.reason)
    if (!failed.isLasting && waiting.length < maxWaiting) waiting.push(entry)
  }

  const writeEach = async (): Promise<number> => {
    await Promise.all(noted)
    let written = 0
    for (;;) {
      const entry = waiting.shift()
      if (entry === undefined) return written
      const failed = await insert(entry)
      if (failed === null) written += 1
      else if (!failed.isLasting) {
        waiting.push(entry)
        return written
      }
    }
  }

  return {
    record: async (source, changes) => {
      await Promise.all(changes.map((change) => add(entryOf(source, change))))
    },

    note: (source, change) => {
      const adding = add(entryOf(source, change)).finally(() => noted.delete(adding))
      noted.add(adding)
    },

    writeWaiting: () => {
      writing ??= writeEach().finally(() => (writing = null))
      return writing
    },

    expire: async () => {
      const before = utcTime(clock.now() - auditDays * dayMilliseconds)
      let removed = 0
      for (;;) {
        const found = await documents.find(audit.name, {
          where: [{ key: 'created', below: before }],
          order: [{ key: 'created', direction: 'asc' }],
          skip: 0,
          limit: batchSize,
          detail: 'light',
        })
        for (const { id, version } of found.documents) {
          // Another process may have removed it first.
          await documents.remove(audit.name, id, version)
          removed += 1
        }
        if (found.next === null) return removed
      }
    },
  }
}
