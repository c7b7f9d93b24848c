import { LRUCache } from 'lru-cache'
import {
  E,
  isTokenValid,
  strongest,
  TE,
  userOf,
  type t,
  type Problem,
  type Role,
  type UserRights,
} from '@publishing-service/domain'
import { StoredKey } from '../administration/stored-keys.js'
import { attempt } from '../attempt.js'
import { systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { entryLimit } from '../entry-limit.js'
import { noProblem, type Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { maxTokenLength, StoredToken } from './stored-token.js'
import { StoredUser } from './stored-user.js'

/** The API user of a token, with its roles on each instance. */
export type Principal = {
  /** UUID of the API user; null for the service itself. */
  readonly id: string | null
  /** The name of the API user. */
  readonly user: string
  /** The API key that the token was issued for. */
  readonly key: string
  /** Whether the API user administers the whole deployment. */
  readonly isOperator: boolean
  readonly roles: ReadonlyMap<number, readonly Role[]>
}

/**
 * Milliseconds until a revoked key or a changed role takes effect; docs/behaviour/access.md#revocation allows
 * 5 seconds.
 */
const freshness = 3000

const invalidToken: Problem = { _tag: 'InvalidToken' }

/** The strongest role of a principal on an instance, or null. */
export const roleOn = (principal: Principal, instance: number): Role | null =>
  strongest(principal.roles.get(instance) ?? [])

/** What a principal may do. */
export const rightsOf = ({ isOperator, roles }: Principal): UserRights => ({
  operator: isOperator,
  roles: [...roles].map(([instance, held]) => ({ instance, roles: held })),
})

type Entry = {
  readonly principal: Principal
  /** By the wall clock, as stored with the token. */
  readonly expires: number
  /** By elapsed time, so that setting the wall clock back does not extend it. */
  readonly until: number
}

/**
 * `find` returns the principal of an access token; InvalidToken if it is unknown or expired, or its key is revoked.
 * `forget` has it look at the store again, for a token that was removed from it. `onUse` receives the key of a
 * valid token when it is read, so every few seconds while it is used.
 */
export const createPrincipals = (
  { documents, clock, secrets }: Pick<Ports, 'documents' | 'clock' | 'secrets'>,
  onUse: (apiKey: string) => void,
) => {
  const cached = new LRUCache<string, Entry>(entryLimit(10_000))
  /** The number of tokens forgotten: what was read before the last of them is not cached. */
  let forgotten = 0

  const load = (token: string, digest: string, begun: number): Outcome<Principal> => {
    const forgottenBefore = forgotten
    return () =>
      attempt(async (get) => {
        const stored = async <A>(codec: t.Type<A, unknown>, id: string): Promise<A> => {
          const document = get(await documents.get(codec.name, systemInstance, id)())
          return get(document === null ? E.left(invalidToken) : E.right(decodeStored(codec, document)))
        }
        const { key, expires } = await stored(StoredToken, digest)
        get(noProblem(isTokenValid(expires, clock.now()) ? null : invalidToken))
        const { user: id, revoked } = await stored(StoredKey, key)
        get(noProblem(revoked === null ? null : invalidToken))
        const { name, operator, roles } = userOf(await stored(StoredUser, id))
        const principal: Principal = {
          id,
          user: name,
          key,
          isOperator: operator,
          roles: new Map(roles.map((held) => [held.instance, held.roles])),
        }
        if (forgotten === forgottenBefore) cached.set(token, { principal, expires, until: begun + freshness })
        onUse(key)
        return principal
      })
  }

  const find = (token: string): Outcome<Principal> => {
    const entry = cached.get(token)
    if (entry !== undefined && entry.until > clock.monotonic() && isTokenValid(entry.expires, clock.now())) {
      return TE.right(entry.principal)
    }
    return token.length > maxTokenLength
      ? TE.left(invalidToken)
      : load(token, secrets.digest(token), clock.monotonic())
  }

  const forget = (token: string): void => {
    forgotten += 1
    cached.delete(token)
  }

  return { find, forget }
}

export type Principals = ReturnType<typeof createPrincipals>['find']
