import { resourceOf } from '@publishing-service/domain'
import type { Filter } from '@publishing-service/domain/filters'
import { settingsSubject, type MarkedChange } from '@publishing-service/domain/changes'
import { utcTime } from '@publishing-service/domain/time'
import { E, t } from '@publishing-service/domain/fp'
import { jsonObject, type JsonObject } from '@publishing-service/domain/json'
import type { Change, Document, DocumentChange, Page, Query } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { systemCollections } from '../collections.js'
import { batchesOf } from '../batches-of.js'
import { decodeStored } from '../decode-stored.js'
import { contended } from '../failure.js'
import type { InstanceDocuments } from '../instance-store.js'

const { audit, earlierStates } = systemCollections

/** A clock may be set by so many milliseconds at most. Times of records that are read by time may be wrong by as many. */
export const longestClockStep = 86_400_000

/** Records of an object that one read returns. */
const recordsAtOnce = 100

/** Records of removals that one read returns. */
const mostRemovals = 1000

/** Attempts to change a document that others change at the same time. */
const attempts = 20

const orNull = <A>(codec: t.Type<A, unknown>) => t.union([codec, t.null])

const StoredMark = t.readonly(
  t.intersection([
    t.type({ kind: t.keyof({ insert: null, replace: null, remove: null, time: null }) }),
    t.partial({
      effect: t.keyof({ shown: null, changed: null, hidden: null }),
      was: jsonObject,
      is: jsonObject,
      at: t.string,
      urlname: t.string,
      section: t.string,
      previous_path: t.string,
      subtree: t.literal(true),
      parent: t.string,
      hidden: t.literal(true),
    }),
  ]),
)

/** A record as it is stored. Those of earlier releases say nothing about versions. */
export const StoredRecord = t.readonly(
  t.intersection([
    t.type({ created: t.string, operation: t.string, collection: t.string }),
    t.partial({
      instance: orNull(t.number),
      object: orNull(t.string),
      user: orNull(t.string),
      name: t.string,
      changes: orNull(jsonObject),
      kind: orNull(t.union([t.literal('insert'), t.literal('replace'), t.literal('remove')])),
      version: orNull(t.number),
      before: orNull(jsonObject),
      is_apart: t.boolean,
      is_erased: t.boolean,
      mark: orNull(StoredMark),
      expires: orNull(t.string),
    }),
  ]),
  audit.name,
)

/** The record of a change of an object. */
export type ChangeRecord = {
  readonly id: string
  /** Its place in the order of commits. */
  readonly position: number
  /** When it was made, in UTC. */
  readonly created: string
  readonly operation: string
  readonly collection: string
  readonly object: string
  /** UUID of the API user, and its name at that time. */
  readonly user: string | null
  readonly name: string | null
  /** The attributes that differ, by name. */
  readonly changes: JsonObject
  readonly kind: DocumentChange['kind']
  /** The version that it made; for a removal, the one that it would have made. */
  readonly version: number
  /**
   * The values before where the state after differs, all of an object that is removed; null if there was none, if the
   * document is light, or if they are stored apart.
   */
  readonly before: JsonObject | null
  readonly isApart: boolean
  /** Whether the values before are not retained any more. */
  readonly isErased: boolean
  /** When its object is deleted for good; null if it is not in the trash. */
  readonly expires: string | null
}

/** The record of a change; null if the document is of an operation that changed no object. */
export const changeRecordIn = (document: Document): ChangeRecord | null => {
  const stored = decodeStored(StoredRecord, document)
  const { created, operation, collection, object, user = null, name = null, changes, kind, version } = stored
  if (typeof kind !== 'string' || typeof version !== 'number' || typeof object !== 'string') return null
  return {
    id: document.id,
    position: document.position,
    created,
    operation,
    collection,
    object,
    user,
    name,
    changes: changes ?? {},
    kind,
    version,
    before: stored.before ?? null,
    isApart: stored.is_apart === true,
    isErased: stored.is_erased === true,
    expires: stored.expires ?? null,
  }
}

const recordsIn = (documents: readonly Document[]): readonly ChangeRecord[] =>
  documents.flatMap((document) => changeRecordIn(document) ?? [])

/** What a record says for the feed of changes; null if nothing. */
export const markedChangeIn = (document: Document): MarkedChange | null => {
  const { created, collection, object = null, mark = null } = decodeStored(StoredRecord, document)
  const resource = collection === settingsSubject.collection ? settingsSubject : resourceOf(collection)
  return mark === null || resource === undefined ? null : { created, resource, object, mark }
}

/**
 * The order of the commits of the records of one object, the newest first. Their times are not in this order where a clock was
 * set. A query without an order would not have the last ones at once on every store.
 */
const newestFirst = [{ key: 'object', direction: 'desc' }] as const

type SystemDocuments = Pick<InstanceDocuments, 'find' | 'get' | 'getMany' | 'replace' | 'write'>

/** Records that one write changes. */
const takenOutAtOnce = 25

/** The records of one instance, and the values that are stored apart from them. */
export class ChangeRecords {
  readonly #system: SystemDocuments
  readonly #own: Pick<InstanceDocuments, 'get' | 'insert' | 'remove'>

  constructor(
    system: SystemDocuments,
    own: Pick<InstanceDocuments, 'get' | 'insert' | 'remove'>,
    readonly instance: number,
  ) {
    this.#system = system
    this.#own = own
  }

  find({ where, ...query }: Query): Promise<Page> {
    const inInstance = { key: 'instance', equals: this.instance }
    return this.#system.find(audit.name, { ...query, where: [...where, inInstance] })
  }

  /** The last records of an object as they are stored, up to a number, the newest first. */
  async lastOf(id: string, limit: number): Promise<readonly Document[]> {
    const where = [{ key: 'object', equals: id }]
    return (await this.find({ where, order: newestFirst, skip: 0, limit, detail: 'light' })).documents
  }

  /** The records of the changes of an object, the newest first, those of former objects with its UUID included. */
  async *ofObject(
    collection: string,
    id: string,
    detail: Query['detail'] = 'light',
  ): AsyncGenerator<ChangeRecord, void, void> {
    const where = [{ key: 'object', equals: id }]
    const query = { where, order: newestFirst, skip: 0, limit: recordsAtOnce, detail }
    for await (const record of this.#each(query)) if (record.collection === collection) yield record
  }

  /** The records of a query and of all pages that follow. */
  async *#each(query: Query): AsyncGenerator<ChangeRecord, void, void> {
    for (let read = query; ;) {
      const { documents, next } = await this.find(read)
      yield* recordsIn(documents)
      if (next === null) return
      read = { ...query, after: next }
    }
  }

  /** The records of removals of objects that are in the trash. */
  async #removals(where: readonly Filter[], order: Query['order']): Promise<readonly ChangeRecord[]> {
    const { documents } = await this.find({
      where: [...where, { key: 'expires', atLeast: '0' }],
      order,
      skip: 0,
      limit: mostRemovals,
      detail: 'light',
    })
    return recordsIn(documents)
  }

  /** The last removal of an object that is in the trash; null if it is not. */
  async removalOf(collection: string, id: string): Promise<ChangeRecord | null> {
    const where = [
      { key: 'object', equals: id },
      { key: 'within', equals: null },
    ]
    const removals = await this.#removals(where, newestFirst)
    return removals.find((record) => record.collection === collection) ?? null
  }

  /** The removal with this id; null if its object is not in the trash any more. */
  async inTrash(id: string): Promise<ChangeRecord | null> {
    const found = await this.get(id)
    const record = found === null ? null : changeRecordIn(found)
    return record?.expires === null ? null : record
  }

  /** Those of these objects that are in the trash. */
  async removedAmong(collection: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const removals = await this.#removals([{ key: 'object', oneOf: ids }], newestFirst)
    return new Set(removals.flatMap((record) => (record.collection === collection ? [record.object] : [])))
  }

  /** From this position on, the records are those of another object with the same UUID; null if there is none. */
  async #endOf({ collection, object, position }: ChangeRecord): Promise<number | null> {
    let end: number | null = null
    for await (const record of this.ofObject(collection, object)) {
      if (record.position <= position) break
      if (record.kind === 'insert') end = record.position
    }
    return end
  }

  /**
   * The removals of the objects that were removed with one: their records follow its own, and precede that of a later object
   * with its UUID.
   */
  async removedWithin(removal: ChangeRecord): Promise<readonly ChangeRecord[]> {
    const { object, expires, position } = removal
    if (expires === null) return []
    const [end, time] = [await this.#endOf(removal), Date.parse(expires)]
    const where = [
      { key: 'expires', atLeast: utcTime(time - longestClockStep), below: utcTime(time + longestClockStep) },
      { key: 'within', equals: object },
    ]
    const order = [{ key: 'expires', direction: 'asc' }] as const
    const found: ChangeRecord[] = []
    // All of them first: what is done with one changes the order.
    for await (const record of this.#each({ where, order, skip: 0, limit: mostRemovals, detail: 'light' }))
      if (record.position > position && (end === null || record.position < end)) found.push(record)
    return found
  }

  /** Removals whose objects have been in the trash for their time. */
  expired(now: number): Promise<readonly ChangeRecord[]> {
    return this.#removals([{ key: 'expires', below: utcTime(now) }], [{ key: 'expires', direction: 'asc' }])
  }

  /** The records from a position on, in the order of commits, without the values before. */
  after(from: number, limit: number): Promise<Page> {
    return this.find({ where: [], order: [], from, skip: 0, limit, detail: 'light' })
  }

  /** The last record in the order of commits; null if there is none. */
  async last(): Promise<Document | null> {
    const query = { where: [], order: [], insertion: 'desc', skip: 0, limit: 1, detail: 'light' } as const
    const [last = null] = (await this.find(query)).documents
    return last
  }

  /** The position after the last record. */
  async end(): Promise<number> {
    return ((await this.last())?.position ?? 0) + 1
  }

  /** The position after a record; null if there is none with this id. */
  async positionAfter(id: string): Promise<number | null> {
    const query = { where: [], order: [], ids: [id], skip: 0, limit: 1, detail: 'light' } as const
    const [found] = (await this.find(query)).documents
    return found === undefined ? null : found.position + 1
  }

  /**
   * The position of the first record since a time, in the order of commits, or the one after the last record. The one with the
   * earliest time may follow others if the clock was set, but not by a day: the search begins after what is a day older.
   */
  async firstSince(time: number): Promise<number> {
    const query = { skip: 0, limit: 1, detail: 'light' } as const
    const old = { key: 'created', below: utcTime(time - longestClockStep) }
    const order = [{ key: 'created', direction: 'desc' }] as const
    const [before] = (await this.find({ ...query, where: [old], order })).documents
    const where = [{ key: 'created', atLeast: utcTime(time) }]
    const from = (before?.position ?? 0) + 1
    const [first] = (await this.find({ ...query, where, order: [], from })).documents
    return first?.position ?? this.end()
  }

  /** The whole document of a record. */
  async get(id: string): Promise<Document | null> {
    const found = await this.#system.get(audit.name, id)
    return found?.value['instance'] === this.instance ? found : null
  }

  /** Changes the document of a record, if it exists. Throws Contended if others change it all the time. */
  async change(id: string, changed: (value: JsonObject) => JsonObject): Promise<void> {
    for (let attempted = 0; attempted < attempts; attempted += 1) {
      const found = await this.get(id)
      if (found === null) return
      const replacement = { id, version: found.version, unique: null, value: changed(found.value) }
      if (E.isRight(await this.#system.replace(audit.name, replacement))) return
    }
    fail(contended)
  }

  /** The objects of these removals are not in the trash any more. */
  async takeOut(removals: readonly ChangeRecord[]): Promise<void> {
    for (const batch of batchesOf(removals, takenOutAtOnce))
      for (let attempted = 0; ; attempted += 1) {
        if (attempted === attempts) fail(contended)
        const ids = batch.map(({ id }) => id)
        const found = await this.#system.getMany(audit.name, ids, 'full')
        const changes = found.map(({ id, version, value }): Change => ({
          collection: audit.name,
          kind: 'replace',
          document: { id, version, unique: null, value: { ...value, expires: null } },
        }))
        if (changes.length === 0 || E.isRight(await this.#system.write(changes, []))) break
      }
  }

  /** The values before a change; null if they are not retained. */
  async valuesBefore({ id, isApart, before }: ChangeRecord): Promise<JsonObject | null> {
    if (before !== null) return before
    if (isApart) return (await this.#own.get(earlierStates.name, id))?.value ?? null
    const whole = await this.get(id)
    return whole === null ? null : (changeRecordIn(whole)?.before ?? null)
  }

  /** Removes the values before a change, and gives its record these values too. */
  async eraseFormer({ id, isApart }: ChangeRecord, also: JsonObject = {}): Promise<void> {
    await this.change(id, (value) => ({ ...value, before: null, is_apart: false, is_erased: true, ...also }))
    if (isApart) await this.removeApart(id)
  }

  /** Removes all values of its object from a record. The object is not in the trash any more. */
  eraseValues(record: ChangeRecord): Promise<void> {
    return this.eraseFormer(record, { changes: null, expires: null })
  }

  /** Stores values that are too long for their record, before the write: they are true whether or not it is made. */
  async storeApart(id: string, value: JsonObject): Promise<void> {
    const stored = await this.#own.insert(earlierStates.name, { id, unique: null, value })
    if (E.isLeft(stored)) throw new Error(`The values before a change were rejected: ${stored.left._tag}`)
  }

  /** Removes values that are stored apart from their record, if there are any. */
  async removeApart(id: string): Promise<void> {
    const found = await this.#own.get(earlierStates.name, id)
    // Another process may have removed it first.
    if (found !== null) await this.#own.remove(earlierStates.name, id, found.version)
  }
}
