import { E, isJsonObject, TE, type JsonObject, type Problem, type Role } from '@publishing-service/domain'
import { systemCollections, systemInstance } from '../collections.js'
import type { Failure, Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { createAttemptLimit } from './attempt-limit.js'
import { rolesOf } from './principals.js'

export type TokenRequest = {
  readonly grantType: string | undefined
  readonly apiKey: string | undefined
  readonly apiSecret: string | undefined
  /** Where the request comes from; failures are counted by it. */
  readonly address: string
}

export type TokenGrant = {
  readonly accessToken: string
  /** Seconds */
  readonly expiresIn: number
  /** Ordered by instance. */
  readonly roles: readonly { readonly instance: number; readonly roles: readonly Role[] }[]
}

/** Seconds that an access token holds (specification, Limits). */
export const tokenLifetime = 86_400

const minute = 60_000
const failuresByKey = 10
const failuresByAddress = 100

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

/**
 * Exchanges a key and its secret for an access token (specification, Authentication; decisions §5.5). An unknown key
 * and a wrong secret get the same answer after the same work; who fails too often waits.
 */
export const createExchangeToken = ({
  documents,
  clock,
  ids,
  secrets,
}: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>) => {
  const byKey = createAttemptLimit(clock, failuresByKey, minute)
  const byAddress = createAttemptLimit(clock, failuresByAddress, minute)

  const grant = async (key: JsonObject, apiKey: string): Promise<E.Either<Failure, TokenGrant>> => {
    const user = await documents.get(users.name, systemInstance, String(key['user']))()
    if (E.isLeft(user)) return user
    const held =
      user.right === null ? [] : [...rolesOf(user.right.value)].filter(([, roles]) => roles.length > 0)
    if (held.length === 0) return E.left({ _tag: 'InvalidClient' } as const)
    const accessToken = ids.secret()
    const value = { key: apiKey, expires: clock.now() + tokenLifetime * 1000 }
    const stored = await documents.insert(tokens.name, systemInstance, {
      id: secrets.digest(accessToken),
      unique: null,
      value,
    })()
    if (E.isLeft(stored)) {
      if (stored.left._tag === 'PortFailure') return E.left(stored.left)
      throw new Error(`a new token was refused: ${stored.left._tag}`)
    }
    const roles = held
      .map(([instance, each]) => ({ instance, roles: each }))
      .toSorted((a, b) => a.instance - b.instance)
    return E.right({ accessToken, expiresIn: tokenLifetime, roles })
  }

  return (request: TokenRequest): Outcome<TokenGrant> => {
    const problem = missing(request)
    const { apiKey = '', apiSecret = '', address } = request
    if (problem !== null) return TE.left(problem)
    const attempt = `${address} ${apiKey.slice(0, 200)}`
    const wait = byKey.wait(attempt) ?? byAddress.wait(address)
    if (wait !== null) return TE.left({ _tag: 'TooManyRequests', retryAfter: wait })
    return async () => {
      const found =
        apiKey.length > 200 ? E.right(null) : await documents.get(keys.name, systemInstance, apiKey)()
      if (E.isLeft(found)) return found
      const key = found.right?.value ?? null
      const usable = isJsonObject(key) && key['revoked'] === null
      const verified = await secrets.verify(apiSecret, usable ? String(key['secret']) : null)()
      if (E.isLeft(verified))
        return E.left(
          verified.left._tag === 'SecretsBusy'
            ? ({ _tag: 'TooManyRequests', retryAfter: 1 } as const)
            : verified.left,
        )
      if (!verified.right || !usable) {
        byKey.fail(attempt)
        byAddress.fail(address)
        return E.left({ _tag: 'InvalidClient' } as const)
      }
      byKey.succeed(attempt)
      return grant(key, apiKey)
    }
  }
}
