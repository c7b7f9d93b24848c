import {
  badParameters,
  confirmFault,
  E,
  fault,
  gainEffects,
  isRole,
  maySeeUser,
  notFound,
  parseUuid,
  pipe,
  reductionOf,
  roleChanges,
  TE,
  userChangeProblem,
  withoutRole,
  withRole,
  type AdministeredUser,
  type InstanceRoles,
  type JsonObject,
  type Role,
  type RoleChange,
  type UserRights,
} from '@publishing-service/domain'
import { administeredUserOf, StoredUser } from '../access/stored-user.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { contended, failIf, type Failure, type Outcome } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import { forEachPage } from '../objects/for-each-page.js'
import type { UpdateDocument, WritableTarget } from '../objects/update-document.js'
import type { Ports } from '../ports.js'
import { requireInstance, roleFaults } from './administer-keys.js'
import type { AnnounceRights, GuardRights } from './guard-rights.js'
import { readUsableKeys } from './stored-keys.js'

export type UserRow = {
  /** UUID */
  readonly user: string
  readonly name: string
  readonly operator: boolean
  readonly roles: readonly InstanceRoles[]
  /** Keys that are not revoked. */
  readonly apiKeys: readonly string[]
}

/** What a user was before a change, and is after it. */
export type UserChange = { readonly before: AdministeredUser; readonly after: AdministeredUser }

/** A role on an instance, or all roles there for null. */
export type RoleRemoval = { readonly instance: number; readonly role: Role | null }

const { keys: keyCollection, users } = systemCollections
const maxNameLength = 255
/** The rights of the command line. */
const commandLine: UserRights = { operator: true, roles: [] }

const target: WritableTarget = {
  collection: users.name,
  unique: () => null,
  rejection: () => null,
}

const rowOf = (id: string, value: JsonObject, apiKeys: readonly string[]): UserRow => {
  const user = decodeStored(StoredUser, { id, value })
  const { name, operator, roles } = administeredUserOf(user)
  return { user: id, name, operator, roles, apiKeys }
}

/** Creates and lists API users, and changes their roles (docs/behaviour/access.md#keys). Unknown users are NotFound. */
export const administerUsers = (
  ports: Pick<Ports, 'documents' | 'ids'>,
  update: UpdateDocument,
  guardRights: GuardRights,
) => {
  const { documents, ids } = ports

  const usableKeys = readUsableKeys(documents)

  const keysOf = (user: string): Outcome<readonly string[]> =>
    pipe(
      usableKeys,
      TE.map((keys) => keys.filter((key) => key.user === user).map((key) => key.api_key)),
    )

  const list: Outcome<readonly UserRow[]> = async () => {
    const found: { readonly id: string; readonly value: JsonObject }[] = []
    const read = await forEachPage(
      { documents: documentsIn(documents, systemInstance), collection: users.name, limit: 500 },
      (page) => found.push(...page),
    )()
    if (E.isLeft(read)) return read
    const keys = await usableKeys()
    if (E.isLeft(keys)) return keys
    return E.right(
      found.map(({ id, value }) =>
        rowOf(
          id,
          value,
          keys.right.filter((key) => key.user === id).map((key) => key.api_key),
        ),
      ),
    )
  }

  const missingInstances = (changes: readonly RoleChange[]): Outcome<void> => {
    const granted = changes.filter(({ before, after }) => after.some((role) => !before.includes(role)))
    return granted.reduce<Outcome<void>>(
      (checked, { instance }) =>
        pipe(
          checked,
          TE.chain(() => requireInstance(ports, instance)),
        ),
      TE.right(undefined),
    )
  }

  /** The users who have made keys of this user, with their present rights. */
  const makersOf = (id: string): Outcome<readonly AdministeredUser[]> =>
    pipe(
      usableKeys,
      TE.chainW((keys) => {
        const names = new Map<string, string>()
        for (const { user, created_by: maker } of keys)
          if (user === id && maker !== null && maker.user !== id) names.set(maker.user, maker.name)
        return pipe(
          documents.getMany(users.name, systemInstance, [...names.keys()], 'light'),
          TE.map((found) => {
            const byId = new Map(found.map((each) => [each.id, decodeStored(StoredUser, each)]))
            return [...names].map(([maker, name]) => ({ ...administeredUserOf(byId.get(maker) ?? {}), name }))
          }),
        )
      }),
    )

  /** BadParameters if keys that others have made would gain rights. */
  const requireNoGain = (id: string, { before, after }: UserChange): Outcome<void> =>
    roleChanges(before.roles, after.roles).length === 0 && before.operator === after.operator
      ? TE.right(undefined)
      : pipe(
          makersOf(id),
          TE.chain((makers) => {
            const found = confirmFault(gainEffects(before, after, makers))
            return failIf(found === null ? null : badParameters([found]))
          }),
        )

  /** Announces what a change takes away, if it takes away anything that only few have. */
  const announceReduction = (
    announce: AnnounceRights,
    id: string,
    { before, after }: UserChange,
    isConfirmed: boolean,
  ): Outcome<void> => {
    const reduction = reductionOf(id, before, after)
    return reduction === null ? TE.right(undefined) : announce(reduction, isConfirmed)
  }

  const read = (id: string): Outcome<AdministeredUser & { readonly version: number }> =>
    pipe(
      documents.get(users.name, systemInstance, id),
      TE.chainEitherKW((found) =>
        found === null
          ? E.left<Failure, AdministeredUser & { readonly version: number }>(notFound)
          : E.right({
              ...administeredUserOf(decodeStored(StoredUser, found)),
              version: found.version,
            }),
      ),
    )

  /** Keys of a removed user, which cannot be used any more. */
  const removeKeys =
    (user: string): Outcome<void> =>
    async () => {
      for (;;) {
        const found = await documents.find(keyCollection.name, systemInstance, {
          where: [{ key: 'user', equals: user }],
          order: [],
          skip: 0,
          limit: 200,
          detail: 'light',
        })()
        if (E.isLeft(found)) return found
        for (const { id, version } of found.right.documents) {
          const removed = await documents.remove(keyCollection.name, systemInstance, id, version)()
          if (E.isLeft(removed) && removed.left._tag === 'PortFailure') return E.left(removed.left)
        }
        if (found.right.next === null) return E.right(undefined)
      }
    }

  /** Changes a user, if the caller may, and returns what it was and is. */
  const changeBy = (
    caller: UserRights,
    id: string,
    change: (before: AdministeredUser) => E.Either<Failure, AdministeredUser>,
    isConfirmed: boolean,
  ): Outcome<UserChange> => {
    let result: UserChange | null = null
    return pipe(
      guardRights((announce) =>
        update({ ...target, urgent: true }, id, (value) => {
          const before = administeredUserOf(decodeStored(StoredUser, { id, value }))
          if (!maySeeUser(caller, before)) return TE.left(notFound)
          const changed = change(before)
          if (E.isLeft(changed)) return TE.left(changed.left)
          const after = changed.right
          const problem = userChangeProblem(caller, before, after)
          if (problem !== null) return TE.left(problem)
          return pipe(
            missingInstances(roleChanges(before.roles, after.roles)),
            TE.chain(() => (isConfirmed ? TE.right(undefined) : requireNoGain(id, { before, after }))),
            TE.chain(() => announceReduction(announce, id, { before, after }, isConfirmed)),
            TE.map(() => {
              result = { before, after }
              const { name, operator, roles } = after
              return { ...value, name, operator, roles }
            }),
          )
        }),
      ),
      TE.map(() => {
        if (result === null) throw new Error('a user was changed without a change')
        return result
      }),
    )
  }

  /** A change by the command line. */
  const changeRow = (
    user: string,
    isConfirmed: boolean,
    change: (before: AdministeredUser) => Partial<AdministeredUser>,
  ): Outcome<UserRow> => {
    const id = parseUuid(user)
    if (id === null) return TE.left(notFound)
    return pipe(
      changeBy(commandLine, id, (before) => E.right({ ...before, ...change(before) }), isConfirmed),
      TE.chain(({ after }) =>
        pipe(
          keysOf(id),
          TE.map((apiKeys) => ({ user: id, ...after, apiKeys })),
        ),
      ),
    )
  }

  return {
    /** The user; NotFound if the caller may not see it. */
    find: (caller: UserRights, id: string): Outcome<AdministeredUser> =>
      pipe(
        read(id),
        TE.filterOrElseW(
          (user) => maySeeUser(caller, user),
          () => notFound,
        ),
      ),
    /** Creates a user, if the caller may, and returns its id. */
    createBy: (caller: UserRights, user: AdministeredUser): Outcome<string> => {
      const problem = userChangeProblem(caller, null, user)
      if (problem !== null) return TE.left(problem)
      const id = ids.uuid()
      return pipe(
        missingInstances(roleChanges([], user.roles)),
        TE.chain(() =>
          pipe(
            documents.insert(users.name, systemInstance, { id, unique: null, value: { ...user } }),
            TE.mapLeft((failure): Failure => (failure._tag === 'PortFailure' ? failure : contended)),
          ),
        ),
        TE.map(() => id),
      )
    },
    changeBy,
    /** Deletes a user with its keys, if the caller may. */
    removeBy: (caller: UserRights, id: string, isConfirmed: boolean): Outcome<AdministeredUser> =>
      guardRights((announce) =>
        pipe(
          read(id),
          TE.chainFirst((user) => failIf(userChangeProblem(caller, user, null))),
          TE.chainFirst(() => announce({ kind: 'removedUser', user: id }, isConfirmed)),
          TE.chainFirst(({ version }) =>
            pipe(
              documents.remove(users.name, systemInstance, id, version),
              TE.mapLeft((failure): Failure => (failure._tag === 'PortFailure' ? failure : contended)),
            ),
          ),
          TE.chainFirst(() => removeKeys(id)),
        ),
      ),
    /** A user without roles and keys. */
    create: (name: string): Outcome<UserRow> => {
      if (name.trim() === '' || name.length > maxNameLength)
        return TE.left(badParameters([fault('name', `must have 1 to ${maxNameLength} characters`)]))
      const id = ids.uuid()
      return pipe(
        documents.insert(users.name, systemInstance, { id, unique: null, value: { name, roles: [] } }),
        TE.mapLeft((failure): Failure => (failure._tag === 'PortFailure' ? failure : contended)),
        TE.map(({ value }) => rowOf(id, value, [])),
      )
    },
    /** In the order of their creation. */
    list: (): Outcome<readonly UserRow[]> => list,
    /** Adds a role on an instance, if the user does not have it. */
    grant: (user: string, instance: number, role: string, isConfirmed = false): Outcome<UserRow> => {
      const faults = roleFaults(instance, role)
      if (faults.length > 0 || !isRole(role)) return TE.left(badParameters(faults))
      return pipe(
        requireInstance(ports, instance),
        TE.chain(() =>
          changeRow(user, isConfirmed, ({ roles }) => ({ roles: withRole(roles, instance, role) })),
        ),
      )
    },
    /** Removes a role, or all roles, on an instance. */
    revokeRole: (user: string, { instance, role }: RoleRemoval, isConfirmed = false): Outcome<UserRow> =>
      changeRow(user, isConfirmed, ({ roles }) => ({ roles: withoutRole(roles, instance, role) })),
    /** Makes a user an operator, or no operator any more. */
    setOperator: (user: string, operator: boolean, isConfirmed = false): Outcome<UserRow> =>
      changeRow(user, isConfirmed, () => ({ operator })),
  }
}

export type AdministerUsers = ReturnType<typeof administerUsers>
