import { LRUCache } from 'lru-cache'
import { resourceOf, type Problem, type Role } from '@publishing-service/domain'
import { E, TE, type t } from '@publishing-service/domain/fp'
import {
  isTokenValid,
  maxPreviewSeconds,
  needsSecondFactor,
  type OwnSession,
  type SecondFactor,
  userOf,
  type UserRights,
} from '@publishing-service/access'
import { operations, strongest } from '@publishing-service/domain/roles'
import { StoredKey } from '../administration/stored-keys.js'
import { attempt, fail, throwIf, unwrap } from '../attempt.js'
import { isSessionToken, type SignInSessions } from '../accounts/sign-in-sessions.js'
import type { Accounts } from '../accounts/stored-account.js'
import { systemCollections, systemInstance } from '../collections.js'
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
  /** The session of the dashboard; absent for the token of a key. */
  readonly session?: OwnSession
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
    fail(invalidToken)
  const rights: UserRights = { operator: false, roles: [{ instance, roles: ['public_user'] }] }
  // Its requests are not counted with those of the API user.
  return { ...principalWith({ ...maker, id: null }, rights), preview: previewed }
}

/**
 * Milliseconds until a revoked key or a changed role takes effect; docs/behaviour/access.md#revocation allows
 * 5 seconds.
 */
const freshness = 3000

/** What was read for a token: when it ends, in milliseconds since 1970. */
type Loaded = { readonly principal: Principal; readonly expires: number }

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
  people: {
    readonly signInSessions: Pick<SignInSessions, 'valid' | 'renew'>
    readonly accounts: Pick<Accounts, 'read'>
    readonly secondFactor: SecondFactor
  },
  onUse: (apiKey: string) => void,
): Principals => {
  const { signInSessions, accounts, secondFactor } = people
  const cached = new LRUCache<string, Entry>(entryLimit(10_000))
  /** The number of tokens forgotten: what was read before the last of them is not cached. */
  let forgotten = 0

  const stored = async <A>(codec: t.Type<A, unknown>, id: string): Promise<A> => {
    const document = unwrap(await documents.get(codec.name, systemInstance, id)())
    return unwrap(document === null ? E.left(invalidToken) : E.right(decodeStored(codec, document)))
  }

  /** The user, if it is not disabled and the key, if there is one, is not revoked. */
  const userOfKey = async (id: string, key: string | null): Promise<Principal> => {
    if (key !== null) throwIf((await stored(StoredKey, key)).revoked === null ? null : invalidToken)
    const user = userOf(await stored(StoredUser, id))
    throwIf(user.disabled ? invalidToken : null)
    return principalWith({ id, user: user.name, key: key ?? noKey }, user)
  }

  /** The principal of a session, and when it ends. */
  const ofSession = async (digest: string): Promise<Loaded> => {
    const { signInSessions: collection } = systemCollections
    const document = unwrap(await documents.get(collection.name, systemInstance, digest)())
    const session = document === null ? null : signInSessions.valid(document)
    if (document === null || session === null) fail(invalidToken)
    const { id, user, key, way, authenticated, expires } = session
    const whole = await userOfKey(user, key)
    // The account is read only where it decides.
    const lacks =
      secondFactor === 'required' && needsSecondFactor(secondFactor, way, await accounts.read(user))
    const principal = lacks ? principalWith(whole, { operator: false, roles: [] }) : whole
    await signInSessions.renew(document)
    return {
      principal: { ...principal, key: noKey, session: { id, authenticated, needsSecondFactor: lacks } },
      expires,
    }
  }

  const ofToken = async (digest: string): Promise<Loaded> => {
    const { key, expires } = await stored(StoredToken, digest)
    throwIf(isTokenValid(expires, clock.now()) ? null : invalidToken)
    const { user } = await stored(StoredKey, key)
    const principal = await userOfKey(user, key)
    onUse(key)
    return { principal, expires }
  }

  /** The use of a preview is not a use of the key of its maker. */
  const ofPreview = async (digest: string): Promise<Loaded> => {
    const preview = await stored(StoredPreview, digest)
    const { key, expires, user } = preview
    throwIf(isTokenValid(expires, clock.now(), maxPreviewSeconds) ? null : invalidToken)
    const maker = await userOfKey(user ?? (await stored(StoredKey, key)).user, key === noKey ? null : key)
    return { principal: principalOfPreview(maker, preview), expires }
  }

  const load = (token: string, digest: string, begun: number): Outcome<Principal> => {
    const forgottenBefore = forgotten
    return () =>
      attempt(async () => {
        const read = isSessionToken(token) ? ofSession : isPreviewToken(token) ? ofPreview : ofToken
        const { principal, expires } = await read(digest)
        const end = clock.monotonic() + expires - clock.now()
        if (forgotten === forgottenBefore)
          cached.set(token, { found: TE.right(principal), until: Math.min(begun + freshness, end) })
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
