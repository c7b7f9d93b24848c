import {
  clientAddress,
  clientNetworks,
  failuresPerAddress,
  forEachNetwork,
  successMemory,
} from '@publishing-service/access'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { Clock, PortFailure, Secrets, SecretsBusy } from '@publishing-service/ports'
import { fail, throwIf } from '../attempt.js'
import { createAttemptLimit, type AttemptOutcome } from './attempt-limit.js'
import { busy, createGuessQueue, maxNames } from './guess-queue.js'
import { WindowCounts } from './rate-limits.js'
import { createSharedAttempts } from './shared-attempts.js'
import type { SharedRates } from './shared-rates.js'

/** Attempts of one address that are verified or wait to be verified at a time. */
const parallelByAddress = 8

const waitIf = (retryAfter: number | null): void =>
  throwIf(retryAfter === null ? null : { _tag: 'TooManyRequests', retryAfter })

/** What hashing or verifying a secret returns; throws Unavailable if too many wait for that. */
export const unlessBusy = async <A>(task: TaskEither<PortFailure | SecretsBusy, A>): Promise<A> => {
  const done = await task()
  if (E.isRight(done)) return done.right
  fail(done.left._tag === 'SecretsBusy' ? busy : done.left)
}

/**
 * Runs an attempt to show a secret of an account or key, within the limits of failures with it and of the networks of the address
 * (docs/behaviour/access.md#failed-attempts). Returns null if the secret is wrong, as the attempt does. Throws
 * TooManyRequests beyond the limits, and Unavailable if too many others come first.
 */
export type LimitGuesses = <A>(
  address: string,
  name: string,
  attempt: () => Promise<A | null>,
) => Promise<A | null>

/** Runs an attempt as LimitGuesses does, within one limit, which is of a person or of a known browser. */
type LimitNamed = <A>(name: string, attempt: () => Promise<A | null>) => Promise<A | null>

export type GuessLimits = {
  readonly limitGuesses: LimitGuesses
  /** For the password of a person in a known browser. Failures elsewhere do not count. */
  readonly limitKnown: LimitNamed
  /** For one-time codes, over all addresses. */
  readonly limitCodes: LimitNamed
}

type Limit = ReturnType<typeof createAttemptLimit>

/** Runs an attempt within a limit; null is a failure. A success resets the failures only with `isReset`. */
const within = async <A>(
  limit: Limit,
  { name, most, isReset = false }: { name: string; most?: number; isReset?: boolean },
  attempt: () => Promise<A | null>,
): Promise<A | null> => {
  waitIf(await limit.start(name, most))
  let outcome: AttemptOutcome = 'undecided'
  try {
    const result = await attempt()
    if (result === null) outcome = 'failed'
    else if (isReset) outcome = 'succeeded'
    return result
  } finally {
    limit.end(name, outcome)
  }
}

export const createGuessLimits = (
  clock: Clock,
  secrets: Pick<Secrets, 'digest'>,
  shared: Pick<SharedRates, 'share'>,
): GuessLimits => {
  const failures = createAttemptLimit(createSharedAttempts(clock, shared, 'failures'))
  const ofNetworks = forEachNetwork((policy) =>
    createAttemptLimit(
      createSharedAttempts(clock, shared, policy),
      policy === 'failures_of_address' ? parallelByAddress : Infinity,
    ),
  )
  const ofAccount = createSharedAttempts(clock, shared, 'failures_of_account')
  const ofBrowser = createAttemptLimit(
    createSharedAttempts(clock, shared, 'failures_of_browser'),
    parallelByAddress,
  )
  const codes = createAttemptLimit(createSharedAttempts(clock, shared, 'codes'))
  const successes = new WindowCounts(clock, successMemory * 1000, maxNames)
  const inTurn = createGuessQueue(clock)

  return {
    limitGuesses: (remoteAddress, name, attempt) => {
      // Counts are stored, and what is typed in place of a name can be anything.
      const account = secrets.digest(name)
      const pair = secrets.digest(`${clientAddress(remoteAddress)} ${name}`)
      const most = failuresPerAddress(ofAccount.of(account).all)
      const counted = async () => {
        const result = await attempt()
        if (result === null) ofAccount.add(account)
        else {
          // Begins a new window.
          successes.forget(pair)
          successes.count(pair)
        }
        return result
      }
      const networks = clientNetworks(remoteAddress)
      const isTrusted = successes.of(pair).count > 0
      const queued = () =>
        inTurn({ names: isTrusted ? [pair] : networks.map((each) => each.name), isTrusted }, counted)
      // Failures of others in its networks do not count for a trusted attempt. A success resets none of them.
      const limited = isTrusted
        ? queued
        : networks.reduce(
            (task, { policy, name: network }) =>
              () =>
                within(ofNetworks[policy], { name: network }, task),
            queued,
          )
      return within(failures, { name: pair, most, isReset: true }, limited)
    },
    limitKnown: (name, attempt) =>
      within(ofBrowser, { name, isReset: true }, () => inTurn({ names: [name], isTrusted: true }, attempt)),
    limitCodes: (name, attempt) => within(codes, { name }, attempt),
  }
}
