import type { TaskEither } from '@publishing-service/domain'
import type { Document, DocumentStore, PortFailure } from '@publishing-service/ports'

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
  get: (collection, id): TaskEither<PortFailure, Document | null> => {
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
