/**
 * Uses of the database, each with an end: it answers, or fails when its time is up. What the driver still has under
 * way then ends by the driver's own limits; a write among it may yet happen, as after any lost connection.
 */
import { E, type Either, type TaskEither } from '@publishing-service/domain'
import { type PortFailure, portFailure } from '@publishing-service/ports'
import { mongodbFailure, openFailure } from './mongodb-failure.js'

type BoundedUses = {
  /** A failure of the surroundings is a value; anything else that is thrown is a defect, and thrown on. */
  readonly use: <L, A>(work: () => Promise<Either<L, A>>) => TaskEither<L | PortFailure, A>
  /** Takes no more uses, waits for those under way, then ends the rest; once, however often it is called. */
  readonly close: (end: () => Promise<void>) => Promise<void>
}

const part = 'document store'

/** `deadline` is in milliseconds. */
export const boundedUses = (deadline: number): BoundedUses => {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | null = null
  const late = openFailure(`it did not answer within ${deadline} ms`)

  const withinDeadline = <L, A>(work: Promise<Either<L, A>>): Promise<Either<L | PortFailure, A>> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(E.left(late)), deadline)
      work.then(resolve, reject).finally(() => clearTimeout(timer))
    })

  /** Each use has answered by then; what the driver never ends is not waited for. */
  const settled = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, deadline)
    })
    await Promise.race([Promise.allSettled(underWay), patience])
    clearTimeout(timer)
  }

  return {
    use: (work) => async () => {
      if (closing !== null) return E.left(portFailure(part, 'it is closed'))
      const run = work()
      underWay.add(run)
      void Promise.allSettled([run]).then(() => underWay.delete(run))
      try {
        return await withinDeadline(run)
      } catch (error) {
        const failure = mongodbFailure(error)
        if (failure === null) throw error
        return E.left(failure)
      }
    },
    close: (end) => {
      closing ??= settled().then(end)
      return closing
    },
  }
}
