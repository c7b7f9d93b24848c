import { badParameters, fault, notFound } from '@publishing-service/domain'
import {
  confirmFault,
  effectiveRights,
  endedAccess,
  gainEffects,
  hasRights,
  type MadeWayIn,
  type InstanceRoles,
  maySeeUser,
  noUser,
  reductionOf,
  roleChanges,
  type User,
  userChangeProblem,
  userOf,
  type UserRights,
  withoutRole,
} from '@publishing-service/access'
import { oncePerDocument, removeDocument, type Change, type Document } from '@publishing-service/ports'
import { requireInstance } from '../access/stored-instance.js'
import { userIn } from '../access/stored-user.js'
import type { EndAccess } from '../accounts/end-access.js'
import type { MailQueue } from '../accounts/mail-queue.js'
import type { SignInLinks } from '../accounts/sign-in-links.js'
import type { Accounts } from '../accounts/stored-account.js'
import { fail, throwIf } from '../attempt.js'
import { forgetPerson } from '../audit/forget-person.js'
import { systemCollections, systemInstance } from '../collections.js'
import { unrecorded, type Recorded } from '../recording.js'
import { contended } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import { forEachPage } from '../engine/for-each-page.js'
import { removeAllStored } from '../engine/remove-stored.js'
import { mostTogether } from '../engine/cascade.js'
import type { Target, Together, WriteDocument } from '../engine/update-document.js'
import type { Ports } from '../ports.js'
import { confirmedOr, type GuardRights } from './guard-rights.js'
import { readUsableKeys } from './stored-keys.js'

/** A user with its UUID and its keys that are not revoked. */
export type UserRow = User & { readonly user: string; readonly api_keys: readonly string[] }

/** What a user was before a change, and is after it. */
export type UserChange = { readonly before: User; readonly after: User }

/** What becomes of a user, and what is changed with it. It is `noUser` before its creation, and after its deletion. */
export type OwnRule = (before: User, together: Together) => User | Promise<User>

/** A user that was created. */
export type CreatedUser = UserChange & { readonly id: string }

const { keys: keyCollection, users } = systemCollections

/** The fault of an e-mail address that another user has. */
export const emailTaken = fault('email', 'taken', 'belongs to another user')

/** Users, whose e-mail addresses are unique. */
export const usersTarget: Target = {
  collection: users.name,
  uniqueText: (value) => userIn({ id: '', value }).email,
  taken: emailTaken,
}

/** Whom the administration of users concerns besides. */
type People = {
  readonly accounts: Accounts
  readonly endAccess: EndAccess
  readonly signInLinks: Pick<SignInLinks, 'makers' | 'removals'>
  readonly mailQueue: Pick<MailQueue, 'sendToFormer'>
}

/** NotFound for a user that does not exist, or that the caller may not see. */
const requireSeen = (caller: UserRights, user: User): void => {
  if (user === noUser || !maySeeUser(caller, user)) fail(notFound)
}

/**
 * Creates, lists, changes and deletes API users for a caller who may (docs/behaviour/administration.md#users). A user
 * that the caller may not see is NotFound. Functions throw a Failure.
 */
export class AdministerUsers {
  private readonly system = documentsIn(this.ports.documents, systemInstance)

  constructor(
    private readonly ports: Pick<Ports, 'documents' | 'ids' | 'clock'>,
    private readonly write: WriteDocument,
    private readonly guardRights: GuardRights,
    private readonly people: People,
  ) {}

  /** The users with their valid keys, in the order of their creation. */
  async list(): Promise<readonly UserRow[]> {
    const found: Document[] = []
    await forEachPage({ documents: this.system, collection: users.name, limit: 500 }, (page) =>
      found.push(...page),
    )
    const keys = await readUsableKeys(this.ports.documents)
    return found.map((document) => ({
      user: document.id,
      ...userIn(document),
      api_keys: keys.flatMap((key) => (key.user === document.id ? [key.api_key] : [])),
    }))
  }

  async find(caller: UserRights, id: string): Promise<User> {
    const user = (await this.people.accounts.user(id)) ?? noUser
    requireSeen(caller, user)
    return user
  }

  /** Creates a user with an id, by default a new one. */
  async create(
    caller: UserRights,
    user: User,
    recorded: Recorded<CreatedUser>,
    id = this.ports.ids.uuid(),
  ): Promise<CreatedUser> {
    throwIf(userChangeProblem(caller, null, user))
    await this.#requireInstances([], user.roles)
    const created = { id, before: noUser, after: user }
    await this.#write(
      id,
      (before) => (before === noUser ? user : fail(contended)),
      (_made, write) => recorded(created, write),
    )
    return created
  }

  /** Changes a user, and returns what it was and is. */
  change(
    caller: UserRights,
    id: string,
    rule: (before: User) => User,
    isConfirmed: boolean,
    recorded: Recorded<UserChange>,
  ): Promise<UserChange> {
    const permitted: OwnRule = async (before, together) => {
      requireSeen(caller, before)
      const after = rule(before)
      throwIf(userChangeProblem(caller, before, after))
      await this.#requireInstances(before.roles, after.roles)
      if (!isConfirmed) await this.#requireNoGain(id, { before, after })
      const reduction = reductionOf(id, effectiveRights(before), effectiveRights(after))
      if (reduction !== null) together(await this.guardRights(confirmedOr(reduction, isConfirmed)))
      return after
    }
    return this.#write(id, permitted, recorded)
  }

  /** Changes what people may change of themselves. */
  async changeOwn(id: string, rule: OwnRule, recorded: Recorded<null>): Promise<void> {
    const own: OwnRule = (before, together) => (before === noUser ? fail(notFound) : rule(before, together))
    await this.#write(id, own, (_made, write) => recorded(null, write))
  }

  /** Deletes a user with what belongs to it, and returns what it was. */
  async remove(
    caller: UserRights,
    id: string,
    isConfirmed: boolean,
    recorded: Recorded<User>,
  ): Promise<User> {
    const permitted: OwnRule = async (before, together) => {
      // Finishes a deletion that was interrupted.
      if (before === noUser) return noUser
      throwIf(userChangeProblem(caller, before, null))
      together(await this.guardRights(confirmedOr({ kind: 'removedUser', user: id }, isConfirmed)))
      return noUser
    }
    const { before } = await this.#write(id, permitted, (made, write) => recorded(made.before, write))
    requireSeen(caller, before)
    return before
  }

  /** Removes the roles of a user on an instance that is deleted, and the user if that was all it had. */
  async leaveInstance(id: string, instance: number): Promise<void> {
    const left: OwnRule = (before) => {
      const roles = withoutRole(before.roles, instance, null)
      if (roles.length === before.roles.length) return before
      return hasRights({ ...before, roles }) ? { ...before, roles } : noUser
    }
    await this.#write(id, left, unrecorded.write)
  }

  async #requireInstances(before: readonly InstanceRoles[], after: readonly InstanceRoles[]): Promise<void> {
    for (const change of roleChanges(before, after))
      if (change.after.some((role) => !change.before.includes(role)))
        await requireInstance(this.ports, change.instance)
  }

  /** Who else has made ways in for a user: their keys, their open links, and the address that an administrator has set. */
  async #makersOf(id: string, { email_set_by: setter }: User): Promise<readonly MadeWayIn[]> {
    const keys = await readUsableKeys(this.ports.documents)
    const made = [
      ...keys.flatMap(({ user, created_by: maker, created_by_name: name }) =>
        user === id && maker !== null ? [{ made: 'keys' as const, id: maker, name }] : [],
      ),
      ...(await this.people.signInLinks.makers(id)).map(({ user, name }) => ({
        made: 'link' as const,
        id: user,
        name,
      })),
      ...(setter === null ? [] : [{ made: 'address' as const, id: setter, name: null }]),
    ].filter((each) => each.id !== id)
    const ways = new Map(made.map((each) => [`${each.made} ${each.id}`, each]))
    const makers = [...new Set(made.map((each) => each.id))]
    const found = await this.system.getMany(users.name, makers, 'light')
    const known = new Map(found.map((document) => [document.id, userIn(document)]))
    return [...ways.values()].map(({ made: what, id: maker, name }) => {
      const user = known.get(maker) ?? userOf({ name: 'a deleted user' })
      return { made: what, maker: { ...user, name: name ?? user.name } }
    })
  }

  /** BadParameters if new rights would be reached by ways in that others have made, who do not have them. */
  async #requireNoGain(id: string, { before, after }: UserChange): Promise<void> {
    if (roleChanges(before.roles, after.roles).length === 0 && before.operator === after.operator) return
    const unconfirmed = confirmFault(gainEffects(before, after, await this.#makersOf(id, before)))
    throwIf(unconfirmed === null ? null : badParameters([unconfirmed]))
  }

  /**
   * Writes what becomes of a user, and what follows from it. The links that end are removed by the same write, and so are the
   * account and the keys of a user who is deleted. Sessions are ended before it, so that none is left if the process ends in
   * between. Both are ended again after it, for what was begun meanwhile. A former address receives a mail about the change.
   */
  async #write(id: string, rule: OwnRule, recorded: Recorded<UserChange>): Promise<UserChange> {
    const { accounts, endAccess, mailQueue, signInLinks } = this.people
    let made: UserChange = { before: noUser, after: noUser }
    await this.write(
      usersTarget,
      id,
      async (value, together) => {
        const before = value === null ? noUser : userIn({ id, value })
        const changes: Change[] = []
        const after = await rule(before, (...others) => changes.push(...others))
        made = { before, after }
        changes.push(...(await signInLinks.removals(id, endedAccess(before, after).links)))
        if (after === noUser)
          changes.push(...(await accounts.removals(id)), ...(await this.#removalsOfKeys(id)))
        together(...oncePerDocument(changes))
        return after === noUser ? null : { ...value, ...after }
      },
      async (_value, writeAll) => {
        // Tokens are found by the keys, which the write removes.
        if (endedAccess(made.before, made.after).sessions) await endAccess.sessions(id)
        return recorded(made, writeAll)
      },
    )
    const { before, after } = made
    await endAccess.ofChange(id, before, after)
    if (after === noUser) await this.#forget(id)
    else if (before.email !== null && before.email !== after.email)
      await mailQueue.sendToFormer(id, before.email)
    return made
  }

  /** Removes what is left of a user who was deleted. The audit log then retains no way to reach the person. */
  async #forget(id: string): Promise<void> {
    await removeAllStored(this.system, keyCollection.name, [{ key: 'user', equals: id }])
    await forgetPerson(this.system, id)
  }

  /** The removal of the keys of a user, as far as they fit into one write; revoked ones may be more. */
  async #removalsOfKeys(user: string): Promise<readonly Change[]> {
    const where = [{ key: 'user', equals: user }]
    const query = { where, order: [], skip: 0, limit: mostTogether, detail: 'light' } as const
    const found = await this.system.find(keyCollection.name, query)
    return found.documents.map((key) => removeDocument(keyCollection.name, key))
  }
}
