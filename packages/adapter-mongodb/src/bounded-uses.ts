/**
 * Uses of the database with a deadline. A command that is still running after the deadline ends by the limits of the
 * driver. A write may still be applied then, as after a lost connection.
 */
import { E, type TaskEither } from '@publishing-service/domain/fp'
import { type CountedUses, countedUses, type PortFailure, portFailure } from '@publishing-service/ports'
import { mongodbFailure, indeterminateFailure } from './mongodb-failure.js'

type BoundedUses = Pick<CountedUses, 'use'> & {
  /** Rejects further uses, waits for running ones and then for `rest`, and calls `end`. Idempotent. */
  readonly close: (rest: () => Promise<void>, end: () => Promise<void>) => Promise<void>
}

const closed = portFailure('document store', 'it is closed')

const failureOf = (error: unknown): PortFailure => {
  const failure = mongodbFailure(error)
  if (failure === null) throw error
  return failure
}

/** `deadline` is in milliseconds. */
export const boundedUses = (deadline: number): BoundedUses => {
  const uses = countedUses(closed, failureOf)
  let closing: Promise<void> | null = null
  const late = indeterminateFailure(`it did not respond within ${deadline} ms`)

  const withinDeadline =
    <L, A>(run: TaskEither<L, A>): TaskEither<L | PortFailure, A> =>
    () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve(E.left(late)), deadline)
        run()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      })

  /** Every use has returned by then. Commands that the driver never ends are not awaited. */
  const drained = async (rest: () => Promise<void>): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, deadline)
    })
    await Promise.race([uses.close().then(rest), timeout])
    clearTimeout(timer)
  }

  return {
    use: (work) => withinDeadline(uses.use(work)),
    close: (rest, end) => {
      closing ??= drained(rest).then(end)
      return closing
    },
  }
}
