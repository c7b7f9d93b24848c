import type { TaskEither } from '@publishing-service/domain'
import type { Clock, DocumentStore } from '@publishing-service/ports'

/**
 * The same store, with a turn of the event loop before each read: a use case that reads in steps lets others be served
 * in between, also where the store reads on the calling thread.
 */
export const readInTurns = (store: DocumentStore, { turn }: Pick<Clock, 'turn'>): DocumentStore => {
  const exclusively =
    <F, A>(read: TaskEither<F, A>): TaskEither<F, A> =>
    async () => {
      await turn()
      return read()
    }
  return {
    ...store,
    get: (collection, instance, id) => exclusively(store.get(collection, instance, id)),
    getMany: (collection, instance, ids, detail) =>
      exclusively(store.getMany(collection, instance, ids, detail)),
    find: (collection, instance, query) => exclusively(store.find(collection, instance, query)),
    tally: (collection, instance, key, within) => exclusively(store.tally(collection, instance, key, within)),
  }
}
