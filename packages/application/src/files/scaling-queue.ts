import {
  E,
  queuedJobsOfClient,
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

/** The client that requests a scaled image, by name, and its instance. */
export type Requester = { readonly instance: number; readonly client: string }

export type QueuedJob<F, A> = {
  readonly result: Promise<Either<F | Problem, A>>
  /** Adds a requester of the same job. A waiting job runs when the first of its requesters is next. */
  readonly join: (requester: Requester) => void
}

type Waiting = { readonly requesters: Requester[]; readonly start: () => Promise<void> }

/** In seconds: some jobs have ended by then. */
const retryAfter = 5
const full: Problem = { _tag: 'Unavailable', retryAfter }
const overShare: Problem = { _tag: 'TooManyRequests', retryAfter }

/** Milliseconds that a job may wait. Below the idle timeouts of servers and clients. */
const maxWait = 60_000

/** The number of instances and clients whose last turn is cached. */
const cachedTurns = 10_000

/**
 * Runs a limited number of jobs concurrently and queues a limited number. Instances are served round-robin, and so are
 * the clients of an instance, so a client with many jobs delays another by one job. Each client has a share of the
 * queue; jobs beyond it are rejected with TooManyRequests, jobs for a full queue with Unavailable.
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
    return held >= queuedJobsOfClient(limits)
  }

  /** Removes and returns the next job: the oldest of the requester whose last turn is longest ago. */
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
    /** Queues a job; on the left why it is rejected. */
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
        // A free worker runs the job that is next at that time.
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
