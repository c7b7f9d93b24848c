import {
  administeredBy,
  badParameters,
  E,
  fault,
  isRole,
  lossFault,
  lossOf,
  maySeeUser,
  notFound,
  parseUuid,
  pipe,
  roleChanges,
  TE,
  userChangeProblem,
  withoutRole,
  withRole,
  type AdministeredUser,
  type InstanceRoles,
  type JsonObject,
  type Loss,
  type Role,
  type RoleChange,
  type UserRights,
} from '@publishing-service/domain'
import { administeredUserOf, rolesOf, StoredUser } from '../access/stored-user.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import { documentsIn } from '../instance-documents.js'
import { forEachPage } from '../objects/for-each-page.js'
import type { UpdateDocument, WritableTarget } from '../objects/update-document.js'
import type { Ports } from '../ports.js'
import { requireInstance, roleFaults } from './administer-keys.js'
import { readKeys } from './stored-keys.js'

export type UserRow = {
  /** UUID */
  readonly user: string
  readonly name: string
  readonly operator: boolean
  readonly roles: readonly InstanceRoles[]
  /** Keys that are not revoked. */
  readonly apiKeys: readonly string[]
}

/** A role on an instance, or all roles there for null. */
/** What a user was before a change, and is after it. */
export type UserChange = { readonly before: AdministeredUser; readonly after: AdministeredUser }

export type RoleRemoval = { readonly instance: number; readonly role: Role | null }

const { keys: keyCollection, users } = systemCollections
const maxNameLength = 255

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
export const administerUsers = (ports: Pick<Ports, 'documents' | 'ids'>, update: UpdateDocument) => {
  const { documents, ids } = ports

  const usableKeys = pipe(
    readKeys(documents),
    TE.map((rows) => rows.filter(({ revoked }) => revoked === null)),
  )

  const keysOf = (user: string): Outcome<readonly string[]> =>
    pipe(
      usableKeys,
      TE.map((keys) => keys.filter((key) => key.user === user).map((key) => key.api_key)),
    )

  const changeUser = (
    user: string,
    change: (value: JsonObject) => JsonObject,
    urgent?: true,
  ): Outcome<UserRow> => {
    const id = parseUuid(user)
    if (id === null) return TE.left(notFound)
    return pipe(
      update({ ...target, ...(urgent ? { urgent } : {}) }, id, (value) => TE.right(change(value))),
      TE.chain((value) =>
        pipe(
          keysOf(id),
          TE.map((apiKeys) => rowOf(id, value, apiKeys)),
        ),
      ),
    )
  }

  const changeRoles = (
    user: string,
    change: (held: readonly InstanceRoles[]) => readonly InstanceRoles[],
    urgent?: true,
  ): Outcome<UserRow> =>
    changeUser(
      user,
      (value) => ({ ...value, roles: change(rolesOf(decodeStored(StoredUser, { id: user, value }))) }),
      urgent,
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

  /** BadParameters if the change of a user's rights removes the last admin key of an instance, or of an operator. */
  const requireNoLoss = (id: string, before: UserRights, after: UserRights): Outcome<void> => {
    if (!before.operator && administeredBy(before).size === 0) return TE.right(undefined)
    return pipe(
      usableKeys,
      TE.chain((keys) => {
        const left = keys.map((key) =>
          key.user === id ? { operator: after.operator, roles: after.roles } : key,
        )
        const found = lossFault(lossOf(keys, left))
        return found === null ? TE.right(undefined) : TE.left<Failure>(badParameters([found]))
      }),
    )
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
    /** Changes a user, if the caller may, and returns what it was and is. */
    changeBy: (
      caller: UserRights,
      id: string,
      change: (before: AdministeredUser) => E.Either<Failure, AdministeredUser>,
      isConfirmed: boolean,
    ): Outcome<UserChange> => {
      let result: UserChange | null = null
      return pipe(
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
            TE.chain(() => (isConfirmed ? TE.right(undefined) : requireNoLoss(id, before, after))),
            TE.map(() => {
              result = { before, after }
              const { name, operator, roles } = after
              return { ...value, name, operator, roles }
            }),
          )
        }),
        TE.map(() => {
          if (result === null) throw new Error('a user was changed without a change')
          return result
        }),
      )
    },
    /** Deletes a user with its keys, if the caller may. */
    removeBy: (caller: UserRights, id: string, isConfirmed: boolean): Outcome<AdministeredUser> =>
      pipe(
        read(id),
        TE.chainFirst((user) => {
          const problem = userChangeProblem(caller, user, null)
          return problem === null ? TE.right(undefined) : TE.left<Failure>(problem)
        }),
        TE.chainFirst((user) =>
          isConfirmed ? TE.right(undefined) : requireNoLoss(id, user, { operator: false, roles: [] }),
        ),
        TE.chainFirst(({ version }) =>
          pipe(
            documents.remove(users.name, systemInstance, id, version),
            TE.mapLeft((failure): Failure => (failure._tag === 'PortFailure' ? failure : contended)),
          ),
        ),
        TE.chainFirst(() => removeKeys(id)),
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
    grant: (user: string, instance: number, role: string): Outcome<UserRow> => {
      const faults = roleFaults(instance, role)
      if (faults.length > 0 || !isRole(role)) return TE.left(badParameters(faults))
      return pipe(
        requireInstance(ports, instance),
        TE.chain(() => changeRoles(user, (held) => withRole(held, instance, role))),
      )
    },
    /** Removes a role, or all roles, on an instance. */
    revokeRole: (user: string, { instance, role }: RoleRemoval): Outcome<UserRow> =>
      changeRoles(user, (held) => withoutRole(held, instance, role), true),
    /** What no key could do any more after a removal of roles, or of the operator's rights for null. */
    lossOf: (user: string, removal: RoleRemoval | null): Outcome<Loss> =>
      pipe(
        usableKeys,
        TE.map((keys) =>
          lossOf(
            keys,
            keys.map((key) => {
              if (key.user !== parseUuid(user)) return key
              return removal === null
                ? { ...key, operator: false }
                : { ...key, roles: withoutRole(key.roles, removal.instance, removal.role) }
            }),
          ),
        ),
      ),
    /** Makes a user an operator, or no operator any more. */
    setOperator: (user: string, operator: boolean): Outcome<UserRow> =>
      changeUser(user, (value) => ({ ...value, operator }), true),
  }
}

export type AdministerUsers = ReturnType<typeof administerUsers>
