import { LRUCache } from 'lru-cache'
import { resourceOf, type Problem, type Role } from '@publishing-service/domain'
import { E, TE, type t } from '@publishing-service/domain/fp'
import {
  isTokenValid,
  maxPreviewSeconds,
  operations,
  strongest,
  tokenSeconds,
  userOf,
  type UserRights,
} from '@publishing-service/domain/access'
import { StoredKey } from '../administration/stored-keys.js'
import { attempt, unwrap, throwIf } from '../attempt.js'
import { systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { entryLimit } from '../entry-limit.js'
import { type Outcome } from '../failure.js'
import type { Ports } from '../ports.js'
import { isPreviewToken, maxTokenLength, StoredPreview, StoredToken } from './stored-token.js'
import { StoredUser } from './stored-user.js'

/** The API user of a token, with its roles on each instance. */
export type Principal = {
  /** UUID of the API user; null for the service itself, and for previews. */
  readonly id: string | null
  /** The name of the API user. */
  readonly user: string
  /** The API key that the token was issued for; `noKey` for what the service does for a user by itself. */
  readonly key: string
  /** What the API user may do. */
  readonly rights: UserRights
  /** Its strongest role on each instance. */
  readonly roles: ReadonlyMap<number, Role>
  /** The object that the token is for, with its draft; absent if it is a token of the API user. */
  readonly preview?: Previewed
}

/** An object that a token shows with its draft: the one that has the position. */
export type Previewed = Pick<StoredPreview, 'instance' | 'collection' | 'object' | 'position'>

export const noKey = ''

/** A principal with these rights. */
export const principalWith = (who: Pick<Principal, 'id' | 'user' | 'key'>, rights: UserRights): Principal => {
  const roles = new Map<number, Role>()
  for (const { instance, roles: held } of rights.roles) {
    const role = strongest(held)
    if (role !== null) roles.set(instance, role)
  }
  return { ...who, rights, roles }
}

const invalidToken: Problem = { _tag: 'InvalidToken' }

/**
 * What the token of a preview may do: read what the public reads. InvalidToken if the API user that has made it may not edit
 * such objects any more.
 */
const principalOfPreview = (maker: Principal, previewed: Previewed): Principal => {
  const { instance, collection } = previewed
  const role = maker.roles.get(instance)
  const subject = resourceOf(collection)?.collection
  if (role === undefined || subject === undefined || !operations.changeDraft(subject).roles.has(role))
    throw invalidToken
  const rights: UserRights = { operator: false, roles: [{ instance, roles: ['public_user'] }] }
  // Its requests are not counted with those of the API user.
  return { ...principalWith({ ...maker, id: null }, rights), preview: previewed }
}

/**
 * Milliseconds until a revoked key or a changed role takes effect; docs/behaviour/access.md#revocation allows
 * 5 seconds.
 */
const freshness = 3000

type Entry = {
  readonly found: Outcome<Principal>
  /** By elapsed time, so that setting the wall clock back does not extend it; at the latest when the token expires. */
  readonly until: number
}

/** Finds the principal of an access token; InvalidToken if it is unknown or expired, or its key is revoked. */
export type FindPrincipal = (token: string) => Outcome<Principal>

type Principals = {
  readonly find: FindPrincipal
  /** Has `find` look at the store again, for a token that was removed from it. */
  readonly forget: (token: string) => void
}

/** `onUse` receives the key of a valid token when it is read, so every few seconds while it is used. */
export const createPrincipals = (
  { documents, clock, secrets }: Pick<Ports, 'documents' | 'clock' | 'secrets'>,
  onUse: (apiKey: string) => void,
): Principals => {
  const cached = new LRUCache<string, Entry>(entryLimit(10_000))
  /** The number of tokens forgotten: what was read before the last of them is not cached. */
  let forgotten = 0

  const load = (token: string, digest: string, begun: number): Outcome<Principal> => {
    const forgottenBefore = forgotten
    return () =>
      attempt(async () => {
        const stored = async <A>(codec: t.Type<A, unknown>, id: string): Promise<A> => {
          const document = unwrap(await documents.get(codec.name, systemInstance, id)())
          return unwrap(document === null ? E.left(invalidToken) : E.right(decodeStored(codec, document)))
        }
        const preview = isPreviewToken(token) ? await stored(StoredPreview, digest) : null
        const { key, expires } = preview ?? (await stored(StoredToken, digest))
        const now = clock.now()
        const lifetime = preview === null ? tokenSeconds : maxPreviewSeconds
        throwIf(isTokenValid(expires, now, lifetime) ? null : invalidToken)
        const end = clock.monotonic() + expires - now
        const { user: id, revoked } = await stored(StoredKey, key)
        throwIf(revoked === null ? null : invalidToken)
        const { name, operator, roles } = userOf(await stored(StoredUser, id))
        const own = principalWith({ id, user: name, key }, { operator, roles })
        const principal = preview === null ? own : principalOfPreview(own, preview)
        if (forgotten === forgottenBefore)
          cached.set(token, { found: TE.right(principal), until: Math.min(begun + freshness, end) })
        // The use of a preview is not a use of the key of its maker.
        if (preview === null) onUse(key)
        return principal
      })
  }

  const find = (token: string): Outcome<Principal> => {
    const entry = cached.get(token)
    if (entry !== undefined && entry.until > clock.monotonic()) return entry.found
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
