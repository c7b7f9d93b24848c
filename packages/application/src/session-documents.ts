import {
  E,
  objectName,
  resourceOf,
  type JsonObject,
  type Subject,
  type TaskEither,
} from '@publishing-service/domain'
import type { Document, DocumentStore } from '@publishing-service/ports'
import type { AuditChange } from './audit/audit.js'
import type { InstanceDocuments, InstanceStores, WriteCounter, WriteCounters } from './instance-store.js'

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

  get(collection: string, id: string): ReturnType<InstanceDocuments['get']> {
    this.#noteRead(collection)
    const read = this.#store.get(collection, this.instance, id)
    if (!this.#observes(collection)) return read
    return async () => {
      const found = await read()
      if (E.isRight(found) && found.right !== null) this.#noteBefore(found.right)
      return found
    }
  }

  getMany(
    ...[collection, ids, detail]: Parameters<InstanceDocuments['getMany']>
  ): ReturnType<InstanceDocuments['getMany']> {
    this.#noteRead(collection)
    const read = this.#store.getMany(collection, this.instance, ids, detail)
    if (!this.#observes(collection)) return read
    return async () => {
      const found = await read()
      if (E.isRight(found)) for (const each of found.right) this.#noteBefore(each)
      return found
    }
  }

  find(...[collection, query]: Parameters<InstanceDocuments['find']>): ReturnType<InstanceDocuments['find']> {
    this.#noteRead(collection)
    return this.#store.find(collection, this.instance, query)
  }

  findTexts(
    ...[collection, query]: Parameters<InstanceDocuments['findTexts']>
  ): ReturnType<InstanceDocuments['findTexts']> {
    this.#noteRead(collection)
    return this.#store.findTexts(collection, this.instance, query)
  }

  countGroups(
    ...[collection, key, within]: Parameters<InstanceDocuments['countGroups']>
  ): ReturnType<InstanceDocuments['countGroups']> {
    this.#noteRead(collection)
    return this.#store.countGroups(collection, this.instance, key, within)
  }

  insert(
    ...[collection, document]: Parameters<InstanceDocuments['insert']>
  ): ReturnType<InstanceDocuments['insert']> {
    return this.#noting(collection, document, this.#store.insert(collection, this.instance, document))
  }

  replace(
    ...[collection, document]: Parameters<InstanceDocuments['replace']>
  ): ReturnType<InstanceDocuments['replace']> {
    return this.#noting(collection, document, this.#store.replace(collection, this.instance, document))
  }

  remove(
    ...[collection, id, version]: Parameters<InstanceDocuments['remove']>
  ): ReturnType<InstanceDocuments['remove']> {
    return this.#store.remove(collection, this.instance, id, version)
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

  #noting<F, A>(collection: string, { id, value }: Stored, write: TaskEither<F, A>): TaskEither<F, A> {
    if (!this.#observes(collection)) return write
    return async () => {
      const written = await write()
      if (E.isRight(written)) this.#after.set(id, value)
      return written
    }
  }
}
