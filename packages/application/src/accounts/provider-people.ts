import {
  isAccountOf,
  isFoundByEmail,
  matchedAccount,
  type AccountState,
  type Identity,
  type Key,
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
} from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import type { ExternalIdentity, Secrets } from '@publishing-service/ports'
import { revocationOf } from '../administration/key-operations.js'
import { changesOf } from '../administration/user-operations.js'
import type { AdministerKeys } from '../administration/administer-keys.js'
import type { AdministerUsers, CreatedUser, OwnRule, UserChange } from '../administration/administer-users.js'
import { attempt, fail, orThrow } from '../attempt.js'
import type { Audit } from '../audit/audit.js'
import { auditChangesOf } from '../deployment-operation.js'
import type { Ports } from '../ports.js'
import type { AuditChange, Recorded } from '../recording.js'
import type { EndAccess } from './end-access.js'
import type { Accounts, NamedUser } from './stored-account.js'
import { sourceOfVisit, type Visit } from './visit.js'

type Services = Pick<Ports, 'checksum' | 'clock' | 'log'> & {
  readonly secrets: Secrets
  readonly accounts: Accounts
  readonly administerUsers: AdministerUsers
  readonly administerKeys: Pick<AdministerKeys, 'find' | 'revoke'>
  readonly endAccess: Pick<EndAccess, 'all' | 'keysOf'>
  readonly audit: Pick<Audit, 'recorded'>
}

/** The text from which the key of an identity and the id of its user are made. Issuers are addresses, without spaces. */
const textOf = ({ issuer, subject }: ExternalIdentity): string => `${issuer} ${subject}`

/** What becomes of the user and of the account of a person. */
type Matching = {
  readonly user: (before: User) => User
  readonly account: (before: AccountState) => AccountState
}

/** What the configuration of the deployment may do. */
const byConfiguration: UserRights = { operator: true, roles: [] }

/** The people who sign in with a provider: whom an identity leads to, and the rights that its claims give. */
export class ProviderPeople {
  constructor(private readonly services: Services) {}

  #usersChanged(operation: string, id: string, change: UserChange): readonly AuditChange[] {
    return auditChangesOf(operation, 'users', changesOf(id, change))
  }

  /** Changes the rights of a person, if they change. What the rules of rights do not permit is logged, and is not done. */
  async #changeRights(
    visit: Visit,
    person: NamedUser,
    rule: (before: UserRights) => UserRights,
  ): Promise<void> {
    const { id } = person
    const before = await this.services.accounts.user(id)
    if (before === null) return
    const change = (user: User): User => ({
      ...user,
      ...rule({ operator: user.operator, roles: user.roles }),
    })
    if (jsonEqual({ ...change(before) }, { ...before })) return
    const changed = await attempt(() =>
      this.services.audit.recorded(
        sourceOfVisit(visit, person),
        (made: UserChange) => this.#usersChanged('replaceUserRoles', id, made),
        (recorded: Recorded<UserChange>) =>
          this.services.administerUsers.change(byConfiguration, id, change, false, recorded),
      ),
    )
    if (E.isRight(changed)) return
    if (changed.left._tag === 'PortFailure') fail(changed.left)
    const reason =
      changed.left._tag === 'BadParameters'
        ? changed.left.faults.map(({ path, message }) => `${path} ${message}`).join('; ')
        : changed.left._tag
    this.services.log.write('warn', 'roles of the provider not applied', { user: id, reason })
  }

  /** Each change by itself, so that one that is not permitted does not prevent the others. */
  async applyRoles(
    visit: Visit,
    person: NamedUser,
    { claims }: ExternalIdentity,
    { roles: mapping }: ProviderRules,
  ): Promise<void> {
    if (mapping.length === 0) return
    const granted = rolesOfClaims(mapping, claims)
    await this.#changeRights(visit, person, (held) => withoutLostRights(held, mapping, granted))
    for (const each of granted.roles)
      await this.#changeRights(visit, person, (held) => withRights(held, { operator: false, roles: [each] }))
    await this.#changeRights(visit, person, (held) =>
      withRights(held, { operator: granted.operator, roles: [] }),
    )
  }

  keyOf(identity: ExternalIdentity): string {
    return this.services.secrets.digest(textOf(identity))
  }

  #newUserIdOf(identity: ExternalIdentity): string {
    const sum = this.services.checksum()
    sum.add(textOf(identity))
    return userIdOfIdentity(sum.value())
  }

  #newIdentity(identity: ExternalIdentity): Identity {
    const { issuer, subject } = identity
    return { key: this.keyOf(identity), issuer, subject, created: this.services.clock.now(), last_used: null }
  }

  /** Changes a person and their account, in one write, when they sign in with a provider for the first time. */
  async #changePerson(
    visit: Visit,
    person: NamedUser,
    changes: JsonObject,
    { user: userRule, account }: Matching,
  ): Promise<void> {
    const { id, user } = person
    const rule: OwnRule = async (before, together) => {
      together(await this.services.accounts.changeOf(id, account))
      return userRule(before)
    }
    await this.services.audit.recorded(
      sourceOfVisit(visit, person),
      () => auditChangesOf('signIn', 'users', [{ object: id, title: user.name, changes }]),
      async (recorded) => {
        await this.services.administerUsers.changeOwn(id, rule, recorded)
        return null
      },
    )
  }

  /** Adds the identity to an account; false if it has too many. */
  async #addIdentity(visit: Visit, person: NamedUser, identity: ExternalIdentity): Promise<boolean> {
    const added = this.#newIdentity(identity)
    if (withIdentity(await this.services.accounts.read(person.id), added) === null) return false
    const account = (before: AccountState) => withIdentity(before, added) ?? before
    await this.#changePerson(visit, person, { provider: identity.issuer }, { user: (same) => same, account })
    return true
  }

  /** Ends everything of a person but the ways in of their account. They get in with the provider, so no instance loses an admin. */
  async #endOthers(visit: Visit, { id, user }: NamedUser): Promise<void> {
    for (const apiKey of await this.services.endAccess.keysOf(id)) {
      const key = await orThrow(this.services.administerKeys.find(apiKey))
      if (key.revoked !== null) continue
      await this.services.audit.recorded(
        sourceOfVisit(visit, { id, user }),
        (after: Key) => auditChangesOf('revokeKey', 'keys', [revocationOf(apiKey, after)]),
        async (recorded) => {
          await orThrow(this.services.administerKeys.revoke(apiKey, true, recorded))
          return key
        },
      )
    }
    await this.services.endAccess.all(id)
  }

  /**
   * The person with the address that the provider has verified; null if there is none. Somebody else may have
   * ways into the account, and may have begun something in it, so the identity is its only way in from then on.
   */
  async #matchPerson(visit: Visit, identity: ExternalIdentity): Promise<NamedUser | null> {
    const email = verifiedEmail(identity)
    const person = email === null ? null : await this.services.accounts.userWithEmail(email)
    // A disabled person is refused, and nothing is changed.
    if (person === null || person.user.disabled) return person
    const { id } = person
    if (!isFoundByEmail(person.user)) {
      this.services.log.write('warn', 'the address of an account is not confirmed', { user: id })
      return null
    }
    const added = this.#newIdentity(identity)
    await this.#endOthers(visit, person)
    const changes = { provider: identity.issuer, ways_in: 'replaced' }
    await this.#changePerson(visit, person, changes, {
      user: withConfirmedEmail,
      account: (before) => matchedAccount(before, added),
    })
    // Others may have begun something meanwhile.
    await this.#endOthers(visit, person)
    return person
  }

  /**
   * Makes the person of an identity. Of two sign-ins at once, or after a crash, it is the one that was made before; null if
   * that one has removed the identity.
   */
  async #createPerson(visit: Visit, identity: ExternalIdentity): Promise<NamedUser | null> {
    const email = verifiedEmail(identity)
    const isFree = email !== null && (await this.services.accounts.userWithEmail(email)) === null
    const user = userOfIdentity({ name: identity.name, email: isFree ? email : null })
    const id = this.#newUserIdOf(identity)
    const recorded: Recorded<CreatedUser> = (made, write) =>
      this.services.audit
        .recorded(
          sourceOfVisit(visit, { id, user }),
          () => this.#usersChanged('createUser', id, made),
          async (inner) => ({ written: await inner(null, write) }),
        )
        .then(({ written }) => written)
    const created = await attempt(() =>
      this.services.administerUsers.create(byConfiguration, user, recorded, id),
    )
    if (E.isRight(created)) return { id, user }
    const other = await this.services.accounts.user(id)
    if (other === null) fail(created.left)
    return isAccountOf(await this.services.accounts.read(id), this.keyOf(identity))
      ? { id, user: other }
      : null
  }

  /** The person of an identity: the one who has signed in with it before, else by the rule for unknown people. */
  async personOf(
    visit: Visit,
    identity: ExternalIdentity,
    { unknown }: ProviderRules,
  ): Promise<NamedUser | null> {
    const known = await this.services.accounts.userWith('identity_keys', this.keyOf(identity))
    if (known !== null || unknown === 'refuse') return known
    if (unknown === 'match-email') return this.#matchPerson(visit, identity)
    const person = await this.#createPerson(visit, identity)
    return person !== null && (await this.#addIdentity(visit, person, identity)) ? person : null
  }
}
