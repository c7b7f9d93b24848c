import { E, type Either } from '@publishing-service/domain'
import type { Log } from '@publishing-service/ports'

type Failed = {
  readonly _tag: string
  readonly storageFull?: true
  readonly part?: string
  readonly reason?: string
}

/** Whether a store is full, by the outcomes of writes. */
export type CapacityLog = {
  /** The part of the store that has no space left; null while it has. */
  full: string | null
  /** Logs once when the store has no space left, and once when it has space again. Successes matter only while it is full. */
  readonly observe: (outcome: Either<Failed, unknown>) => void
}

export const capacityLog = (log: Log): CapacityLog => {
  const capacity: CapacityLog = {
    full: null,
    observe: (outcome) => {
      const { full } = capacity
      if (E.isRight(outcome)) {
        if (full !== null) log.write('info', 'storage has space again', { part: full })
        capacity.full = null
      } else if (outcome.left.storageFull === true && full === null) {
        capacity.full = outcome.left.part ?? ''
        log.write('error', 'storage full', { part: capacity.full, reason: outcome.left.reason })
      }
    },
  }
  return capacity
}
