import type { Problem } from '@publishing-service/domain'
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
  maxWaitingForShare,
  queuedJobsOfClient,
  shareWait,
  type ImageLimits,
} from '@publishing-service/domain/images'
import { rateWindow } from '@publishing-service/access'
import type { Clock, Metrics } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
// Pinned to 9: 10 needs Node 22.
import PQueue from 'p-queue'
import { entryLimit } from '../entry-limit.js'

/** The client that requests a scaled image, by name, and its instance. */
export type Requester = {
  readonly instance: number
  readonly client: string
  /** Whether the request has no token. */
  readonly isAnonymous: boolean
}

export type QueuedJob<F, A> = {
  readonly result: Promise<Either<F | Problem, A>>
  /** Adds a requester of the same job. A waiting job runs when the first of its requesters is next. */
  readonly join: (requester: Requester) => void
}

type Waiting = {
  readonly requesters: Requester[]
  readonly queuedAt: number
  readonly start: () => Promise<void>
  readonly reject: (problem: Problem) => void
}

/** In seconds: some jobs have ended by then. */
const retryAfter = 5
const full: Problem = { _tag: 'Unavailable', retryAfter }
const overShare: Problem = { _tag: 'TooManyRequests', retryAfter }

/** Milliseconds that a job may wait. Below the idle timeouts of servers and clients. */
const maxWait = 60_000

/** The most tasks that wait for times in which no client waits. */
const mostInBackground = 2000

/** Of tasks that no client waits for, below that of the others. */
const backgroundPriority = -1

/** The number of instances and clients whose last turn is cached: more than can wait at a time. */
const cachedTurns = 4096

/** The number of clients whose new images are counted. */
const countedClients = 50_000

/**
 * Runs a limited number of jobs concurrently and queues a limited number. Instances are served round-robin, and so are
 * the clients of an instance, so a client with many jobs delays another by one job. Each client has a share of the
 * queue; jobs beyond it wait for a place in it, and are rejected with TooManyRequests after `shareWait`. Jobs for a full
 * queue are rejected with Unavailable. Clients without a token may queue a limited number of jobs in a window
 * (docs/behaviour/files.md#scaling-queue). Tasks in the background run when no job waits.
 */
export const createScalingQueue = (clock: Clock, metrics: Metrics, parallel: number, limits: ImageLimits) => {
  const workers = new PQueue({ concurrency: parallel })
  /** One at a time, so that one worker at most is busy with it when a client comes. */
  const background = new PQueue({ concurrency: 1 })
  const waiting = new Set<Waiting>()
  /** Jobs that wait for the shares of their clients, oldest first. */
  const beyondShare = new Set<Waiting>()
  const newImages = new LRUCache<string, { readonly count: number; readonly until: number }>(
    entryLimit(countedClients),
  )
  const lastTurns = new LRUCache<string, number>({ max: cachedTurns })
  let turns = 0
  metrics.level('scalingQueue', () => waiting.size + beyondShare.size)

  const lastTurn = (name: string): number => lastTurns.get(name) ?? 0

  const isBefore = (one: Requester, other: Requester): boolean =>
    one.instance === other.instance
      ? lastTurn(one.client) < lastTurn(other.client)
      : lastTurn(String(one.instance)) < lastTurn(String(other.instance))

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
    lastTurns.set(String(requester.instance), turns)
    lastTurns.set(requester.client, turns)
    return job
  }

  const enqueue = (job: Waiting): void => {
    waiting.add(job)
    // A free worker runs the job that is next at that time.
    void workers.add(async () => {
      const next = removeNext()
      admit()
      await next?.start()
    })
  }

  /** Queues the jobs for which there is a place now, and rejects those that have waited too long for one. */
  const admit = (): void => {
    for (const job of beyondShare) {
      const isLate = clock.monotonic() - job.queuedAt > shareWait * 1000
      if (!isLate && (waiting.size >= limits.queue || job.requesters.every(isOverShare))) continue
      beyondShare.delete(job)
      if (isLate) job.reject(overShare)
      else enqueue(job)
    }
  }

  /** Counts a new image of a client without a token; the problem if it has too many in this window. */
  const countNew = (client: string): Problem | null => {
    const now = clock.monotonic()
    const found = newImages.get(client)
    const { count, until } =
      found !== undefined && found.until > now ? found : { count: 0, until: now + rateWindow * 1000 }
    if (count >= limits.newForAddress)
      return { _tag: 'TooManyRequests', retryAfter: Math.ceil((until - now) / 1000) }
    newImages.set(client, { count: count + 1, until })
    return null
  }

  return {
    /** Runs a task while no job waits, if not too many tasks do. It must not reject. */
    addInBackground: (task: () => Promise<void>): void => {
      if (background.size < mostInBackground)
        void background.add(() => workers.add(task, { priority: backgroundPriority }))
    },
    /** Queues a job; on the left why it is rejected. */
    add: <F, A>(requester: Requester, task: TaskEither<F, A>): Either<Problem, QueuedJob<F, A>> => {
      const isBusy = workers.pending >= parallel
      const waitsForShare = isBusy && isOverShare(requester)
      if (waitsForShare && beyondShare.size >= maxWaitingForShare) return E.left(overShare)
      if (isBusy && !waitsForShare && waiting.size >= limits.queue) return E.left(full)
      const tooMany = requester.isAnonymous ? countNew(requester.client) : null
      if (tooMany !== null) return E.left(tooMany)
      const queuedAt = clock.monotonic()
      const requesters = [requester]
      const result = new Promise<Either<F | Problem, A>>((resolve, reject) => {
        const start = (): Promise<void> => {
          const waited = clock.monotonic() - queuedAt
          metrics.observe('scalingWait', {}, waited)
          return waited > maxWait ? Promise.resolve(resolve(E.left(full))) : task().then(resolve, reject)
        }
        const job = { requesters, queuedAt, start, reject: (why: Problem) => resolve(E.left(why)) }
        if (waitsForShare) beyondShare.add(job)
        else enqueue(job)
      })
      const isJoined = ({ instance, client }: Requester): boolean =>
        requesters.some((each) => each.instance === instance && each.client === client)
      return E.right({
        result,
        join: (other) => {
          if (isJoined(other) || isOverShare(other)) return
          requesters.push(other)
          admit()
        },
      })
    },
  }
}
