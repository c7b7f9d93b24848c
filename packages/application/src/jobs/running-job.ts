import { mostAttempts, type JobState } from '@publishing-service/domain/jobs'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { isPortFailure, putDocument, type Appended, type Document } from '@publishing-service/ports'
import type { InstanceDocuments } from '../instance-store.js'
import type { Ports } from '../ports.js'

/** Milliseconds between two writes of the progress, at least. */
const progressInterval = 500

/** What the queue writes of each job. */
type Job = JsonObject & {
  readonly state: JobState
  readonly problem: string | null
  readonly started: number | null
  readonly ended: number | null
  readonly seconds_left: number | null
  readonly done: number
  readonly attempts: number
}

/** A job that runs, as it is and as it was written last. */
export class RunningJob<J extends Job> {
  readonly id: string
  #version: number
  #value: J
  #written: number
  readonly #doneBefore: number

  constructor(
    { id, version }: Document,
    value: J,
    private readonly collection: string,
    private readonly documents: Pick<InstanceDocuments, 'write'>,
    private readonly clock: Ports['clock'],
  ) {
    this.id = id
    this.#version = version
    this.#value = {
      ...value,
      state: 'running',
      started: value.started ?? clock.now(),
      attempts: value.attempts + 1,
    }
    this.#doneBefore = value.done
    this.#written = clock.monotonic()
  }

  get value(): J {
    return this.#value
  }

  set(change: Partial<J>): void {
    this.#value = { ...this.#value, ...change }
  }

  end(ending: Pick<Job, 'state' | 'problem' | 'ended' | 'seconds_left'>): void {
    this.#value = { ...this.#value, ...ending }
  }

  /** Writes that the job runs. Returns why it does not: it was canceled, or has begun too often without progress. */
  async begin(): Promise<'canceled' | 'too often' | null> {
    if (!(await this.write())) return 'canceled'
    return this.#value.attempts > mostAttempts ? 'too often' : null
  }

  /** Writes that this attempt does not count: it ended because a store has failed, and not the process. */
  async excuse(): Promise<void> {
    this.#value = { ...this.#value, attempts: this.#value.attempts - 1 }
    await this.write().catch(() => undefined)
  }

  /** Whether the progress is to be written. */
  isDue(): boolean {
    return this.clock.monotonic() - this.#written >= progressInterval
  }

  /** Writes the job, and appends documents; false if it was canceled or removed. */
  async write(appended: readonly Appended[] = []): Promise<boolean> {
    if (this.#value.done > this.#doneBefore) this.#value = { ...this.#value, attempts: 1 }
    const document = { id: this.id, unique: null, value: this.#value }
    const change = putDocument(this.collection, document, { version: this.#version }, this.clock)
    if (E.isLeft(await this.documents.write([change], appended))) return false
    this.#version += 1
    this.#written = this.clock.monotonic()
    return true
  }
}

/** Why a job cannot be done, for people. */
export class JobProblem extends Error {}

/** The job was canceled, or is to go on in another process. */
export class JobInterrupted extends Error {}

/**
 * Does the work of a job, and writes how it has ended, with what the work returns. `onEnd` is called then: false if the job was
 * canceled meanwhile. Throws a PortFailure; then the job goes on later.
 */
export const runJob = async <J extends Job>(
  running: RunningJob<J>,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  work: () => Promise<Partial<J>>,
  onEnd: (isWritten: boolean) => Promise<void>,
): Promise<void> => {
  const end = async (problem: string | null, change: Partial<J>): Promise<void> => {
    const state = problem === null ? 'finished' : 'failed'
    running.set(change)
    running.end({ state, problem, ended: clock.now(), seconds_left: null })
    await onEnd(await running.write())
  }
  const hindrance = await running.begin()
  if (hindrance === 'canceled') return
  if (hindrance === 'too often') return end(`the service has ended ${mostAttempts} times while it ran`, {})
  try {
    await end(null, await work())
  } catch (error) {
    if (isPortFailure(error) || error instanceof JobInterrupted) {
      await running.excuse()
      if (isPortFailure(error)) throw error
    } else if (error instanceof JobProblem) await end(error.message, {})
    else {
      log.write('error', 'defect', { reason: error instanceof Error ? error.stack : JSON.stringify(error) })
      await end('an error of the service, which its log describes', {})
    }
  }
}
