import {
  E,
  isJsonObject,
  isRole,
  pipe,
  strongest,
  TE,
  type JsonObject,
  type Problem,
  type Role,
} from '@publishing-service/domain'
import { createBoundedMap } from '../bounded-map.js'
import { systemCollections, systemInstance } from '../collections.js'
import type { Failure, Outcome } from '../failure.js'
import type { Ports } from '../ports.js'

/** Who a token speaks for: an API user, with the roles it holds on each instance. */
export type Principal = {
  readonly user: string
  readonly roles: ReadonlyMap<number, readonly Role[]>
}

/** How long a revoked key or a changed role can go unseen, in milliseconds; §5.5 of the decisions allows 5 seconds. */
const freshness = 3000

const { keys, tokens, users } = systemCollections
const invalidToken: Problem = { _tag: 'InvalidToken' }

/** The roles that a stored user holds. */
export const rolesOf = (user: JsonObject): ReadonlyMap<number, readonly Role[]> => {
  const entries = Array.isArray(user['roles']) ? user['roles'].filter(isJsonObject) : []
  return new Map(
    entries.map((entry) => [
      Number(entry['instance']),
      (Array.isArray(entry['roles']) ? entry['roles'] : []).map(String).filter(isRole),
    ]),
  )
}

/** The strongest role that a principal holds on an instance, or null. */
export const roleOn = (principal: Principal, instance: number): Role | null =>
  strongest(principal.roles.get(instance) ?? [])

/** Finds whom an access token speaks for; InvalidToken where it is unknown, expired, or its key revoked. */
export const createPrincipals = ({
  documents,
  clock,
  secrets,
}: Pick<Ports, 'documents' | 'clock' | 'secrets'>) => {
  const known = createBoundedMap<string, { readonly principal: Principal; readonly until: number }>(10_000)

  const get = (collection: string, id: unknown): Outcome<JsonObject> =>
    pipe(
      documents.get(collection, systemInstance, String(id)),
      TE.chainEitherKW((document) =>
        document === null ? E.left<Failure, JsonObject>(invalidToken) : E.right(document.value),
      ),
    )

  const load = (token: string, digest: string, asked: number): Outcome<Principal> =>
    pipe(
      get(tokens.name, digest),
      TE.filterOrElseW(
        (value) => Number(value['expires']) > clock.now(),
        () => invalidToken,
      ),
      TE.chain((value) =>
        pipe(
          get(keys.name, value['key']),
          TE.filterOrElseW(
            (key) => key['revoked'] === null,
            () => invalidToken,
          ),
          TE.chain((key) => get(users.name, key['user'])),
          TE.map((user) => {
            const principal = { user: String(user['name']), roles: rolesOf(user) }
            known.set(token, {
              principal,
              until: Math.min(Number(value['expires']), asked + freshness),
            })
            return principal
          }),
        ),
      ),
    )

  return (token: string): Outcome<Principal> => {
    const entry = known.get(token)
    if (entry !== undefined && entry.until > clock.now()) return TE.right(entry.principal)
    // A token is 43 characters long; nothing longer is worth a digest.
    return token.length > 200 ? TE.left(invalidToken) : load(token, secrets.digest(token), clock.now())
  }
}

export type Principals = ReturnType<typeof createPrincipals>
