import { E, type Either } from '@publishing-service/domain/fp'
import type { BlobStore, Log } from '@publishing-service/ports'

type Failed = {
  readonly _tag: string
  readonly storageFull?: true
  readonly part?: string
  readonly reason?: string
}

/** Logs once when a store has no space left for writes, and once when it has space again, by the outcomes of writes. */
export const capacityLog = (log: Log): ((outcome: Either<Failed, unknown>) => void) => {
  let part: string | null = null
  return (outcome) => {
    if (E.isRight(outcome)) {
      if (part !== null) log.write('info', 'storage has space again', { part })
      part = null
    } else if (outcome.left.storageFull === true && part === null) {
      part = outcome.left.part ?? ''
      log.write('error', 'storage full', { part, reason: outcome.left.reason })
    }
  }
}

/** A blob store that logs this. */
export const withCapacityLog = (blobs: BlobStore, log: Log): BlobStore => {
  const observeCapacity = capacityLog(log)
  return {
    ...blobs,
    write:
      (...call) =>
      async () => {
        const outcome = await blobs.write(...call)()
        observeCapacity(outcome)
        return outcome
      },
    check: () => async () => {
      const outcome = await blobs.check()()
      observeCapacity(outcome)
      return outcome
    },
  }
}
