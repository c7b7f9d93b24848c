/** Logs when a store has no space left. */
import { E, type Either } from '@publishing-service/domain/fp'
import type { BlobStore, Log } from '@publishing-service/ports'

type Failed = {
  readonly _tag: string
  readonly storageFull?: true
  readonly part?: string
  readonly reason?: string
}

/** Logs once when a store has no space left for writes, and once when it has space again, by the outcomes of writes. */
export class CapacityLog {
  /** The part of the store that has no space; null while there is space. */
  fullPart: string | null = null
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  observe(outcome: Either<Failed, unknown>): void {
    if (E.isRight(outcome)) {
      if (this.fullPart !== null) this.#log.write('info', 'storage has space again', { part: this.fullPart })
      this.fullPart = null
    } else if (outcome.left.storageFull === true && this.fullPart === null) {
      const { part = '', reason } = outcome.left
      this.fullPart = part
      this.#log.write('error', 'storage full', { part, reason })
    }
  }
}

/** A blob store that logs this. */
export const withCapacityLog = (blobs: BlobStore, log: Log): BlobStore => {
  const capacity = new CapacityLog(log)
  return {
    ...blobs,
    write:
      (...call) =>
      async () => {
        const outcome = await blobs.write(...call)()
        // As with documents: what is no news is not looked at.
        if (E.isLeft(outcome) || capacity.fullPart !== null) capacity.observe(outcome)
        return outcome
      },
    check: () => async () => {
      const outcome = await blobs.check()()
      capacity.observe(outcome)
      return outcome
    },
  }
}
