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

/** The counters, and the function that counts a write, whether or not it was applied. */
export const createWriteCounters = (): {
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
