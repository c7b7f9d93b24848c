import type { TaskEither } from '@publishing-service/domain'
import type { Clock, DocumentStore } from '@publishing-service/ports'

/**
 * The same store, which yields to the event loop before each read: requests are served between the steps of one that
 * reads in steps, also where the store reads on the calling thread.
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
    tally: (collection, instance, key, within) => yielding(store.tally(collection, instance, key, within)),
  }
}
