import type { Problem } from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import { clientAddress, tokenSeconds, userOf, type InstanceRoles } from '@publishing-service/domain/access'
import { StoredKey } from '../administration/stored-keys.js'
import { attempt, unwrap, throwIf } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { type Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { createAttemptLimit, type AttemptOutcome } from './attempt-limit.js'
import type { RecordSignIn, SignIn, SignInOutcome, SignInSource } from './record-sign-in.js'
import type { StoredToken } from './stored-token.js'
import { userIn } from './stored-user.js'

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
const waitIf = (retryAfter: number | null): void =>
  throwIf(retryAfter === null ? null : { _tag: 'TooManyRequests', retryAfter })

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

  /** Reports how an attempt ended: `key` is that of an existing key. */
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

  const grant = async ({ user }: StoredKey, apiKey: string, request: TokenRequest): Promise<TokenGrant> => {
    const found = unwrap(await documents.get(users.name, systemInstance, user)())
    const { name, roles, operator } = found === null ? userOf({}) : userIn(found)
    const named = { id: user, name }
    // An operator without roles needs a token for the deployment.
    if (roles.length === 0 && !operator) {
      decide(request, 'no role', apiKey, named)
      throw invalidClient
    }
    const accessToken = ids.secret()
    const value: StoredToken = { key: apiKey, expires: clock.now() + tokenSeconds * 1000 }
    const id = secrets.digest(accessToken)
    const inserted = await documents.insert(tokens.name, systemInstance, { id, unique: null, value })()
    if (E.isLeft(inserted)) {
      if (inserted.left._tag === 'PortFailure') throw inserted.left
      throw new Error(`a new token was rejected: ${inserted.left._tag}`)
    }
    decide(request, 'succeeded', apiKey, named)
    return { accessToken, expiresIn: tokenSeconds, roles }
  }

  /** The key, if the secret matches; null if the key is unknown or revoked, or the secret is wrong. */
  const verify = async (
    apiKey: string,
    apiSecret: string,
    request: TokenRequest,
  ): Promise<StoredKey | null> => {
    const found =
      apiKey.length > 200 ? null : unwrap(await documents.get(keys.name, systemInstance, apiKey)())
    const key = found === null ? null : decodeStored(StoredKey, found)
    const usable = key?.revoked === null ? key : null
    const verified = await secrets.verify(apiSecret, usable === null ? null : usable.secret)()
    const isRight = unwrap(
      E.isLeft(verified) ? E.left(verified.left._tag === 'SecretsBusy' ? busy : verified.left) : verified,
    )
    if (isRight) return usable
    if (key === null) decide(request, 'unknown key', null)
    else decide(request, usable === null ? 'revoked key' : 'wrong secret', apiKey)
    return null
  }

  return (request: TokenRequest): Outcome<TokenGrant> => {
    const problem = missing(request)
    const { apiKey = '', apiSecret = '' } = request
    const address = clientAddress(request.address)
    if (problem !== null) return TE.left(problem)
    return () =>
      attempt(async () => {
        const tried = `${address} ${apiKey.slice(0, 200)}`
        waitIf(await byKey.start(tried))
        let outcome: AttemptOutcome = 'undecided'
        try {
          waitIf(await byAddress.start(address))
          try {
            const key = await verify(apiKey, apiSecret, request)
            outcome = key === null ? 'failed' : 'succeeded'
            if (key === null) throw invalidClient
            return await grant(key, apiKey, request)
          } finally {
            // A success does not reset the failures of other keys from this address.
            byAddress.end(address, outcome === 'failed' ? 'failed' : 'undecided')
          }
        } finally {
          byKey.end(tried, outcome)
        }
      })
  }
}
