/**
 * Runs the jobs of a collection, one after another, the oldest first. One process of all those on a store does that; after its
 * end another one goes on with the job that was running.
 */
import type { Document } from '@publishing-service/ports'
import { systemInstance } from '../collections.js'
import type { InstanceDocuments } from '../instance-store.js'
import { createLease, leaseTime, type Work } from '../lease.js'
import type { Ports } from '../ports.js'
import { onWrite, type WriteCounters } from '../write-counters.js'
import { forEachPage } from '../engine/for-each-page.js'
import { removeStored } from '../engine/remove-stored.js'

/** Milliseconds between two looks at what other processes have written. */
const idleInterval = 30_000

const oldestFirst = [{ key: 'created', direction: 'asc' }] as const

export type JobCollection = {
  readonly name: string
  readonly work: Work
}

/** The jobs of one collection, in the steps that the process asks for. */
export class JobQueue {
  readonly #lease
  readonly #endWrites: () => void
  #wake = (): void => undefined
  #isStopped = false
  #running: Promise<void> | null = null

  constructor(
    private readonly documents: InstanceDocuments,
    { clock, ids }: Pick<Ports, 'clock' | 'ids'>,
    writeCounters: WriteCounters,
    private readonly collection: JobCollection,
    /** Runs a job to its end, or until the queue is not active. What it throws is tried again later. */
    private readonly run: (document: Document) => Promise<void>,
  ) {
    this.#lease = createLease(documents, clock, ids.uuid, collection.work)
    this.#endWrites = onWrite(writeCounters.of(systemInstance, collection.name), () => this.#wake())
  }

  /** Whether the job that runs may go on here. */
  isActive(): boolean {
    return !this.#isStopped && this.#lease.isHeld()
  }

  /** The job that is run next: one that was running before, or the one that has waited longest. */
  async #next(): Promise<Document | null> {
    for (const state of ['running', 'waiting']) {
      const query = {
        where: [{ key: 'state', equals: state }],
        order: oldestFirst,
        skip: 0,
        limit: 1,
        detail: 'full',
      } as const
      const [found] = (await this.documents.find(this.collection.name, query)).documents
      if (found !== undefined) return found
    }
    return null
  }

  /** Runs the next job, if another process does not. Returns the milliseconds after which to look again. */
  async step(): Promise<number> {
    if (this.#isStopped) return idleInterval
    const next = await this.#next()
    if (next === null) {
      await this.#lease.release()
      return idleInterval
    }
    if (!(await this.#lease.hold())) return leaseTime / 3
    const running = this.run(next)
    this.#running = running
    try {
      await running
    } finally {
      this.#running = null
    }
    return 0
  }

  /** Renews the lease while a job runs. Called more often than every third of `leaseTime`. */
  async renew(): Promise<void> {
    if (this.#running !== null) await this.#lease.hold()
  }

  /** Calls a function when there is something to do before. */
  onWake(called: () => void): void {
    this.#wake = called
  }

  /** Begins nothing any more, and interrupts the job that runs: another process goes on with it, or the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endWrites()
    await this.#running?.catch(() => undefined)
    await this.#lease.release()
  }

  /** Deletes jobs that were removed, or have ended before a time, each after what belongs to it. Returns their number. */
  async expire(before: number, removeParts: (document: Document) => Promise<void>): Promise<number> {
    const { documents, collection } = this
    let removed = 0
    for (const where of [
      [{ key: 'removed', equals: true }],
      [
        { key: 'ended', above: -1 },
        { key: 'ended', below: before },
      ],
    ])
      await forEachPage({ documents, collection: collection.name, where, limit: 100 }, async (page) => {
        for (const document of page) {
          await removeParts(document)
          await removeStored(documents, collection.name, document.id)
          removed += 1
        }
      })
    return removed
  }
}
