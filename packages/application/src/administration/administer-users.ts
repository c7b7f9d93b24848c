import {
  badParameters,
  E,
  fault,
  instancesLosingAdmin,
  isRole,
  notFound,
  parseUuid,
  pipe,
  TE,
  withoutRole,
  withRole,
  type InstanceRoles,
  type JsonObject,
  type Role,
} from '@publishing-service/domain'
import { rolesOf, StoredUser } from '../access/stored-user.js'
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
  readonly roles: readonly InstanceRoles[]
  /** Keys that are not revoked. */
  readonly apiKeys: readonly string[]
}

/** A role on an instance, or all roles there for null. */
export type RoleRemoval = { readonly instance: number; readonly role: Role | null }

const { users } = systemCollections
const maxNameLength = 255

const target: WritableTarget = {
  collection: users.name,
  unique: () => null,
  rejection: () => null,
}

const rowOf = (id: string, value: JsonObject, apiKeys: readonly string[]): UserRow => {
  const user = decodeStored(StoredUser, { id, value })
  return { user: id, name: user.name ?? '', roles: rolesOf(user), apiKeys }
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

  const changeRoles = (
    user: string,
    change: (held: readonly InstanceRoles[]) => readonly InstanceRoles[],
    urgent?: true,
  ): Outcome<UserRow> => {
    const id = parseUuid(user)
    if (id === null) return TE.left(notFound)
    return pipe(
      update({ ...target, ...(urgent ? { urgent } : {}) }, id, (value) =>
        TE.right({ ...value, roles: change(rolesOf(decodeStored(StoredUser, { id, value }))) }),
      ),
      TE.chain((value) =>
        pipe(
          keysOf(id),
          TE.map((apiKeys) => rowOf(id, value, apiKeys)),
        ),
      ),
    )
  }

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

  return {
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
    /** The instances that would have no admin key left without this role. */
    instancesLosingAdmin: (user: string, { instance, role }: RoleRemoval): Outcome<readonly number[]> =>
      pipe(
        usableKeys,
        TE.map((keys) =>
          instancesLosingAdmin(
            keys,
            keys.map((key) =>
              key.user === parseUuid(user) ? { roles: withoutRole(key.roles, instance, role) } : key,
            ),
          ),
        ),
      ),
  }
}
