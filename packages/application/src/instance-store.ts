/**
 * The documents of one instance, and of all. Each call passes through this module once: it lets other requests run,
 * counts writes, handles damaged documents, and adds the audit entries of a session to what it changes.
 */
import { resourceOf, resources, type Viewer } from '@publishing-service/domain'
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { subjectsWithVersions } from '@publishing-service/domain/roles'
import { changeMark, settingsSubject } from '@publishing-service/domain/changes'
import { attributeChanges, formerValues, objectName, storedTest } from '@publishing-service/domain/engine'
import {
  type DocumentWrite,
  isExpectation,
  isPortFailure,
  singleChanges,
  singleReads,
  unreadable,
  type Appended,
  type Change,
  type Document,
  type DocumentChange,
  type DocumentStore,
  type FoundRelated,
  type PortFailure,
  type Related,
  type WriteFailure,
} from '@publishing-service/ports'
import { orThrow, unwrap } from './attempt.js'
import { unrecorded, type AuditChange, type Recorded, type Recording } from './recording.js'
import { systemCollections } from './collections.js'
import { mayUseReserve } from './may-use-reserve.js'
import { CapacityLog } from './capacity-log.js'
import { Schedule } from './changes/schedule.js'
import type { Documents, Ports, ProvidedPorts } from './ports.js'
import type { WriteCounter, WriteCounters } from './write-counters.js'

type Read = 'get' | 'getMany' | 'find' | 'findTexts' | 'count' | 'countTexts'
type Reads = Read | 'getRelated' | 'countGroups'
type SingleWrite = 'insert' | 'replace' | 'remove'

type Task<C extends Read | SingleWrite> = Documents[C] extends (
  collection: string,
  instance: number,
  ...rest: infer R extends readonly unknown[]
) => TaskEither<infer F, infer A>
  ? { readonly rest: R; readonly failure: F; readonly value: A }
  : never

/** The arguments of a call, without the instance. */
type Arguments<C extends Read | SingleWrite> = readonly [collection: string, ...rest: Task<C>['rest']]
type Found<C extends Read> = Promise<Task<C>['value']>
type WriteOutcome<A> = Promise<Either<WriteConflict, A>>

/**
 * The documents of one instance. Other instances cannot be addressed through it. Its functions throw a PortFailure; writes
 * return why else they were not made.
 */
export type InstanceDocuments = {
  readonly [C in Read]: (...call: Arguments<C>) => Found<C>
} & {
  readonly [C in SingleWrite]: (...call: Arguments<C>) => WriteOutcome<Task<C>['value']>
} & {
  readonly getRelated: (related: Related) => Promise<FoundRelated>
  /** Makes all changes, or none of them. Returns what is stored then, in their sequence. */
  readonly write: (
    changes: readonly Change[],
    appended: readonly Appended[],
  ) => WriteOutcome<readonly (Document | null)[]>
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

/** The document of a write of one change that is no removal. */
const storedBy = (
  written: Either<WriteConflict, readonly (Document | null)[]>,
): Either<WriteConflict, Document> => {
  if (E.isLeft(written)) return written
  const [document = null] = written.right
  if (document === null) throw new Error('The store returned no document for one that it has written')
  return E.right(document)
}

/** The documents of one instance in a store. */
export const documentsIn = (store: Documents, instance: number): InstanceDocuments => ({
  get: (collection, id) => orThrow(store.get(collection, instance, id)),
  getRelated: (related) => orThrow(store.getRelated(instance, related)),
  getMany: (collection, ids, detail) => orThrow(store.getMany(collection, instance, ids, detail)),
  find: (collection, query) => orThrow(store.find(collection, instance, query)),
  findTexts: (collection, query) => orThrow(store.findTexts(collection, instance, query)),
  count: (collection, selection, limit) => orThrow(store.count(collection, instance, selection, limit)),
  countTexts: (collection, keys, selection, most) =>
    orThrow(store.countTexts(collection, instance, keys, selection, most)),
  write: async (changes, appended) => unlessFailed(await store.write(instance, changes, appended)()),
  insert: async (collection, document) => unlessFailed(await store.insert(collection, instance, document)()),
  replace: async (collection, document) =>
    unlessFailed(await store.replace(collection, instance, document)()),
  remove: async (collection, id, version) =>
    unlessFailed(await store.remove(collection, instance, id, version)()),
})

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
export const isReadable = (collection: string, { value }: Pick<Document, 'value'>): boolean =>
  value !== unreadable && tests.get(collection)?.(value) !== false

/**
 * What becomes of damaged documents. `strict` throws an UnreadableDocument instead of returning one, so that no write is
 * computed from it. `lenient` is for views of many documents, which must not fail because of one: it logs damaged
 * documents, omits them from documents that are read by id, and returns them in query results.
 */
type DamageHandling = 'strict' | 'lenient'

/** What all stores of instances share. */
type Shared = {
  readonly store: DocumentStore
  readonly capacity: CapacityLog
  readonly clock: Ports['clock']
  readonly log: Ports['log']
  readonly writeCounters: WriteCounters
  readonly schedule: Schedule
  /** The instances of which this process has written change records. */
  readonly recorded: Set<number>
}

/** Changes of objects that are removed with another one, whose id is `of`. */
export type Dependents = { readonly of: string; readonly changes: readonly Change[] }

/** A document as a change writes it; its value is null once it is removed. */
export type Written = {
  readonly collection: string
  readonly id: string
  readonly kind: DocumentChange['kind']
  readonly version: number
  readonly value: JsonObject | null
  /** The id of the object with which it is removed; null if it is changed by itself. */
  readonly within: string | null
  /** What its record says in place of the attributes that differ; null for these. */
  readonly said: JsonObject | null
}

/** What a change writes. */
export const writtenBy = (change: DocumentWrite, within: string | null = null): Written => {
  const { collection, kind } = change
  const said = null
  if (kind === 'remove')
    return { collection, id: change.id, kind, version: change.version + 1, value: null, within, said }
  const { id, value } = change.document
  const version = kind === 'insert' ? (change.document.version ?? 1) : change.document.version + 1
  return { collection, id, kind, version, value, within, said }
}

/** What the record of a change of an object says about it. */
export type DescribedChange = Pick<
  AuditChange,
  'collection' | 'object' | 'title' | 'changes' | 'version' | 'mark'
>

/** The objects that were read, by collection. */
type ObjectsRead = Map<string, Set<string> | 'queried'>

const noteObjects = (read: ObjectsRead, collection: string, ids: Iterable<string>): void => {
  const known = read.get(collection) ?? new Set()
  if (known === 'queried') return
  for (const id of ids) known.add(id)
  read.set(collection, known)
}

/**
 * The store of one instance. It notes what was read, so that the audit log names the objects of a subject that are changed
 * (docs/behaviour/administration.md#audit-log).
 */
export class InstanceStore implements InstanceDocuments {
  /** The write counters of the collections that were read, with their values before the read. */
  readonly dependencies: Map<WriteCounter, number>
  /** The objects that were read, which caches name a response by; null where no cache needs them. */
  objectsRead: ObjectsRead | null
  /** The records of the operation that uses this store. */
  recording: Recording<readonly Written[]>
  private readonly shared: Shared
  private readonly isStrict: boolean
  /** Documents as an operation that writes has last read or changed them, by collection and id. */
  private readonly before: Map<string, JsonObject>
  /** Documents that are read in place of those that are stored, by collection and id. */
  private readonly shown: Map<string, Document>

  constructor(
    shared: Shared,
    readonly instance: number,
    handling: DamageHandling,
  ) {
    this.dependencies = new Map()
    this.objectsRead = null
    this.recording = unrecorded
    this.shared = shared
    this.isStrict = handling === 'strict'
    this.before = new Map()
    this.shown = new Map()
  }

  /** The documents that are read in place of those that are stored. */
  shownIn(collection: string): readonly Document[] {
    const prefix = `${collection}/`
    return [...this.shown].flatMap(([key, document]) => (key.startsWith(prefix) ? [document] : []))
  }

  /** Reads by id find this document from now on, in place of the one that is stored. */
  show(collection: string, document: Document): void {
    this.shown.set(`${collection}/${document.id}`, document)
  }

  async get(...[collection, id]: Arguments<'get'>): Found<'get'> {
    if (this.objectsRead !== null) noteObjects(this.objectsRead, collection, [id])
    const shown = this.shown.get(`${collection}/${id}`)
    if (shown !== undefined) return shown
    const found = await this.read([{ collection }], this.shared.store.get(collection, this.instance, id))
    if (found !== null && !isReadable(collection, found))
      throw new UnreadableDocument(collection, this.instance, id)
    if (this.isStrict) this.remember(collection, id, found?.value ?? null)
    return found
  }

  async getRelated(related: Related): Promise<FoundRelated> {
    if (this.objectsRead !== null) {
      for (const { collection, ids } of related.documents) noteObjects(this.objectsRead, collection, ids)
      for (const { collection } of related.counts) this.objectsRead.set(collection, 'queried')
    }
    const reads = [...related.documents, ...related.counts]
    const found = await this.read(reads, this.shared.store.getRelated(this.instance, related))
    const documents = related.documents.map(({ collection }, index) =>
      this.readable(collection, found.documents[index] ?? []),
    )
    return { documents, counts: found.counts }
  }

  async getMany(...[collection, ids, detail]: Arguments<'getMany'>): Found<'getMany'> {
    const { documents } = await this.getRelated({ documents: [{ collection, ids, detail }], counts: [] })
    return documents[0] ?? []
  }

  async find(...[collection, query]: Arguments<'find'>): Found<'find'> {
    this.objectsRead?.set(collection, 'queried')
    const page = await this.read([{ collection }], this.shared.store.find(collection, this.instance, query))
    this.findDamaged(collection, page.documents)
    if (this.isStrict && query.detail === 'full')
      for (const { id, value } of page.documents) this.remember(collection, id, value)
    return page
  }

  async findTexts(...[collection, query]: Arguments<'findTexts'>): Found<'findTexts'> {
    const { store } = this.shared
    this.objectsRead?.set(collection, 'queried')
    const page = await this.read([{ collection }], store.findTexts(collection, this.instance, query))
    this.findDamaged(collection, new Set(page.texts.map(({ document }) => document)))
    return page
  }

  count(...[collection, selection, limit]: Arguments<'count'>): Found<'count'> {
    const { store } = this.shared
    this.objectsRead?.set(collection, 'queried')
    return this.read([{ collection }], store.count(collection, this.instance, selection, limit))
  }

  countTexts(...[collection, keys, selection, most]: Arguments<'countTexts'>): Found<'countTexts'> {
    const { store } = this.shared
    this.objectsRead?.set(collection, 'queried')
    return this.read([{ collection }], store.countTexts(collection, this.instance, keys, selection, most))
  }

  /** Counts the write, whether or not it was made. */
  async write(
    changes: readonly Change[],
    appended: readonly Appended[],
  ): ReturnType<InstanceDocuments['write']> {
    const { store, capacity, recorded, writeCounters } = this.shared
    try {
      const outcome = await store.write(this.instance, changes, appended)()
      // A write may have succeeded with the reserve.
      if ((E.isLeft(outcome) || capacity.fullPart !== null) && !changes.every(mayUseReserve))
        capacity.observe(outcome)
      const written = unlessFailed(outcome)
      if (appended.length > 0) recorded.add(this.instance)
      return written
    } finally {
      await writeCounters.countOwn([
        ...changes.flatMap((change) =>
          isExpectation(change) ? [] : [[this.instance, change.collection] as const],
        ),
        ...appended.map((each) => [each.instance, each.collection] as const),
      ])
    }
  }

  async insert(...[collection, document]: Arguments<'insert'>): WriteOutcome<Document> {
    const position = this.shared.clock.position()
    return storedBy(
      await this.write([{ collection, kind: 'insert', document: { ...document, position } }], []),
    )
  }

  async replace(...[collection, document]: Arguments<'replace'>): WriteOutcome<Document> {
    return storedBy(await this.write([{ collection, kind: 'replace', document }], []))
  }

  async remove(...[collection, id, version]: Arguments<'remove'>): WriteOutcome<void> {
    const removed = await this.write([{ collection, kind: 'remove', id, version }], [])
    return E.isLeft(removed) ? removed : E.right(undefined)
  }

  /** Makes all changes, with the records of the first and of all other objects that are changed, or none of them. */
  async change(
    changes: readonly Change[],
    dependents: Dependents | null = null,
  ): ReturnType<InstanceDocuments['write']> {
    const all = dependents === null ? changes : [...changes, ...dependents.changes]
    const written: Written[] = []
    for (const [index, change] of all.entries()) {
      if (index > 0 && resourceOf(change.collection) === undefined) continue
      if (isExpectation(change)) continue
      written.push(writtenBy(change, index < changes.length ? null : (dependents?.of ?? null)))
    }
    const outcome = await this.recording.write(written, (appended) => this.write(all, appended))
    if (E.isLeft(outcome)) return outcome
    for (const { collection, id, value } of written) {
      this.remember(collection, id, value)
      for (const key of resourceOf(collection)?.shownToPublic?.times ?? []) {
        const time = value?.[key]
        if (typeof time === 'string') this.shared.schedule.note(this.instance, time, this.shared.clock.now())
      }
    }
    return outcome
  }

  /** Adds the record of the change of one object to a write. */
  readonly recorded: Recorded<Written> = (written, write) => this.recording.write([written], write)

  /** The result of a function of a stored object, or null, with a log entry, if the stored state is invalid. */
  unlessDamaged<A>(collection: string, id: string, use: () => A): A | null {
    try {
      return use()
    } catch (error) {
      const reason = error instanceof Error ? error.stack : String(error)
      this.shared.log.write('error', 'damaged object', { collection, instance: this.instance, id, reason })
      return null
    }
  }

  /** The name of an object that was read. */
  nameOf(collection: string, id: string): string | null {
    const resource = resourceOf(collection)
    const known = this.before.get(`${collection}/${id}`)
    return resource === undefined || known === undefined ? null : objectName(resource, known)
  }

  /** The state of an object before a change, as this store has read it; null if there is none. */
  stateBefore({ collection, id }: Pick<Written, 'collection' | 'id'>): JsonObject | null {
    return this.before.get(`${collection}/${id}`) ?? null
  }

  /**
   * What the record of a change says about an object: its name, what differs from the state that was read, its version, and
   * whether the public sees nothing of it.
   */
  describe(
    { collection, id, kind, version: number, value: after, within, said }: Written,
    before: JsonObject | null,
    { now }: Pick<Viewer, 'now'>,
    isHidden: boolean,
  ): DescribedChange | null {
    if (collection === systemCollections.instances.name)
      return {
        collection: settingsSubject.collection,
        object: null,
        mark: changeMark(settingsSubject, kind, {}, {}, now),
      }
    const resource = resourceOf(collection)
    if (resource === undefined) return null
    const former = before === null || after === null ? before : formerValues(before, after)
    const known = after ?? before
    const isVersioned = subjectsWithVersions.has(collection)
    const [was, is] = [before?.['state'] ?? null, after?.['state'] ?? null]
    // What differs. If an object is created, or has no versions, only its publication state.
    let changes: JsonObject | null = null
    if (said !== null) changes = said
    else if (isVersioned && former !== null && after !== null)
      changes = attributeChanges(resource, former, after)
    else if (is !== null && is !== was) changes = { state: { before: was, after: is } }
    return {
      collection,
      object: id,
      title: known === null ? null : objectName(resource, known),
      changes,
      mark: changeMark(resource, kind, before, after, now, isHidden),
      ...(within !== null || isVersioned ? { version: { kind, number, before: former, within } } : {}),
    }
  }

  private remember(collection: string, id: string, value: JsonObject | null): void {
    if (value === null) this.before.delete(`${collection}/${id}`)
    else this.before.set(`${collection}/${id}`, value)
  }

  /** Other requests are served between the reads of one request, even if the store reads synchronously. */
  private async read<A>(
    reads: readonly { readonly collection: string }[],
    task: TaskEither<PortFailure, A>,
  ): Promise<A> {
    const { clock, writeCounters } = this.shared
    for (const { collection } of reads) {
      const counter = writeCounters.of(this.instance, collection)
      if (!this.dependencies.has(counter)) this.dependencies.set(counter, counter.value)
    }
    await clock.turn()
    return unwrap(await task())
  }

  /** The documents that are not damaged, or are shown in place of those. */
  private readable(collection: string, found: readonly Document[]): readonly Document[] {
    let readable = found
    for (const each of found)
      if (!isReadable(collection, each)) {
        this.reportDamaged(collection, each)
        readable = readable.filter((other) => other !== each)
      }
    if (this.shown.size === 0) return readable
    return readable.map((each) => this.shown.get(`${collection}/${each.id}`) ?? each)
  }

  private reportDamaged(collection: string, { id }: Document): void {
    const { instance } = this
    if (this.isStrict) throw new UnreadableDocument(collection, instance, id)
    this.shared.log.write('error', 'unreadable document', { collection, instance, id })
  }

  /** Rows of pages test what they show, so that long pages are not tested as a whole. */
  private findDamaged(collection: string, documents: Iterable<Document>): void {
    for (const document of documents)
      if (this.isStrict ? !isReadable(collection, document) : document.value === unreadable)
        this.reportDamaged(collection, document)
  }
}

/** The outcome of steps that throw a PortFailure, with that as a value. */
const orFailure =
  <F, A>(steps: () => Promise<Either<F, A>>): TaskEither<F | PortFailure, A> =>
  async () => {
    try {
      return await steps()
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
  }

/** The documents of all instances, for use cases that work on several. */
export class InstanceStores {
  /** Throws an UnreadableDocument instead of returning a damaged document. */
  readonly strict: Documents
  /** Returns damaged documents in query results. */
  readonly lenient: Documents
  readonly schedule = new Schedule()
  /** The instances of which this process has written change records, until the objects that show a changed one are touched. */
  readonly recorded = new Set<number>()
  readonly #shared: Shared

  constructor(
    { documents: store, clock, log }: Pick<ProvidedPorts, 'documents' | 'clock' | 'log'>,
    readonly writeCounters: WriteCounters,
  ) {
    const capacity = new CapacityLog(log)
    const write: Documents['write'] = (instance, changes, appended) =>
      orFailure(() => this.of(instance, 'strict').write(changes, appended))
    this.#shared = {
      store,
      capacity,
      clock,
      log,
      writeCounters,
      schedule: this.schedule,
      recorded: this.recorded,
    }
    const others: Omit<Documents, Reads> = {
      write,
      ...singleChanges({ write }, clock.position),
      snapshot: () => store.snapshot(),
      check: () => async () => {
        const outcome = await store.check()()
        capacity.observe(outcome)
        return outcome
      },
      close: () => store.close(),
    }
    this.strict = { ...this.#reading('strict'), ...others }
    this.lenient = { ...this.#reading('lenient'), ...others }
  }

  /** The store of one instance. */
  of(instance: number, handling: DamageHandling): InstanceStore {
    return new InstanceStore(this.#shared, instance, handling)
  }

  #reading(handling: DamageHandling): Pick<Documents, Reads> {
    const reading = <A>(
      instance: number,
      read: (documents: InstanceStore) => Promise<A>,
    ): TaskEither<PortFailure, A> => orFailure(async () => E.right(await read(this.of(instance, handling))))
    const getRelated: Documents['getRelated'] = (instance, related) =>
      reading(instance, (documents) => documents.getRelated(related))
    return {
      getRelated,
      ...singleReads({ getRelated }),
      get: (collection, instance, id) => reading(instance, (documents) => documents.get(collection, id)),
      find: (collection, instance, query) =>
        reading(instance, (documents) => documents.find(collection, query)),
      findTexts: (collection, instance, query) =>
        reading(instance, (documents) => documents.findTexts(collection, query)),
      count: (collection, instance, selection, limit) =>
        reading(instance, (documents) => documents.count(collection, selection, limit)),
      countTexts: (collection, instance, keys, selection, most) =>
        reading(instance, (documents) => documents.countTexts(collection, keys, selection, most)),
    }
  }
}
