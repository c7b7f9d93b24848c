/**
 * The documents of one instance, and of all. Each call passes through this module once: it lets other requests run,
 * logs, counts writes, and handles damaged documents.
 */
import { E, type TaskEither } from '@publishing-service/domain'
import { unreadable, type Document, type DocumentStore, type PortFailure } from '@publishing-service/ports'
import { capacityLog } from './capacity-log.js'
import { loggedCall } from './logged-call.js'
import type { Ports } from './ports.js'
import { createWriteCounters, type WriteCounters } from './write-counters.js'

type Call = 'get' | 'getMany' | 'find' | 'findTexts' | 'countGroups' | 'insert' | 'replace' | 'remove'

type WithoutInstance<F> = F extends (
  collection: infer C,
  instance: number,
  ...rest: infer R extends readonly unknown[]
) => infer A
  ? (collection: C, ...rest: R) => A
  : never

/** The documents of one instance. Other instances cannot be addressed through it. */
export type InstanceDocuments = { readonly [C in Call]: WithoutInstance<DocumentStore[C]> }

/** The documents of one instance. `onRead` receives each collection before it is read. */
export const documentsIn = (
  store: DocumentStore,
  instance: number,
  onRead: (collection: string) => void = () => undefined,
): InstanceDocuments => ({
  get: (collection, id) => {
    onRead(collection)
    return store.get(collection, instance, id)
  },
  getMany: (collection, ids, detail) => {
    onRead(collection)
    return store.getMany(collection, instance, ids, detail)
  },
  find: (collection, query) => {
    onRead(collection)
    return store.find(collection, instance, query)
  },
  findTexts: (collection, query) => {
    onRead(collection)
    return store.findTexts(collection, instance, query)
  },
  countGroups: (collection, key, within) => {
    onRead(collection)
    return store.countGroups(collection, instance, key, within)
  },
  insert: (collection, document) => store.insert(collection, instance, document),
  replace: (collection, document) => store.replace(collection, instance, document),
  remove: (collection, id, version) => store.remove(collection, instance, id, version),
})

/** A stored document is damaged. This is a defect, because clients of the API cannot resolve it. */
export class UnreadableDocument extends Error {
  constructor(collection: string, instance: number, id: string) {
    super(`The stored document ${id} of ${collection} on instance ${instance} is damaged and cannot be read`)
  }
}

const isDamaged = ({ value }: Document): boolean => value === unreadable

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

  // Other requests are served between the reads of one request, even if the store reads synchronously.
  const reading =
    <A>(
      call: string,
      collection: string,
      instance: number,
      read: TaskEither<PortFailure, A>,
      accept: (found: A) => A,
    ): TaskEither<PortFailure, A> =>
    async () => {
      await clock.turn()
      const outcome = await logged({ call, collection, instance }, read)()
      return E.isLeft(outcome) ? outcome : E.right(accept(outcome.right))
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
        const outcome = await logged({ call, collection, instance }, write)()
        if (!urgent) observeCapacity(outcome)
        return outcome
      } finally {
        count(instance, collection)
      }
    }

  const variant = (isStrict: boolean): DocumentStore => {
    /** Whether documents are damaged, which is logged, or is a defect. */
    const findDamaged = (collection: string, instance: number, documents: readonly Document[]): boolean => {
      let isAny = false
      for (const document of documents) {
        if (!isDamaged(document)) continue
        if (isStrict) throw new UnreadableDocument(collection, instance, document.id)
        log.write('error', 'unreadable document', { collection, instance, id: document.id })
        isAny = true
      }
      return isAny
    }
    return {
      get: (collection, instance, id) =>
        reading('get', collection, instance, store.get(collection, instance, id), (found) => {
          if (found !== null && isDamaged(found)) throw new UnreadableDocument(collection, instance, id)
          return found
        }),
      getMany: (collection, instance, ids, detail) =>
        reading('getMany', collection, instance, store.getMany(collection, instance, ids, detail), (found) =>
          findDamaged(collection, instance, found) ? found.filter((each) => !isDamaged(each)) : found,
        ),
      find: (collection, instance, query) =>
        reading('find', collection, instance, store.find(collection, instance, query), (page) => {
          findDamaged(collection, instance, page.documents)
          return page
        }),
      findTexts: (collection, instance, query) =>
        reading('findTexts', collection, instance, store.findTexts(collection, instance, query), (page) => {
          findDamaged(collection, instance, [...new Set(page.texts.map(({ document }) => document))])
          return page
        }),
      countGroups: (collection, instance, key, within) =>
        reading(
          'countGroups',
          collection,
          instance,
          store.countGroups(collection, instance, key, within),
          (counts) => counts,
        ),
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
