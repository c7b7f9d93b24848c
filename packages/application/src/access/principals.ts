import { LRUCache } from 'lru-cache'
import {
  E,
  isTokenValid,
  pipe,
  strongest,
  TE,
  type t,
  type Problem,
  type Role,
  type UserRights,
} from '@publishing-service/domain'
import { StoredKey } from '../administration/stored-keys.js'
import { systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { entryLimit } from '../entry-limit.js'
import type { Failure, Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { maxTokenLength, StoredToken } from './stored-token.js'
import { rolesOf, StoredUser } from './stored-user.js'

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

  const get = <A>(codec: t.Type<A, unknown>, id: string): Outcome<A> =>
    pipe(
      documents.get(codec.name, systemInstance, id),
      TE.chainEitherKW((document) =>
        document === null ? E.left<Failure, A>(invalidToken) : E.right(decodeStored(codec, document)),
      ),
    )

  const load = (token: string, digest: string, begun: number): Outcome<Principal> => {
    const forgottenBefore = forgotten
    return pipe(
      get(StoredToken, digest),
      TE.filterOrElseW(
        ({ expires }) => isTokenValid(expires, clock.now()),
        () => invalidToken,
      ),
      TE.chain(({ key: apiKey, expires }) =>
        pipe(
          get(StoredKey, apiKey),
          TE.filterOrElseW(
            ({ revoked }) => revoked === null,
            () => invalidToken,
          ),
          TE.chain(({ user: id }) =>
            pipe(
              get(StoredUser, id),
              TE.map((user) => ({
                id,
                user: user.name ?? '',
                key: apiKey,
                isOperator: user.operator ?? false,
                roles: new Map(rolesOf(user).map(({ instance, roles }) => [instance, roles])),
              })),
            ),
          ),
          TE.map((principal) => {
            if (forgotten === forgottenBefore)
              cached.set(token, {
                principal,
                expires,
                until: begun + freshness,
              })
            onUse(apiKey)
            return principal
          }),
        ),
      ),
    )
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
