import { badParameters, fault, notFound } from '@publishing-service/domain'
import {
  confirmFault,
  effectiveRights,
  endedAccess,
  gainEffects,
  type MadeWayIn,
  type InstanceRoles,
  linkKinds,
  maySeeUser,
  noUser,
  reductionOf,
  roleChanges,
  type User,
  userChangeProblem,
  userOf,
  type UserRights,
} from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { Appended, Change, Document } from '@publishing-service/ports'
import { requireInstance } from '../access/stored-instance.js'
import { userIn } from '../access/stored-user.js'
import type { EndAccess } from '../accounts/end-access.js'
import type { MailQueue } from '../accounts/mail-queue.js'
import type { SignInLinks } from '../accounts/sign-in-links.js'
import type { Accounts } from '../accounts/stored-account.js'
import { fail, throwIf } from '../attempt.js'
import { forgetPerson } from '../audit/forget-person.js'
import { systemCollections, systemInstance } from '../collections.js'
import type { Recorded } from '../recording.js'
import { contended } from '../failure.js'
import { documentsIn, type InstanceDocuments } from '../instance-store.js'
import { forEachPage } from '../engine/for-each-page.js'
import { removeAllStored } from '../engine/remove-stored.js'
import { mostTogether } from '../engine/cascade.js'
import { oncePerDocument, removeDocument } from '../document-changes.js'
import type { UpdateDocument, Target, Together } from '../engine/update-document.js'
import type { Ports } from '../ports.js'
import { confirmedOr, type GuardRights } from './guard-rights.js'
import { readUsableKeys } from './stored-keys.js'

/** A user with its UUID and its keys that are not revoked. */
export type UserRow = User & { readonly user: string; readonly api_keys: readonly string[] }

/** What a user was before a change, and is after it. */
export type UserChange = { readonly before: User; readonly after: User }

/** What becomes of a user, and what is changed with it. */
export type OwnRule = (before: User, together: Together) => User | Promise<User>

/** A user that was created. */
export type CreatedUser = UserChange & { readonly id: string }

const { keys: keyCollection, users } = systemCollections

/** Users, whose e-mail addresses are unique. */
export const usersTarget: Target = {
  collection: users.name,
  uniqueText: (value) => userIn({ id: '', value }).email,
}

/** BadParameters if another user has the e-mail address. */
export const requireFreeEmail = async (
  accounts: Pick<Accounts, 'userWithEmail'>,
  id: string,
  email: string | null,
): Promise<void> => {
  const holder = email === null ? null : await accounts.userWithEmail(email)
  if (holder !== null && holder.id !== id)
    fail(badParameters([fault('email', 'taken', 'belongs to another user')]))
}

/** The first attempt to remove a user, and its repetitions after conflicts. */
const attempts = 21

/** Whom the administration of users concerns besides. */
type People = {
  readonly accounts: Accounts
  readonly endAccess: EndAccess
  readonly signInLinks: Pick<SignInLinks, 'makers' | 'removals'>
  readonly mailQueue: Pick<MailQueue, 'sendToFormer'>
}

/**
 * Creates, lists, changes and deletes API users for a caller who may (docs/behaviour/administration.md#users). A user
 * that the caller may not see is NotFound. Functions throw a Failure.
 */
export class AdministerUsers {
  private readonly system = documentsIn(this.ports.documents, systemInstance)

  constructor(
    private readonly ports: Pick<Ports, 'documents' | 'ids' | 'clock'>,
    private readonly update: UpdateDocument,
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
    return userIn(await this.#read(caller, id))
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
    await requireFreeEmail(this.people.accounts, id, user.email)
    const position = this.ports.clock.position()
    const document = { id, position, unique: user.email, value: { ...user } }
    const created = { id, before: noUser, after: user }
    const inserted = await recorded(created, (appended) =>
      this.system.write([{ collection: users.name, kind: 'insert', document }], appended),
    )
    if (E.isLeft(inserted)) fail(contended)
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
      throwIf(maySeeUser(caller, before) ? null : notFound)
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
    await this.#write(id, rule, (_made, write) => recorded(null, write))
  }

  /** Deletes a user with what belongs to it, and returns what it was. */
  async remove(
    caller: UserRights,
    id: string,
    isConfirmed: boolean,
    recorded: Recorded<User>,
  ): Promise<User> {
    for (let attempted = 0; attempted < attempts; attempted += 1) {
      const document = await this.#read(caller, id)
      const user = userIn(document)
      throwIf(userChangeProblem(caller, user, null))
      const guard = await this.guardRights(confirmedOr({ kind: 'removedUser', user: id }, isConfirmed))
      const removed = await recorded(user, (appended) => this.erase(document, [guard], appended))
      if (E.isRight(removed)) return user
    }
    fail(contended)
  }

  /**
   * Removes a user with its account, keys and links, and ends what it has begun. The audit log then retains no way to reach the
   * person.
   */
  async erase(
    document: Pick<Document, 'id' | 'version'>,
    together: readonly Change[] = [],
    appended: readonly Appended[] = [],
  ): ReturnType<InstanceDocuments['write']> {
    const { id } = document
    const { accounts, endAccess, signInLinks } = this.people
    const changes: readonly Change[] = [
      removeDocument(users.name, document),
      ...together,
      ...(await accounts.removals(id)),
      ...(await signInLinks.removals(id, linkKinds)),
      ...(await this.#removalsOfKeys(id)),
    ]
    // Tokens are found by the keys, which the write removes.
    await endAccess.sessions(id)
    const removed = await this.system.write(changes, appended)
    if (E.isLeft(removed)) return removed
    await endAccess.all(id)
    await removeAllStored(this.system, keyCollection.name, [{ key: 'user', equals: id }])
    await forgetPerson(this.system, id)
    return removed
  }

  async #read(caller: UserRights, id: string): Promise<Document> {
    const found = await this.system.get(users.name, id)
    if (found === null || !maySeeUser(caller, userIn(found))) fail(notFound)
    return found
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
   * Writes a change, and what follows from it. The links that it ends are removed by the same write. Sessions are ended before
   * it, so that none is left if the process ends in between. Both are ended again after it, for what was begun meanwhile. A
   * former address receives a mail about the change.
   */
  async #write(id: string, rule: OwnRule, recorded: Recorded<UserChange>): Promise<UserChange> {
    const { accounts, endAccess, mailQueue, signInLinks } = this.people
    let made: UserChange = { before: noUser, after: noUser }
    await this.update(
      usersTarget,
      id,
      async (value, together) => {
        const before = userIn({ id, value })
        const changes: Change[] = []
        made = { before, after: await rule(before, (...others) => changes.push(...others)) }
        await requireFreeEmail(accounts, id, made.after.email)
        changes.push(...(await signInLinks.removals(id, endedAccess(before, made.after).links)))
        together(...oncePerDocument(changes))
        return { ...value, ...made.after }
      },
      async (_value, writeAll) => {
        if (endedAccess(made.before, made.after).sessions) await endAccess.sessions(id)
        return recorded(made, writeAll)
      },
    )
    const { before, after } = made
    await endAccess.ofChange(id, before, after)
    if (before.email !== null && before.email !== after.email) await mailQueue.sendToFormer(id, before.email)
    return made
  }

  /** The removal of the keys of a user, as far as they fit into one write; revoked ones may be more. */
  async #removalsOfKeys(user: string): Promise<readonly Change[]> {
    const where = [{ key: 'user', equals: user }]
    const query = { where, order: [], skip: 0, limit: mostTogether, detail: 'light' } as const
    const found = await this.system.find(keyCollection.name, query)
    return found.documents.map((key) => removeDocument(keyCollection.name, key))
  }
}
