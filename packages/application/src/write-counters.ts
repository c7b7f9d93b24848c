import { systemCollections, systemInstance } from './collections.js'

/**
 * Counts the writes of this process by instance and collection, and those of other processes that the store notifies this
 * one of. A result that was computed from a collection is valid while its counter is unchanged. A notification can be lost,
 * and most stores have none, so caches of results limit their age.
 */
export class WriteCounters {
  readonly #counters = new Map<string, ObservedCounter>()
  #countForeign: () => void = () => undefined
  #tellOthers: ((written: readonly Written[]) => Promise<void>) | null = null

  /** The current counter. Callers compare its value with the one that they read before. */
  of(instance: number, collection: string): ObservedCounter {
    const name = `${instance}/${collection}`
    let found = this.#counters.get(name)
    if (found === undefined) this.#counters.set(name, (found = { value: 0, listeners: new Set() }))
    return found
  }

  /** Counts a write, whether or not it was applied. */
  count(instance: number, collection: string): void {
    const counter = this.of(instance, collection)
    counter.value += 1
    for (const called of counter.listeners) called()
  }

  /** Has a store count what other processes have written, each time that it is asked for. */
  countForeignBy(count: () => void): void {
    this.#countForeign = count
  }

  /** Counts what other processes have written until now, if the store can tell. */
  countForeign(): void {
    this.#countForeign()
  }

  /** Has other processes told of what this one writes. The function resolves when they have counted it. */
  tellOthersBy(tell: (written: readonly Written[]) => Promise<void>): void {
    this.#tellOthers = tell
  }

  /** Counts what this process has written, and resolves when those that are told have counted it too. */
  async countOwn(written: readonly Written[]): Promise<void> {
    for (const [instance, collection] of written) this.count(instance, collection)
    if (this.#tellOthers !== null && written.length > 0) await this.#tellOthers(written)
  }

  /** Counts a write to every collection, after a time in which the writes of other processes were unknown. */
  countAll(): void {
    for (const counter of this.#counters.values()) counter.value += 1
  }
}

/** A collection of an instance that was written. */
export type Written = readonly [instance: number, collection: string]

export type WriteCounter = { readonly value: number }

/** A counter, and what is called after each write that it counts. */
type ObservedCounter = { value: number; readonly listeners: Set<() => void> }

/** The write counters of the collections that a result was computed from, with their values before the read. */
export type Dependencies = ReadonlyMap<WriteCounter, number>

/** Calls a function after each write that is counted. Returns a function that ends it. */
export const onWrite = ({ listeners }: ObservedCounter, called: () => void): (() => void) => {
  listeners.add(called)
  return () => listeners.delete(called)
}

/** The counter of all instances and their settings. */
export const settingsCounter = (counters: WriteCounters): WriteCounter =>
  counters.of(systemInstance, systemCollections.instances.name)
