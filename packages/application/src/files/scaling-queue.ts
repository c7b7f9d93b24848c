import {
  E,
  placesOfClient,
  type Either,
  type ImageLimits,
  type Problem,
  type TaskEither,
} from '@publishing-service/domain'
import type { Clock } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
// Pinned to 9: 10 needs Node 22.
import PQueue from 'p-queue'
import { entryLimit } from '../entry-limit.js'

/** Who wants an image scaled: a client, by its name, on an instance. */
export type Requester = { readonly instance: number; readonly client: string }

export type QueuedJob<F, A> = {
  readonly result: Promise<Either<F | Problem, A>>
  /** Another requester wants the same: while the job waits, it takes the turn of whichever of them comes first. */
  readonly join: (requester: Requester) => void
}

type Waiting = { readonly requesters: Requester[]; readonly start: () => Promise<void> }

/** In seconds: some jobs have ended by then. */
const retryAfter = 5
const full: Problem = { _tag: 'Unavailable', retryAfter }
const overShare: Problem = { _tag: 'TooManyRequests', retryAfter }

/** In milliseconds. With the time of a job it is less than servers and clients keep a silent connection for. */
const maxWait = 60_000

/** Instances and clients whose last turn is remembered. */
const cachedTurns = 10_000

/**
 * Runs a number of jobs at the same time and lets a number wait. Instances take turns, and within an instance its
 * clients do, so a client with many jobs delays another by one job. A client holds at most its share of the waiting
 * places; what is over it is rejected with TooManyRequests, what finds every place taken with Unavailable.
 */
export const createScalingQueue = (clock: Clock, parallel: number, limits: ImageLimits) => {
  const workers = new PQueue({ concurrency: parallel })
  const waiting = new Set<Waiting>()
  const lastTurns = new LRUCache<string, number>(entryLimit(cachedTurns))
  let turns = 0

  const instanceName = ({ instance }: Requester): string => String(instance)
  const clientName = ({ instance, client }: Requester): string => `${instance} ${client}`
  const lastTurn = (name: string): number => lastTurns.get(name) ?? 0

  const isBefore = (one: Requester, other: Requester): boolean =>
    one.instance === other.instance
      ? lastTurn(clientName(one)) < lastTurn(clientName(other))
      : lastTurn(instanceName(one)) < lastTurn(instanceName(other))

  const isOverShare = ({ client }: Requester): boolean => {
    let held = 0
    for (const { requesters } of waiting) if (requesters.some((each) => each.client === client)) held += 1
    return held >= placesOfClient(limits)
  }

  /** Removes the job whose turn it is: that of the requester who has waited longest for a turn, the oldest of it first. */
  const removeNext = (): Waiting | null => {
    let next: readonly [Waiting, Requester] | null = null
    for (const job of waiting)
      for (const requester of job.requesters)
        if (next === null || isBefore(requester, next[1])) next = [job, requester]
    if (next === null) return null
    const [job, requester] = next
    waiting.delete(job)
    turns += 1
    lastTurns.set(instanceName(requester), turns)
    lastTurns.set(clientName(requester), turns)
    return job
  }

  const rejection = (requester: Requester): Problem | null => {
    if (workers.pending < parallel) return null
    if (isOverShare(requester)) return overShare
    return waiting.size >= limits.queue ? full : null
  }

  return {
    /** Queues a job; on the left why it isn't taken. */
    add: <F, A>(requester: Requester, task: TaskEither<F, A>): Either<Problem, QueuedJob<F, A>> => {
      const problem = rejection(requester)
      if (problem !== null) return E.left(problem)
      const queuedAt = clock.monotonic()
      const requesters = [requester]
      const result = new Promise<Either<F | Problem, A>>((resolve, reject) => {
        const start = (): Promise<void> =>
          clock.monotonic() - queuedAt > maxWait
            ? Promise.resolve(resolve(E.left(full)))
            : task().then(resolve, reject)
        waiting.add({ requesters, start })
        // A slot that gets free runs whichever job is next by then.
        void workers.add(async () => removeNext()?.start())
      })
      const isJoined = ({ instance, client }: Requester): boolean =>
        requesters.some((each) => each.instance === instance && each.client === client)
      return E.right({
        result,
        join: (other) => {
          if (!isJoined(other) && !isOverShare(other)) requesters.push(other)
        },
      })
    },
  }
}
