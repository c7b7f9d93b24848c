/**
 * The documents of one instance, and of all. Each call passes through this module once: it lets other requests run,
 * logs, counts writes, handles damaged documents, and records what a session has read and changed.
 */
import { resourceOf, resources } from '@publishing-service/domain'
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Subject } from '@publishing-service/domain/access'
import { objectName, storedTest } from '@publishing-service/domain/engine'
import {
  isPortFailure,
  unreadable,
  type Document,
  type DocumentStore,
  type NewDocument,
  type PortFailure,
  type Replacement,
  type WriteFailure,
} from '@publishing-service/ports'
import { orThrow, unwrap } from './attempt.js'
import { capacityLog } from './capacity-log.js'
import { systemCollections, systemInstance } from './collections.js'
import { loggedCall } from './logged-call.js'
import type { Ports } from './ports.js'

type Read = 'get' | 'getMany' | 'find' | 'findTexts' | 'countGroups'
type Write = 'insert' | 'replace' | 'remove'

type Task<C extends Read | Write> = DocumentStore[C] extends (
  collection: string,
  instance: number,
  ...rest: infer R extends readonly unknown[]
) => TaskEither<infer F, infer A>
  ? { readonly rest: R; readonly failure: F; readonly value: A }
  : never

/** The arguments of a call, without the instance. */
type Arguments<C extends Read | Write> = readonly [collection: string, ...rest: Task<C>['rest']]
type Found<C extends Read> = Promise<Task<C>['value']>
type Written<C extends Write> = Promise<Either<Exclude<Task<C>['failure'], PortFailure>, Task<C>['value']>>

/**
 * The documents of one instance. Other instances cannot be addressed through it. Its functions throw a PortFailure; writes
 * return why else they were not made.
 */
export type InstanceDocuments = {
  readonly [C in Read]: (...call: Arguments<C>) => Found<C>
} & {
  readonly [C in Write]: (...call: Arguments<C>) => Written<C>
}

/** Why a write was not made, although the store has not failed. */
export type WriteConflict = Exclude<WriteFailure, PortFailure>

const isConflict = <F>(failure: F): failure is Exclude<F, PortFailure> => !isPortFailure(failure)

/** The outcome of a write; throws a PortFailure. */
export const unlessFailed = <F, A>(written: Either<F, A>): Either<Exclude<F, PortFailure>, A> => {
  if (E.isRight(written)) return written
  if (isConflict(written.left)) return E.left(written.left)
  throw written.left
}

/** The documents of one instance in a store. */
export const documentsIn = (store: DocumentStore, instance: number): InstanceDocuments => ({
  get: (collection, id) => orThrow(store.get(collection, instance, id)),
  getMany: (collection, ids, detail) => orThrow(store.getMany(collection, instance, ids, detail)),
  find: (collection, query) => orThrow(store.find(collection, instance, query)),
  findTexts: (collection, query) => orThrow(store.findTexts(collection, instance, query)),
  countGroups: (collection, key, within) => orThrow(store.countGroups(collection, instance, key, within)),
  insert: async (collection, document) => unlessFailed(await store.insert(collection, instance, document)()),
  replace: async (collection, document) =>
    unlessFailed(await store.replace(collection, instance, document)()),
  remove: async (collection, id, version) =>
    unlessFailed(await store.remove(collection, instance, id, version)()),
})

/**
 * Counts the writes of this process by instance and collection. A result that was computed from a collection is valid
 * while its counter is unchanged. Writes of other processes are not counted, so caches of results limit their age.
 */
export class WriteCounters {
  readonly #counters = new Map<string, { value: number }>()

  /** The current counter. Callers compare its value with the one that they read before. */
  of(instance: number, collection: string): WriteCounter {
    return this.#counter(instance, collection)
  }

  /** Counts a write, whether or not it was applied. */
  count(instance: number, collection: string): void {
    this.#counter(instance, collection).value += 1
  }

  #counter(instance: number, collection: string): { value: number } {
    const name = `${instance}/${collection}`
    let found = this.#counters.get(name)
    if (found === undefined) this.#counters.set(name, (found = { value: 0 }))
    return found
  }
}

export type WriteCounter = { readonly value: number }

/** The write counters of the collections that a result was computed from, with their values before the read. */
export type Dependencies = ReadonlyMap<WriteCounter, number>

/** The counter of all instances and their settings. */
export const settingsCounter = (counters: WriteCounters): WriteCounter =>
  counters.of(systemInstance, systemCollections.instances.name)

/** A stored document is damaged. This is a defect, because clients of the API cannot resolve it. */
export class UnreadableDocument extends Error {
  constructor(collection: string, instance: number, id: string) {
    super(`The stored document ${id} of ${collection} on instance ${instance} is damaged and cannot be read`)
  }
}

/** The tests of stored states by collection. */
const tests: ReadonlyMap<string, (state: JsonObject) => boolean> = new Map(
  resources.map(({ collection, attributes }) => [collection, storedTest(attributes)]),
)

/** Whether a document is not damaged, and its values are of the types that its collection declares. */
const isReadable = (collection: string, { value }: Document): boolean =>
  value !== unreadable && tests.get(collection)?.(value) !== false

/**
 * What becomes of damaged documents. `strict` throws an UnreadableDocument instead of returning one, so that no write is
 * computed from it. `lenient` is for views of many documents, which must not fail because of one: it logs damaged
 * documents, omits them from documents that are read by id, and returns them in query results.
 */
type Handling = 'strict' | 'lenient'

/** What all stores of instances share. */
type Shared = {
  readonly store: DocumentStore
  readonly clock: Ports['clock']
  readonly log: Ports['log']
  readonly isLogging: boolean
  readonly logged: ReturnType<typeof loggedCall>
  readonly observeCapacity: ReturnType<typeof capacityLog>
  readonly writeCounters: WriteCounters
}

type Stored = Pick<Document, 'id' | 'value'>

/**
 * The store of one instance. It records what was read, and how objects of a subject were changed, so that the audit log
 * names them (docs/behaviour/administration.md#audit-log).
 */
export class InstanceStore implements InstanceDocuments {
  /** The write counters of the collections that were read, with their values before the read. */
  readonly dependencies = new Map<WriteCounter, number>()
  readonly #shared: Shared
  readonly #isStrict: boolean
  /** The objects of the subject before and after the writes. */
  readonly #before = new Map<string, JsonObject>()
  readonly #after = new Map<string, JsonObject>()

  constructor(
    shared: Shared,
    readonly instance: number,
    handling: Handling,
    /** The collection of the objects whose changes are recorded. */
    readonly subject: Subject | null = null,
  ) {
    this.#shared = shared
    this.#isStrict = handling === 'strict'
  }

  async get(...[collection, id]: Arguments<'get'>): Found<'get'> {
    const found = await this.#read('get', collection, this.#shared.store.get(collection, this.instance, id))
    if (found === null) return null
    if (!isReadable(collection, found)) throw new UnreadableDocument(collection, this.instance, id)
    if (collection === this.subject) this.#noteBefore(found)
    return found
  }

  async getMany(...[collection, ids, detail]: Arguments<'getMany'>): Found<'getMany'> {
    const { store } = this.#shared
    let found = await this.#read('getMany', collection, store.getMany(collection, this.instance, ids, detail))
    for (const each of found)
      if (!isReadable(collection, each)) {
        this.#reportDamaged(collection, each)
        found = found.filter((other) => other !== each)
      } else if (collection === this.subject) this.#noteBefore(each)
    return found
  }

  async find(...[collection, query]: Arguments<'find'>): Found<'find'> {
    const page = await this.#read(
      'find',
      collection,
      this.#shared.store.find(collection, this.instance, query),
    )
    this.#findDamaged(collection, page.documents)
    return page
  }

  async findTexts(...[collection, query]: Arguments<'findTexts'>): Found<'findTexts'> {
    const { store } = this.#shared
    const page = await this.#read('findTexts', collection, store.findTexts(collection, this.instance, query))
    this.#findDamaged(collection, new Set(page.texts.map(({ document }) => document)))
    return page
  }

  countGroups(...[collection, key, within]: Arguments<'countGroups'>): Found<'countGroups'> {
    const { store } = this.#shared
    return this.#read('countGroups', collection, store.countGroups(collection, this.instance, key, within))
  }

  async insert(...[collection, document]: Arguments<'insert'>): Written<'insert'> {
    const task = this.#shared.store.insert(collection, this.instance, document)
    return this.#noteAfter(collection, document, await this.#write('insert', collection, document, task))
  }

  async replace(...[collection, document]: Arguments<'replace'>): Written<'replace'> {
    const task = this.#shared.store.replace(collection, this.instance, document)
    return this.#noteAfter(collection, document, await this.#write('replace', collection, document, task))
  }

  remove(...[collection, id, version]: Arguments<'remove'>): Written<'remove'> {
    const task = this.#shared.store.remove(collection, this.instance, id, version)
    return this.#write('remove', collection, { urgent: true }, task)
  }

  /** The result of a function of a stored object, or null, with a log entry, if the stored state is invalid. */
  unlessDamaged<A>(collection: string, id: string, use: () => A): A | null {
    try {
      return use()
    } catch (error) {
      const reason = error instanceof Error ? error.stack : String(error)
      this.#shared.log.write('error', 'damaged object', { collection, instance: this.instance, id, reason })
      return null
    }
  }

  /** The name of an object of the subject, and how its publication state has changed. */
  describe(id: string | null): { readonly title?: string | null; readonly changes?: JsonObject } {
    const resource = this.subject === null ? undefined : resourceOf(this.subject)
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

  /** Other requests are served between the reads of one request, even if the store reads synchronously. */
  async #read<A>(call: Read, collection: string, task: TaskEither<PortFailure, A>): Promise<A> {
    const { clock, isLogging, logged, writeCounters } = this.#shared
    const counter = writeCounters.of(this.instance, collection)
    if (!this.dependencies.has(counter)) this.dependencies.set(counter, counter.value)
    await clock.turn()
    return unwrap(await (isLogging ? logged({ call, collection, instance: this.instance }, task) : task)())
  }

  async #write<F extends { readonly _tag: string }, A>(
    call: Write,
    collection: string,
    { urgent }: Pick<NewDocument, 'urgent'>,
    task: TaskEither<F, A>,
  ): Promise<Either<Exclude<F, PortFailure>, A>> {
    const { isLogging, logged, observeCapacity, writeCounters } = this.#shared
    try {
      const outcome = await (isLogging ? logged({ call, collection, instance: this.instance }, task) : task)()
      if (urgent !== true) observeCapacity(outcome)
      return unlessFailed(outcome)
    } finally {
      writeCounters.count(this.instance, collection)
    }
  }

  #reportDamaged(collection: string, { id }: Document): void {
    const { instance } = this
    if (this.#isStrict) throw new UnreadableDocument(collection, instance, id)
    this.#shared.log.write('error', 'unreadable document', { collection, instance, id })
  }

  /** Rows of pages test what they show, so that long pages are not tested as a whole. */
  #findDamaged(collection: string, documents: Iterable<Document>): void {
    for (const document of documents)
      if (this.#isStrict ? !isReadable(collection, document) : document.value === unreadable)
        this.#reportDamaged(collection, document)
  }

  #noteBefore({ id, value }: Stored): void {
    if (!this.#after.has(id)) this.#before.set(id, value)
  }

  #noteAfter<C>(
    collection: string,
    { id, value }: NewDocument | Replacement,
    written: Either<C, Document>,
  ): Either<C, Document> {
    if (collection === this.subject && E.isRight(written)) this.#after.set(id, value)
    return written
  }
}

const portTask =
  <F, A>(run: () => Promise<Either<F, A>>): TaskEither<F | PortFailure, A> =>
  async () => {
    try {
      return await run()
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
  }

/** The documents of all instances, for use cases that work on several. */
export class InstanceStores {
  readonly writeCounters = new WriteCounters()
  /** Throws an UnreadableDocument instead of returning a damaged document. */
  readonly strict: DocumentStore
  /** Returns damaged documents in query results. */
  readonly lenient: DocumentStore
  readonly #shared: Shared

  constructor({ documents: store, clock, log }: Pick<Ports, 'documents' | 'clock' | 'log'>) {
    this.#shared = {
      store,
      clock,
      log,
      isLogging: log.enabled('debug'),
      logged: loggedCall('store call', log, clock),
      observeCapacity: capacityLog(log),
      writeCounters: this.writeCounters,
    }
    this.strict = this.#asPort('strict')
    this.lenient = this.#asPort('lenient')
  }

  /** The store of one instance. */
  of(instance: number, handling: Handling, subject: Subject | null = null): InstanceStore {
    return new InstanceStore(this.#shared, instance, handling, subject)
  }

  #asPort(handling: Handling): DocumentStore {
    const { store, logged, observeCapacity } = this.#shared
    const reading = <A>(instance: number, read: (documents: InstanceStore) => Promise<A>) =>
      portTask(async () => E.right(await read(this.of(instance, handling))))
    return {
      get: (collection, instance, id) => reading(instance, (documents) => documents.get(collection, id)),
      getMany: (collection, instance, ids, detail) =>
        reading(instance, (documents) => documents.getMany(collection, ids, detail)),
      find: (collection, instance, query) =>
        reading(instance, (documents) => documents.find(collection, query)),
      findTexts: (collection, instance, query) =>
        reading(instance, (documents) => documents.findTexts(collection, query)),
      countGroups: (collection, instance, key, within) =>
        reading(instance, (documents) => documents.countGroups(collection, key, within)),
      insert: (collection, instance, document) =>
        portTask(() => this.of(instance, handling).insert(collection, document)),
      replace: (collection, instance, document) =>
        portTask(() => this.of(instance, handling).replace(collection, document)),
      remove: (collection, instance, id, version) =>
        portTask(() => this.of(instance, handling).remove(collection, id, version)),
      check: () => async () => {
        const outcome = await logged({ call: 'check' }, store.check())()
        observeCapacity(outcome)
        return outcome
      },
      close: () => store.close(),
      ...(store.searchIndex === undefined ? {} : { searchIndex: store.searchIndex }),
    }
  }
}
