import { clockTimeIn } from '@publishing-service/domain/time'

/**
 * The next times at which the public sees objects differently, by instance, as far as this process knows: those that it has
 * read, and those of the objects that it has written since.
 */
export class Schedule {
  readonly #next = new Map<number, { readonly zone: string; time: string | null }>()

  /** Forgets the next time of an instance, before it is read again. */
  begin(instance: number, zone: string): void {
    this.#next.set(instance, { zone, time: null })
  }

  /** A time of an object, on the clock of its instance. One that has passed at `now`, in milliseconds, is ignored. */
  note(instance: number, time: string, now: number): void {
    const known = this.#next.get(instance)
    if (known === undefined || (known.time !== null && time >= known.time)) return
    if (time > clockTimeIn(known.zone, now)) known.time = time
  }

  /** Whether the next time of an instance was read, on the clock of this zone. */
  knows(instance: number, zone: string): boolean {
    return this.#next.get(instance)?.zone === zone
  }

  /** The instances whose next time is reached. */
  due(now: number): ReadonlySet<number> {
    const due = new Set<number>()
    for (const [instance, { zone, time }] of this.#next)
      if (time !== null && time <= clockTimeIn(zone, now)) due.add(instance)
    return due
  }
}
