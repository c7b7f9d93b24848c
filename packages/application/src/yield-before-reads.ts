import type { TaskEither } from '@publishing-service/domain'
import type { Clock, DocumentStore } from '@publishing-service/ports'

/**
 * A store that yields to the event loop before each read. So other requests are served between the reads of one
 * request, even if the store reads synchronously.
 */
export const yieldBeforeReads = (store: DocumentStore, { turn }: Pick<Clock, 'turn'>): DocumentStore => {
  const yielding =
    <F, A>(read: TaskEither<F, A>): TaskEither<F, A> =>
    async () => {
      await turn()
      return read()
    }
  return {
    ...store,
    get: (collection, instance, id) => yielding(store.get(collection, instance, id)),
    getMany: (collection, instance, ids, detail) =>
      yielding(store.getMany(collection, instance, ids, detail)),
    find: (collection, instance, query) => yielding(store.find(collection, instance, query)),
    findTexts: (collection, instance, query) => yielding(store.findTexts(collection, instance, query)),
    countGroups: (collection, instance, key, within) =>
      yielding(store.countGroups(collection, instance, key, within)),
  }
}
