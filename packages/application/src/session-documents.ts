import { resourceOf } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Subject } from '@publishing-service/domain/access'
import { objectName } from '@publishing-service/domain/engine'
import type { Document, DocumentStore } from '@publishing-service/ports'
import { orThrow, unwrap } from './attempt.js'
import type { AuditChange } from './audit/audit.js'
import {
  unlessFailed,
  type InstanceDocuments,
  type InstanceStores,
  type WriteCounter,
  type WriteCounters,
} from './instance-store.js'

type Stored = Pick<Document, 'id' | 'value'>

/**
 * The documents of the instance of one session. It records what the session has read, and which objects of its subject
 * it has changed, so that the audit log names them (docs/behaviour/administration.md#audit-log).
 */
export class SessionDocuments implements InstanceDocuments {
  /** The write counters of the collections that were read, with their values before the read. */
  readonly dependencies = new Map<WriteCounter, number>()
  readonly #store: DocumentStore
  readonly #writeCounters: WriteCounters
  /** The objects of the subject before and after the session; a session that only reads needs none. */
  readonly #before = new Map<string, JsonObject>()
  readonly #after = new Map<string, JsonObject>()

  constructor(
    { strict, lenient, writeCounters }: InstanceStores,
    readonly instance: number,
    readonly subject: Subject,
    readonly isReading: boolean,
  ) {
    this.#store = isReading ? lenient : strict
    this.#writeCounters = writeCounters
  }

  async get(...[collection, id]: Parameters<InstanceDocuments['get']>): Promise<Document | null> {
    this.#noteRead(collection)
    const found = unwrap(await this.#store.get(collection, this.instance, id)())
    if (found !== null && this.#observes(collection)) this.#noteBefore(found)
    return found
  }

  async getMany(
    ...[collection, ids, detail]: Parameters<InstanceDocuments['getMany']>
  ): Promise<readonly Document[]> {
    this.#noteRead(collection)
    const found = unwrap(await this.#store.getMany(collection, this.instance, ids, detail)())
    if (this.#observes(collection)) for (const each of found) this.#noteBefore(each)
    return found
  }

  find(...[collection, query]: Parameters<InstanceDocuments['find']>): ReturnType<InstanceDocuments['find']> {
    this.#noteRead(collection)
    return orThrow(this.#store.find(collection, this.instance, query))
  }

  findTexts(
    ...[collection, query]: Parameters<InstanceDocuments['findTexts']>
  ): ReturnType<InstanceDocuments['findTexts']> {
    this.#noteRead(collection)
    return orThrow(this.#store.findTexts(collection, this.instance, query))
  }

  countGroups(
    ...[collection, key, within]: Parameters<InstanceDocuments['countGroups']>
  ): ReturnType<InstanceDocuments['countGroups']> {
    this.#noteRead(collection)
    return orThrow(this.#store.countGroups(collection, this.instance, key, within))
  }

  async insert(
    ...[collection, document]: Parameters<InstanceDocuments['insert']>
  ): ReturnType<InstanceDocuments['insert']> {
    const written = unlessFailed(await this.#store.insert(collection, this.instance, document)())
    if (E.isRight(written)) this.#noteAfter(collection, document)
    return written
  }

  async replace(
    ...[collection, document]: Parameters<InstanceDocuments['replace']>
  ): ReturnType<InstanceDocuments['replace']> {
    const written = unlessFailed(await this.#store.replace(collection, this.instance, document)())
    if (E.isRight(written)) this.#noteAfter(collection, document)
    return written
  }

  async remove(
    ...[collection, id, version]: Parameters<InstanceDocuments['remove']>
  ): ReturnType<InstanceDocuments['remove']> {
    return unlessFailed(await this.#store.remove(collection, this.instance, id, version)())
  }

  /** The name of an object of the subject, and how its publication state has changed. */
  describe(id: string | null): Pick<AuditChange, 'title' | 'changes'> {
    const resource = resourceOf(this.subject)
    if (resource === undefined || id === null) return {}
    const [before, after] = [this.#before.get(id), this.#after.get(id)]
    const known = after ?? before
    const [state, formerState] = [after?.['state'] ?? null, before?.['state'] ?? null]
    return {
      title: known === undefined ? null : objectName(resource, known),
      ...(state === null || state === formerState
        ? {}
        : { changes: { state: { before: formerState, after: state } } }),
    }
  }

  #noteRead(collection: string): void {
    const counter = this.#writeCounters.of(this.instance, collection)
    if (!this.dependencies.has(counter)) this.dependencies.set(counter, counter.value)
  }

  #observes(collection: string): boolean {
    return !this.isReading && collection === this.subject
  }

  #noteBefore({ id, value }: Stored): void {
    if (!this.#after.has(id)) this.#before.set(id, value)
  }

  #noteAfter(collection: string, { id, value }: Stored): void {
    if (this.#observes(collection)) this.#after.set(id, value)
  }
}
