/** Work that the service does by itself for an admin, such as an import: its states and its progress. */
import { badParameters, fault, type Problem } from '../fault.js'
import { stored } from '../resource/attribute.js'
import { wordsFilter } from '../resource/collection-filter.js'
import type { Queryable } from '../resource/collection-query.js'
import {
  internal,
  readOnly,
  requiredInternal,
  requiredReadOnly,
  serviceNumber,
  serviceText,
  serviceTime,
  shownId,
  uuidSchema,
} from '../resource/shown-attribute.js'
import { boolean, oneOf } from '../value/scalar.js'

export const jobStates = ['waiting', 'running', 'finished', 'failed', 'canceled'] as const
export type JobState = (typeof jobStates)[number]

/** Whether a job has not ended. */
export const isOpenJob = ({ state }: { readonly state: JobState }): boolean =>
  state === 'waiting' || state === 'running'

/** What every job has. Times are in milliseconds since 1970. */
export const jobAttributes = {
  uuid: shownId(uuidSchema, 'Identifier.'),
  state: stored(
    oneOf(jobStates),
    '`waiting` until earlier ones have ended, then `running`; at the end `finished`, `failed` or `canceled`.',
    requiredReadOnly,
  ),
  problem: stored(serviceText, 'Why it has failed; null if it has not.', readOnly),
  created: stored(serviceTime, 'When it was created, in UTC.', requiredReadOnly),
  started: stored(serviceTime, 'When it began, in UTC; null if it has not.', readOnly),
  ended: stored(serviceTime, 'When it ended, in UTC; null if it has not.', readOnly),
  done: stored(serviceNumber, 'How much is done.', requiredReadOnly),
  total: stored(serviceNumber, 'How much there is to do; null until that is known.', readOnly),
  seconds_left: stored(
    serviceNumber,
    'Seconds until the end, estimated; null while it does not run.',
    readOnly,
  ),
  instance: stored(serviceNumber, 'The instance.', requiredInternal),
  user: stored(serviceText, 'UUID of the API user who has begun it.', internal),
  removed: stored(boolean, 'Whether it is removed with what belongs to it.', requiredInternal),
  attempts: stored(
    serviceNumber,
    'How often it has begun since there was progress: one that ends the process fails after some.',
    requiredInternal,
  ),
} as const

/** A job that has begun so often without progress is not begun again. */
export const mostAttempts = 5

/** A job that was created at a time for a user. */
export const newJob = (instance: number, user: string | null, now: number) =>
  ({
    state: 'waiting',
    problem: null,
    created: now,
    started: null,
    ended: null,
    done: 0,
    total: null,
    seconds_left: null,
    instance,
    user,
    removed: false,
    attempts: 0,
  }) as const

/** Why an instance of which so many jobs wait or run cannot have another one; null if it can. */
export const openJobsProblem = (what: string, open: number, most: number): Problem | null =>
  open < most
    ? null
    : badParameters([
        fault('', 'limit', `would be more than the ${most} ${what} that wait: wait or cancel one`),
      ])

/** The filters of a list of jobs; `what` they are, such as `Imports`. */
export const jobFilters = (what: string): Queryable['filters'] => ({
  state: wordsFilter(
    'state',
    `${what} in these states`,
    Object.fromEntries(jobStates.map((state) => [state, [state]])),
  ),
})

/** Seconds until the end of what has taken so many milliseconds for a part of it; null while nothing is done. */
export const secondsLeft = (elapsed: number, done: number, total: number): number | null =>
  done <= 0 ? null : Math.ceil(((elapsed / done) * Math.max(0, total - done)) / 1000)
