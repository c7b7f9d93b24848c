import type { TaskEither } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { systemCollections, systemInstance } from './collections.js'

/**
 * Counts the writes of this process by instance and collection: what was computed from a collection is still right
 * while its number is the same. Writes of other processes aren't counted; who caches results bounds their age.
 */
export type WriteCounters = {
  /** The live counter: hold it, and compare its value with the one you saw. */
  readonly of: (instance: number, collection: string) => WriteCounter
}

export type WriteCounter = { readonly value: number }

/** The same store, counting its writes. */
export const countWrites = (
  store: DocumentStore,
): { readonly documents: DocumentStore; readonly generations: WriteCounters } => {
  const counters = new Map<string, { value: number }>()
  const counter = (instance: number, collection: string) => {
    const name = `${instance}/${collection}`
    let found = counters.get(name)
    if (found === undefined) counters.set(name, (found = { value: 0 }))
    return found
  }
  const counted =
    <F, A>(instance: number, collection: string, write: TaskEither<F, A>): TaskEither<F, A> =>
    async () => {
      try {
        return await write()
      } finally {
        counter(instance, collection).value += 1
      }
    }
  return {
    generations: { of: counter },
    documents: {
      ...store,
      insert: (collection, instance, document) =>
        counted(instance, collection, store.insert(collection, instance, document)),
      replace: (collection, instance, document) =>
        counted(instance, collection, store.replace(collection, instance, document)),
      remove: (collection, instance, id, version) =>
        counted(instance, collection, store.remove(collection, instance, id, version)),
    },
  }
}

/** The counter of everything that instances decide: settings and website. */
export const settingsCounter = (generations: WriteCounters): WriteCounter =>
  generations.of(systemInstance, systemCollections.instances.name)
