import { systemCollections, systemInstance } from './collections.js'

/**
 * Counts the writes of this process by instance and collection, and those of other processes that the store notifies this
 * one of. A result that was computed from a collection is valid while its counter is unchanged. A notification can be lost,
 * and most stores have none, so caches of results limit their age.
 */
export class WriteCounters {
  readonly #counters = new Map<string, { value: number }>()
  readonly #listeners = new Set<() => void>()

  /** The current counter. Callers compare its value with the one that they read before. */
  of(instance: number, collection: string): { value: number } {
    const name = `${instance}/${collection}`
    let found = this.#counters.get(name)
    if (found === undefined) this.#counters.set(name, (found = { value: 0 }))
    return found
  }

  /** Counts a write, whether or not it was applied. */
  count(instance: number, collection: string): void {
    this.of(instance, collection).value += 1
    if (collection === systemCollections.audit.name) for (const called of this.#listeners) called()
  }

  /** Calls a function after each write of a change record. Returns a function that ends it. */
  onRecord(called: () => void): () => void {
    this.#listeners.add(called)
    return () => this.#listeners.delete(called)
  }

  /** Counts a write to every collection, after a time in which the writes of other processes were unknown. */
  countAll(): void {
    for (const counter of this.#counters.values()) counter.value += 1
  }
}

export type WriteCounter = { readonly value: number }

/** The write counters of the collections that a result was computed from, with their values before the read. */
export type Dependencies = ReadonlyMap<WriteCounter, number>

/** The counter of all instances and their settings. */
export const settingsCounter = (counters: WriteCounters): WriteCounter =>
  counters.of(systemInstance, systemCollections.instances.name)
