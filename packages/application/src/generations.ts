import type { TaskEither } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'

/**
 * Counts the writes of this process by instance and collection: what was computed from a collection is still right
 * while its number stands. Writes of other processes aren't counted; whoever keeps results bounds their age.
 */
export type Generations = {
  readonly of: (instance: number, collection: string) => number
}

/** The same store, counting its writes. */
export const countWrites = (store: DocumentStore): { readonly documents: DocumentStore; readonly generations: Generations } => {
  const numbers = new Map<string, number>()
  const raise = (instance: number, collection: string) => {
    const name = `${instance}/${collection}`
    numbers.set(name, (numbers.get(name) ?? 0) + 1)
  }
  const counted = <F, A>(instance: number, collection: string, write: TaskEither<F, A>): TaskEither<F, A> => async () => {
    try {
      return await write()
    } finally {
      raise(instance, collection)
    }
  }
  return {
    generations: { of: (instance, collection) => numbers.get(`${instance}/${collection}`) ?? 0 },
    documents: {
      ...store,
      insert: (collection, instance, document) => counted(instance, collection, store.insert(collection, instance, document)),
      replace: (collection, instance, document) =>
        counted(instance, collection, store.replace(collection, instance, document)),
      remove: (collection, instance, id, version) =>
        counted(instance, collection, store.remove(collection, instance, id, version)),
    },
  }
}
