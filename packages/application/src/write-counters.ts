import type { TaskEither } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { systemCollections, systemInstance } from './collections.js'

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

/** A store that counts its writes. */
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

/** The counter of all instances and their settings. */
export const settingsCounter = (generations: WriteCounters): WriteCounter =>
  generations.of(systemInstance, systemCollections.instances.name)
