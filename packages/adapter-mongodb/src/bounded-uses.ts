/**
 * Uses of the database, each with an end: it answers, or fails when its time is up. What the driver still has under
 * way then ends by the driver's own limits; a write among it may yet happen, as after any lost connection.
 */
import { E, type TaskEither } from '@publishing-service/domain'
import { type CountedUses, countedUses, type PortFailure, portFailure } from '@publishing-service/ports'
import { mongodbFailure, indeterminateFailure } from './mongodb-failure.js'

type BoundedUses = Pick<CountedUses, 'use'> & {
  /** Takes no more uses, waits for those under way, then ends the rest; once, however often it is called. */
  readonly close: (end: () => Promise<void>) => Promise<void>
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
  const late = indeterminateFailure(`it did not answer within ${deadline} ms`)

  const withinDeadline =
    <L, A>(run: TaskEither<L, A>): TaskEither<L | PortFailure, A> =>
    () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve(E.left(late)), deadline)
        run()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      })

  /** Each use has answered by then; what the driver never ends is not waited for. */
  const settled = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, deadline)
    })
    await Promise.race([uses.close(), patience])
    clearTimeout(timer)
  }

  return {
    use: (work) => withinDeadline(uses.use(work)),
    close: (end) => {
      closing ??= settled().then(end)
      return closing
    },
  }
}
