import {
  clientAddress,
  E,
  TE,
  tokenSeconds,
  type InstanceRoles,
  type Problem,
} from '@publishing-service/domain'
import { StoredKey } from '../administration/stored-keys.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { Failure, Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { createAttemptLimit, type AttemptOutcome } from './attempt-limit.js'
import type { RecordSignIn, SignIn, SignInOutcome, SignInSource } from './record-sign-in.js'
import type { StoredToken } from './stored-token.js'
import { rolesOf, StoredUser } from './stored-user.js'

export type TokenRequest = SignInSource & {
  readonly grantType: string | undefined
  readonly apiKey: string | undefined
  readonly apiSecret: string | undefined
  /** Receives how the attempt ended, if it was decided. */
  readonly onSignIn?: (signIn: SignIn) => void
}

export type TokenGrant = {
  readonly accessToken: string
  /** Seconds */
  readonly expiresIn: number
  /** Ordered by instance. */
  readonly roles: readonly InstanceRoles[]
}

const minute = 60_000
const failuresByKey = 10
const failuresByAddress = 100
/** Attempts of one address that are verified or wait to be verified at a time. */
const parallelByAddress = 8

const { keys, tokens, users } = systemCollections

const missing = (request: TokenRequest): Problem | null => {
  const { grantType, apiKey, apiSecret } = request
  const names = [
    ...(grantType === undefined ? ['grant_type'] : []),
    ...(apiKey === undefined ? ['api_key'] : []),
    ...(apiSecret === undefined ? ['api_secret'] : []),
  ]
  if (grantType !== undefined && grantType !== 'client_credentials') return { _tag: 'UnsupportedGrantType' }
  if (names.length === 0) return null
  return { _tag: 'InvalidTokenRequest', reason: `the form lacks ${names.join(', ')}` }
}

const invalidClient: Problem = { _tag: 'InvalidClient' }
/** The queue of verifications is full, with attempts of any client. */
const busy: Problem = { _tag: 'Unavailable', retryAfter: 1, part: 'sign-in' }
const tooMany = (retryAfter: number) => E.left<Failure>({ _tag: 'TooManyRequests', retryAfter })

/**
 * Exchanges a key and its secret for an access token (docs/behaviour/access.md#token-request). An unknown key and a
 * wrong secret result in the same response after the same work. After too many failures, a client has to wait.
 */
export const createExchangeToken = (
  { documents, clock, ids, secrets }: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>,
  recordSignIn: RecordSignIn,
) => {
  const byKey = createAttemptLimit(clock, failuresByKey, minute)
  const byAddress = createAttemptLimit(clock, failuresByAddress, minute, parallelByAddress)

  /** Tells how an attempt ended: `key` is that of an existing key. */
  const decide = (
    request: TokenRequest,
    outcome: SignInOutcome,
    key: string | null,
    user: { readonly id: string; readonly name: string } | null = null,
  ): void => {
    const signIn: SignIn = { key, outcome }
    request.onSignIn?.(signIn)
    recordSignIn(signIn, request, user)
  }

  const grant = async (
    key: StoredKey,
    apiKey: string,
    request: TokenRequest,
  ): Promise<E.Either<Failure, TokenGrant>> => {
    const user = await documents.get(users.name, systemInstance, key.user)()
    if (E.isLeft(user)) return user
    const stored = user.right === null ? null : decodeStored(StoredUser, user.right)
    const named = { id: key.user, name: stored?.name ?? '' }
    const roles = stored === null ? [] : rolesOf(stored)
    // An operator without roles needs a token for the deployment.
    if (roles.length === 0 && stored?.operator !== true) {
      decide(request, 'no role', apiKey, named)
      return E.left(invalidClient)
    }
    const accessToken = ids.secret()
    const value: StoredToken = { key: apiKey, expires: clock.now() + tokenSeconds * 1000 }
    const inserted = await documents.insert(tokens.name, systemInstance, {
      id: secrets.digest(accessToken),
      unique: null,
      value,
      urgent: true,
    })()
    if (E.isLeft(inserted)) {
      if (inserted.left._tag === 'PortFailure') return E.left(inserted.left)
      throw new Error(`a new token was rejected: ${inserted.left._tag}`)
    }
    decide(request, 'succeeded', apiKey, named)
    return E.right({ accessToken, expiresIn: tokenSeconds, roles })
  }

  /** The key, if the secret matches; null if the key is unknown or revoked, or the secret is wrong. */
  const verify = async (
    apiKey: string,
    apiSecret: string,
    request: TokenRequest,
  ): Promise<E.Either<Failure, StoredKey | null>> => {
    const found =
      apiKey.length > 200 ? E.right(null) : await documents.get(keys.name, systemInstance, apiKey)()
    if (E.isLeft(found)) return found
    const key = found.right === null ? null : decodeStored(StoredKey, found.right)
    const usable = key?.revoked === null ? key : null
    const verified = await secrets.verify(apiSecret, usable === null ? null : usable.secret)()
    if (E.isLeft(verified)) return E.left(verified.left._tag === 'SecretsBusy' ? busy : verified.left)
    if (verified.right) return E.right(usable)
    if (key === null) decide(request, 'unknown key', null)
    else decide(request, usable === null ? 'revoked key' : 'wrong secret', apiKey)
    return E.right(null)
  }

  return (request: TokenRequest): Outcome<TokenGrant> => {
    const problem = missing(request)
    const { apiKey = '', apiSecret = '' } = request
    const address = clientAddress(request.address)
    if (problem !== null) return TE.left(problem)
    return async () => {
      const attempt = `${address} ${apiKey.slice(0, 200)}`
      const waitForKey = await byKey.start(attempt)
      if (waitForKey !== null) return tooMany(waitForKey)
      let outcome: AttemptOutcome = 'undecided'
      try {
        const waitForAddress = await byAddress.start(address)
        if (waitForAddress !== null) return tooMany(waitForAddress)
        try {
          const verified = await verify(apiKey, apiSecret, request)
          if (E.isLeft(verified)) return verified
          outcome = verified.right === null ? 'failed' : 'succeeded'
          return verified.right === null
            ? E.left(invalidClient)
            : await grant(verified.right, apiKey, request)
        } finally {
          // A success does not reset the failures of other keys from this address.
          byAddress.end(address, outcome === 'failed' ? 'failed' : 'undecided')
        }
      } finally {
        byKey.end(attempt, outcome)
      }
    }
  }
}
