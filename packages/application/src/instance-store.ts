/**
 * The documents of one instance, and of all. Each call passes through this module once: it lets other requests run,
 * logs, counts writes, and handles damaged documents.
 */
import { resources } from '@publishing-service/domain'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { storedTest } from '@publishing-service/domain/engine'
import {
  isPortFailure,
  unreadable,
  type Document,
  type DocumentStore,
  type PortFailure,
  type WriteFailure,
} from '@publishing-service/ports'
import { orThrow } from './attempt.js'
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

/**
 * The documents of one instance. Other instances cannot be addressed through it. Its functions throw a PortFailure; writes
 * return why else they were not made.
 */
export type InstanceDocuments = {
  readonly [C in Read]: (collection: string, ...rest: Task<C>['rest']) => Promise<Task<C>['value']>
} & {
  readonly [C in Write]: (
    collection: string,
    ...rest: Task<C>['rest']
  ) => Promise<E.Either<Exclude<Task<C>['failure'], PortFailure>, Task<C>['value']>>
}

/** Why a write was not made, although the store has not failed. */
export type WriteConflict = Exclude<WriteFailure, PortFailure>

const isConflict = <F>(failure: F): failure is Exclude<F, PortFailure> => !isPortFailure(failure)

/** The outcome of a write; throws a PortFailure. */
export const unlessFailed = <F, A>(written: E.Either<F, A>): E.Either<Exclude<F, PortFailure>, A> => {
  if (E.isRight(written)) return written
  if (isConflict(written.left)) return E.left(written.left)
  throw written.left
}

/** The documents of one instance. */
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
export type WriteCounters = {
  /** The current counter. Callers compare its value with the one that they read before. */
  readonly of: (instance: number, collection: string) => WriteCounter
}

export type WriteCounter = { readonly value: number }

/** The write counters of the collections that a result was computed from, with their values before the read. */
export type Dependencies = ReadonlyMap<WriteCounter, number>

/** The counters, and the function that counts a write, whether or not it was applied. */
const createWriteCounters = (): {
  readonly counters: WriteCounters
  readonly count: (instance: number, collection: string) => void
} => {
  const counters = new Map<string, { value: number }>()
  const counter = (instance: number, collection: string) => {
    const name = `${instance}/${collection}`
    let found = counters.get(name)
    if (found === undefined) counters.set(name, (found = { value: 0 }))
    return found
  }
  return {
    counters: { of: counter },
    count: (instance, collection) => {
      counter(instance, collection).value += 1
    },
  }
}

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
 * The documents of all instances in two variants. `strict` throws an UnreadableDocument instead of returning a damaged
 * document, so that no write is computed from one. `lenient` is for views of many documents, which must not fail because
 * of one: it logs damaged documents, omits them from documents that are read by id, and returns them in query results.
 */
export type InstanceStores = {
  readonly strict: DocumentStore
  readonly lenient: DocumentStore
  readonly writeCounters: WriteCounters
}

export const createInstanceStores = ({
  documents: store,
  clock,
  log,
}: Pick<Ports, 'documents' | 'clock' | 'log'>): InstanceStores => {
  const { counters: writeCounters, count } = createWriteCounters()
  const observeCapacity = capacityLog(log)
  const logged = loggedCall('store call', log, clock)

  const isLogging = log.enabled('debug')

  /**
   * Other requests are served between the reads of one request, even if the store reads synchronously. `readable` returns
   * what callers receive, without damaged documents.
   */
  const read = async <A>(
    call: string,
    collection: string,
    instance: number,
    task: TaskEither<PortFailure, A>,
    readable: ((found: A) => A) | null = null,
  ): Promise<E.Either<PortFailure, A>> => {
    await clock.turn()
    const found = await (isLogging ? logged({ call, collection, instance }, task) : task)()
    if (readable === null || E.isLeft(found)) return found
    const received = readable(found.right)
    return received === found.right ? found : E.right(received)
  }

  const writing =
    <F extends { readonly _tag: string }, A>(
      call: string,
      collection: string,
      instance: number,
      urgent: boolean,
      write: TaskEither<F, A>,
    ): TaskEither<F, A> =>
    async () => {
      try {
        const outcome = await (isLogging ? logged({ call, collection, instance }, write) : write)()
        if (!urgent) observeCapacity(outcome)
        return outcome
      } finally {
        count(instance, collection)
      }
    }

  const variant = (isStrict: boolean): DocumentStore => {
    const reportDamaged = (collection: string, instance: number, { id }: Document): void => {
      if (isStrict) throw new UnreadableDocument(collection, instance, id)
      log.write('error', 'unreadable document', { collection, instance, id })
    }
    /** Rows of pages test what they show, so that long pages are not tested as a whole. */
    const isDamaged = (collection: string, document: Document): boolean =>
      isStrict ? !isReadable(collection, document) : document.value === unreadable
    const findDamaged = (collection: string, instance: number, documents: Iterable<Document>): void => {
      for (const document of documents)
        if (isDamaged(collection, document)) reportDamaged(collection, instance, document)
    }
    return {
      get: (collection, instance, id) => () =>
        read('get', collection, instance, store.get(collection, instance, id), (found) => {
          if (found !== null && !isReadable(collection, found))
            throw new UnreadableDocument(collection, instance, id)
          return found
        }),
      getMany: (collection, instance, ids, detail) => () =>
        read('getMany', collection, instance, store.getMany(collection, instance, ids, detail), (found) => {
          const damaged = found.filter((each) => !isReadable(collection, each))
          if (damaged.length === 0) return found
          for (const each of damaged) reportDamaged(collection, instance, each)
          return found.filter((each) => !damaged.includes(each))
        }),
      find: (collection, instance, query) => () =>
        read('find', collection, instance, store.find(collection, instance, query), (found) => {
          findDamaged(collection, instance, found.documents)
          return found
        }),
      findTexts: (collection, instance, query) => () =>
        read('findTexts', collection, instance, store.findTexts(collection, instance, query), (found) => {
          findDamaged(collection, instance, new Set(found.texts.map(({ document }) => document)))
          return found
        }),
      countGroups: (collection, instance, key, within) => () =>
        read('countGroups', collection, instance, store.countGroups(collection, instance, key, within)),
      insert: (collection, instance, document) =>
        writing(
          'insert',
          collection,
          instance,
          document.urgent === true,
          store.insert(collection, instance, document),
        ),
      replace: (collection, instance, document) =>
        writing(
          'replace',
          collection,
          instance,
          document.urgent === true,
          store.replace(collection, instance, document),
        ),
      remove: (collection, instance, id, version) =>
        writing('remove', collection, instance, true, store.remove(collection, instance, id, version)),
      check: () => async () => {
        const outcome = await logged({ call: 'check' }, store.check())()
        observeCapacity(outcome)
        return outcome
      },
      close: () => store.close(),
      ...(store.searchIndex === undefined ? {} : { searchIndex: store.searchIndex }),
    }
  }
  return { strict: variant(true), lenient: variant(false), writeCounters }
}
