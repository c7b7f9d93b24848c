import type { DeclaredBy, Problem } from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import { type InstanceRoles, tokenSeconds, type visitorOperations } from '@publishing-service/access'
import { attempt } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { type Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import type { StoredToken } from './stored-token.js'
import type { KeyAttempt, KeyUser, VerifyKey } from './verify-key.js'

export type TokenRequest = Omit<KeyAttempt, 'apiKey' | 'apiSecret'> & {
  readonly grantType: string | undefined
  readonly apiKey: string | undefined
  readonly apiSecret: string | undefined
}

export type TokenGrant = {
  readonly accessToken: string
  /** Seconds */
  readonly expiresIn: number
  /** Ordered by instance. */
  readonly roles: readonly InstanceRoles[]
}

const { tokens } = systemCollections

const missing = (request: TokenRequest): Problem<'UnsupportedGrantType' | 'InvalidTokenRequest'> | null => {
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
 * Exchanges a key and its secret for an access token (docs/behaviour/access.md#token-request). An unknown key and a
 * wrong secret result in the same response after the same work. After too many failures, a client has to wait.
 */
export const createExchangeToken =
  (
    { documents, clock, ids, secrets }: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>,
    verifyKey: VerifyKey,
  ) =>
  (request: TokenRequest): Outcome<TokenGrant, DeclaredBy<typeof visitorOperations.exchangeToken>> => {
    const problem = missing(request)
    const { apiKey = '', apiSecret = '' } = request
    if (problem !== null) return TE.left(problem)
    return () =>
      attempt<TokenGrant, 'InvalidClient'>((failWith) => {
        const grant = async ({ roles }: KeyUser): Promise<TokenGrant> => {
          const accessToken = ids.secret()
          const value: StoredToken = { key: apiKey, expires: clock.now() + tokenSeconds * 1000 }
          const id = secrets.digest(accessToken)
          const inserted = await documents.insert(tokens.name, systemInstance, { id, unique: null, value })()
          if (E.isLeft(inserted)) {
            if (inserted.left._tag === 'PortFailure') failWith(inserted.left)
            throw new Error(`a new token was rejected: ${inserted.left._tag}`)
          }
          return { accessToken, expiresIn: tokenSeconds, roles }
        }
        return verifyKey({ ...request, apiKey, apiSecret }, grant, failWith)
      })
  }
