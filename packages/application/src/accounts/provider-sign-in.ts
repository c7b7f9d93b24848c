/** How people sign in with a provider of OpenID Connect (docs/sign-in.md). */
import {
  isAccountOf,
  isFoundByEmail,
  matchedAccount,
  pathInDashboard,
  type AccountState,
  type Identity,
  type ProviderError,
  type ProviderRules,
  rolesOfClaims,
  type User,
  userIdOfIdentity,
  userOfIdentity,
  type UserRights,
  verifiedEmail,
  withConfirmedEmail,
  withIdentity,
  withoutLostRights,
  withRights,
  withWayInChange,
} from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import type {
  Checksum,
  Clock,
  ExternalIdentity,
  IdentityProvider,
  Ids,
  Log,
  Secrets,
} from '@publishing-service/ports'
import { changesOf } from '../administration/user-operations.js'
import type { AdministerKeys } from '../administration/administer-keys.js'
import { noUser, type AdministerUsers, type UserChange } from '../administration/administer-users.js'
import type { RecordSignIn, SignInOutcome } from '../access/record-sign-in.js'
import { attempt, orThrow } from '../attempt.js'
import type { Audit } from '../audit/audit.js'
import { unrecorded, type AuditChange, type Recorded } from '../recording.js'
import { auditChangesOf } from '../deployment-operation.js'
import type { EndAccess } from './end-access.js'
import type { SignInChallenges } from './sign-in-challenges.js'
import type { BegunSession } from './sign-in-sessions.js'
import type { Accounts, NamedUser } from './stored-account.js'
import { reportSignIn, sourceOfVisit, type Visit } from './visit.js'

/** A sign-in that was begun: where the browser goes, and the state and the secret that identify it when it comes back. */
type BegunProviderSignIn = { readonly address: string; readonly state: string; readonly secret: string }

/** A sign-in that has ended: the session, and the path of the dashboard to go to. */
type ProviderSignedIn = BegunSession & { readonly to: string }

/** None of the functions rejects: a browser that comes from the provider shows what the dashboard says. */
export type ProviderSignIn = {
  readonly begin: (visit: Visit, to: string) => Promise<E.Either<ProviderError, BegunProviderSignIn>>
  /** `returned` is the path that the browser came back to, with its query; `secret` is that of its cookie. */
  readonly finish: (
    visit: Visit,
    returned: string,
    answer: { readonly state: string; readonly secret: string },
  ) => Promise<E.Either<ProviderError, ProviderSignedIn>>
  /** Where a person of the provider signs out there too; null if nowhere. */
  readonly signOut: (next: string) => Promise<string | null>
}

type Services = {
  readonly provider: IdentityProvider | null
  readonly rules: ProviderRules | null
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly secrets: Secrets
  readonly checksum: () => Checksum
  readonly accounts: Accounts
  readonly administerUsers: AdministerUsers
  readonly administerKeys: Pick<AdministerKeys, 'find' | 'revoke'>
  readonly endAccess: Pick<EndAccess, 'all' | 'keysOf'>
  readonly signInChallenges: SignInChallenges
  readonly audit: Pick<Audit, 'recorded'>
  readonly recordSignIn: RecordSignIn
  /** Begins the session of a person who has signed in, and ends the one with the id that the browser had. */
  readonly signedIn: (visit: Visit, person: NamedUser, earlier: string | null) => Promise<BegunSession>
}

/** Where the provider sends the browser back to. */
const callbackOf = ({ base }: Visit): string => `${base}/sign-in/provider/callback`

/** The text from which the key of an identity and the id of its user are made. Issuers are addresses, without spaces. */
const textOf = ({ issuer, subject }: ExternalIdentity): string => `${issuer} ${subject}`

/** What the configuration of the deployment may do. */
const byConfiguration: UserRights = { operator: true, roles: [] }

export const createProviderSignIn = (services: Services): ProviderSignIn => {
  const { provider, rules, checksum, clock, ids, log, secrets, accounts } = services
  const { administerKeys, administerUsers, endAccess, signInChallenges, audit, recordSignIn } = services

  const usersChanged = (operation: string, id: string, change: UserChange): readonly AuditChange[] =>
    auditChangesOf(operation, 'users', changesOf(id, change))

  /** Changes the rights of a person, if they change. What the rules of rights do not permit is logged, and is not done. */
  const changeRights = async (
    visit: Visit,
    person: NamedUser,
    rule: (before: UserRights) => UserRights,
  ): Promise<void> => {
    const { id } = person
    const before = await accounts.user(id)
    if (before === null) return
    const change = (user: User): User => ({
      ...user,
      ...rule({ operator: user.operator, roles: user.roles }),
    })
    if (jsonEqual({ ...change(before) }, { ...before })) return
    const changed = await attempt(() =>
      audit.recorded(
        sourceOfVisit(visit, person),
        (made: UserChange) => usersChanged('replaceUserRoles', id, made),
        (recorded: Recorded<UserChange>) =>
          orThrow(administerUsers.change(byConfiguration, id, change, false, recorded)),
      ),
    )
    if (E.isRight(changed)) return
    if (changed.left._tag === 'PortFailure') throw changed.left
    const reason =
      changed.left._tag === 'BadParameters'
        ? changed.left.faults.map(({ path, message }) => `${path} ${message}`).join('; ')
        : changed.left._tag
    log.write('warn', 'roles of the provider not applied', { user: id, reason })
  }

  /** Each change by itself, so that one that is not permitted does not prevent the others. */
  const applyRoles = async (
    visit: Visit,
    person: NamedUser,
    { claims }: ExternalIdentity,
    { roles: mapping }: ProviderRules,
  ): Promise<void> => {
    if (mapping.length === 0) return
    const granted = rolesOfClaims(mapping, claims)
    await changeRights(visit, person, (held) => withoutLostRights(held, mapping, granted))
    for (const each of granted.roles)
      await changeRights(visit, person, (held) => withRights(held, { operator: false, roles: [each] }))
    await changeRights(visit, person, (held) => withRights(held, { operator: granted.operator, roles: [] }))
  }

  const keyOf = (identity: ExternalIdentity): string => secrets.digest(textOf(identity))

  const newUserIdOf = (identity: ExternalIdentity): string => {
    const sum = checksum()
    sum.add(textOf(identity))
    return userIdOfIdentity(sum.value())
  }

  const newIdentity = (identity: ExternalIdentity): Identity => {
    const { issuer, subject } = identity
    return { key: keyOf(identity), issuer, subject, created: clock.now(), last_used: null }
  }

  /** Changes the account of a person who signs in with a provider for the first time. */
  const changeAccount = async (
    visit: Visit,
    person: NamedUser,
    changes: JsonObject,
    rule: (before: AccountState) => AccountState,
  ): Promise<void> => {
    const { id, user } = person
    await audit.recorded(
      sourceOfVisit(visit, person),
      () => auditChangesOf('signIn', 'users', [{ object: id, title: user.name, changes }]),
      async (recorded) => {
        await accounts.change(id, rule, recorded)
        return null
      },
    )
  }

  /** Adds the identity to an account; false if it has too many. */
  const addIdentity = async (
    visit: Visit,
    person: NamedUser,
    identity: ExternalIdentity,
  ): Promise<boolean> => {
    const added = newIdentity(identity)
    if (withIdentity(await accounts.read(person.id), added) === null) return false
    const rule = (before: AccountState) => withIdentity(before, added) ?? before
    await changeAccount(visit, person, { provider: identity.issuer }, rule)
    return true
  }

  /** Ends everything of a person but the ways in of their account. They get in with the provider, so no instance loses an admin. */
  const endOthers = async (visit: Visit, { id, user }: NamedUser): Promise<void> => {
    for (const key of await endAccess.keysOf(id)) {
      const { revoked, title = null } = await orThrow(administerKeys.find(key))
      if (revoked !== null) continue
      await audit.recorded(
        sourceOfVisit(visit, { id, user }),
        () => auditChangesOf('revokeKey', 'keys', [{ object: key, title, changes: { user: id } }]),
        async (recorded) => {
          await orThrow(administerKeys.revoke(key, true, (_key, write) => recorded(null, write)))
          return null
        },
      )
    }
    await endAccess.all(id)
  }

  /**
   * The person with the address that the provider has verified; null if there is none. Somebody else may have
   * ways into the account, and may have begun something in it, so the identity is its only way in from then on.
   */
  const matchPerson = async (visit: Visit, identity: ExternalIdentity): Promise<NamedUser | null> => {
    const email = verifiedEmail(identity)
    const person = email === null ? null : await accounts.userWithEmail(email)
    // A disabled person is refused, and nothing is changed.
    if (person === null || person.user.disabled) return person
    const { id } = person
    if (!isFoundByEmail(person.user)) {
      log.write('warn', 'the address of an account is not confirmed', { user: id })
      return null
    }
    const added = newIdentity(identity)
    await endOthers(visit, person)
    await administerUsers.changeOwn(id, withConfirmedEmail, unrecorded.write)
    const changes = { provider: identity.issuer, ways_in: 'replaced' }
    await changeAccount(visit, person, changes, (before) => matchedAccount(before, added))
    // Others may have begun something meanwhile.
    await endOthers(visit, person)
    return person
  }

  /**
   * Makes the person of an identity. Of two sign-ins at once, or after a crash, it is the one that was made before; null if
   * that one has removed the identity.
   */
  const createPerson = async (visit: Visit, identity: ExternalIdentity): Promise<NamedUser | null> => {
    const email = verifiedEmail(identity)
    const isFree = email !== null && (await accounts.userWithEmail(email)) === null
    const user = userOfIdentity({ name: identity.name, email: isFree ? email : null })
    const id = newUserIdOf(identity)
    const recorded: Recorded<string> = (_made, write) =>
      audit
        .recorded(
          sourceOfVisit(visit, { id, user }),
          () => usersChanged('createUser', id, { before: noUser, after: user }),
          async (inner) => ({ written: await inner(null, write) }),
        )
        .then(({ written }) => written)
    const created = await administerUsers.create(byConfiguration, user, recorded, id)()
    if (E.isRight(created)) return { id, user }
    const other = await accounts.user(id)
    if (other === null) throw created.left
    return isAccountOf(await accounts.read(id), keyOf(identity)) ? { id, user: other } : null
  }

  /** The person of an identity: the one who has signed in with it before, else by the rule for unknown people. */
  const personOf = async (
    visit: Visit,
    identity: ExternalIdentity,
    { unknown }: ProviderRules,
  ): Promise<NamedUser | null> => {
    const known = await accounts.userWith('identity_keys', keyOf(identity))
    if (known !== null || unknown === 'refuse') return known
    if (unknown === 'match-email') return matchPerson(visit, identity)
    const person = await createPerson(visit, identity)
    return person !== null && (await addIdentity(visit, person, identity)) ? person : null
  }

  const refuse = (visit: Visit, outcome: SignInOutcome, person: NamedUser | null): void =>
    reportSignIn(recordSignIn, visit, outcome, person, person !== null)

  /** The result of steps; an unavailable part is one of the errors. */
  const orUnavailable = async <A>(
    steps: () => Promise<E.Either<ProviderError, A>>,
  ): Promise<E.Either<ProviderError, A>> => {
    const outcome = await attempt(steps)
    if (E.isRight(outcome)) return outcome.right
    const { _tag } = outcome.left
    const reason = outcome.left._tag === 'PortFailure' ? outcome.left.reason : _tag
    log.write('warn', 'sign-in with the provider failed', { reason })
    return E.left('provider_unavailable')
  }

  return {
    begin: (visit, to) =>
      orUnavailable(async () => {
        if (provider === null) return E.left('provider_off')
        const { address, secrets: known } = await orThrow(provider.begin(callbackOf(visit)))
        const secret = ids.secret()
        const { state, nonce, verifier } = known
        // The browser comes back from another site, which is why its session is not known then.
        const session = visit.session === null ? {} : { session: secrets.digest(visit.session) }
        const content = { nonce, verifier, to: pathInDashboard(to), ...session }
        await signInChallenges.open('provider', state, secrets.digest(secret), content)
        return E.right({ address, state, secret })
      }),

    finish: (visit, returned, { state, secret }) =>
      orUnavailable(async () => {
        if (provider === null || rules === null) return E.left('provider_off')
        const opened = await signInChallenges.close('provider', state, secrets.digest(secret))
        if (opened === null) return E.left('provider_expired')
        const { nonce = '', verifier = '', to = '/', session = null } = opened
        const found = await provider.finish(callbackOf(visit), returned, { state, nonce, verifier })()
        if (E.isLeft(found)) {
          if (found.left._tag === 'PortFailure') throw found.left
          log.write('warn', 'the provider has refused a sign-in', { reason: found.left.reason })
          refuse(visit, 'identity refused', null)
          return E.left('provider_refused')
        }
        const identity = found.right
        const person = await personOf(visit, identity, rules)
        if (person === null || person.user.disabled) {
          refuse(visit, person === null ? 'identity refused' : 'disabled user', person)
          return E.left(person === null ? 'account_unknown' : 'account_disabled')
        }
        await applyRoles(visit, person, identity, rules)
        const use = { last_used: clock.now() }
        await accounts.change(person.id, (before) => ({
          ...before,
          identities: withWayInChange(before.identities, keyOf(identity), use),
        }))
        return E.right({ ...(await services.signedIn(visit, person, session)), to })
      }),

    signOut: async (next) => {
      const address = provider === null ? null : await provider.signOut(next)()
      return address === null || E.isLeft(address) ? null : address.right
    },
  }
}
