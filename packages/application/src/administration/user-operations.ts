/** The administration of API users and their roles (docs/behaviour/administration.md#users). */
import { viewOf, type Role, type WriteMode } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import {
  confirmedByOwnerProblem,
  deploymentOperations,
  type InstanceRoles,
  maySeeUser,
  namedInstanceProblem,
  noUser,
  normalRoles,
  rolesOfUser,
  rolesOnInstance,
  type User,
  userAttributes,
  userOf,
  userRecords,
  type UserRights,
  userRows,
  visibleRoles,
  withoutRole,
  withRole,
  withSetEmail,
  withVisibleRoles,
} from '@publishing-service/access'
import { userIn } from '../access/stored-user.js'
import { systemCollections } from '../collections.js'
import type { DeploymentChange, DeploymentOperation, DeploymentSession } from '../deployment-operation.js'
import { throwIf } from '../attempt.js'
import type { Recorded } from '../recording.js'
import type { CreatedUser, UserChange } from './administer-users.js'
import { requirePrecondition } from '../engine/precondition.js'
import { confirmationIn } from './confirmation.js'
import { draftOf } from './draft-of.js'
import { deploymentView, listRows } from './list-rows.js'

type Named = { readonly id: string }
/** The parameter `confirm` is among the parameters. */
type Confirmable = { readonly parameters: Parameters }
type Body = { readonly body: JsonObject }

/** A user as the caller sees it. */
const shownTo = (rights: UserRights, user: User): User => ({ ...user, roles: visibleRoles(rights, user) })

const shownUser = (session: DeploymentSession, id: string, user: User): JsonObject =>
  viewOf(userRows, shownTo(session.rights, user), deploymentView(session, id))

const instancesOf = (roles: readonly InstanceRoles[]): readonly number[] =>
  roles.map(({ instance }) => instance)

/** The state of a user after a request. Roles that the caller does not see remain. */
const draftUser = (
  session: DeploymentSession,
  mode: WriteMode,
  input: JsonObject,
  before: (User & { readonly id: string }) | null,
): User => {
  const { caller, rights } = session
  const previous = before === null ? null : shownTo(rights, before)
  const draft = draftOf(session, userAttributes, mode, input, previous)
  const after = userOf(draft)
  throwIf(namedInstanceProblem(rights, instancesOf(draft.roles ?? [])))
  const setter = {
    id: caller.id,
    isOwn: caller.id !== null && before?.id === caller.id,
    operator: rights.operator,
    isStated: Object.hasOwn(input, 'email_confirmed'),
  }
  const changed = withSetEmail(before, after, setter)
  throwIf(confirmedByOwnerProblem(before, changed, setter))
  return before === null ? changed : { ...changed, roles: withVisibleRoles(rights, before, changed.roles) }
}

/** What the audit log says of a change of a user. */
export const changesOf = (id: string, { before, after }: UserChange): readonly DeploymentChange[] =>
  userRecords(before, after).map((record) => ({ object: id, ...record }))

/** The users that the caller may see. */
export const listUsers: DeploymentOperation<{ readonly parameters: Parameters }, Listing> = {
  ...deploymentOperations.listUsers,
  run: (session, { parameters }) => {
    const { rights } = session
    return listRows(session, {
      collection: systemCollections.users.name,
      rows: userRows,
      parameters,
      ...(rights.operator
        ? {}
        : {
            test: (value) => maySeeUser(rights, userIn({ id: '', value })),
          }),
      stateOf: (document) => shownTo(rights, userIn(document)),
    })
  },
}

export const readUser: DeploymentOperation<Named, JsonObject> = {
  ...deploymentOperations.readUser,
  run: async (session, { id }) => {
    const user = await session.administerUsers.find(session.rights, id)
    return shownUser(session, id, user)
  },
}

/** Creates a user and returns its id. */
export const createUser: DeploymentOperation<Body, CreatedUser> = {
  ...deploymentOperations.createUser,
  run: async (session, { body }) =>
    session.administerUsers.create(session.rights, draftUser(session, 'put', body, null), session.recorded),
  changed: (_input, { id, ...change }) => changesOf(id, change),
}

/** Changes a user; `rule` returns what it is afterwards, and throws why it is not changed. */
const change = async (
  { administerUsers, recorded, rights }: DeploymentSession<UserChange>,
  { id, parameters }: Named & Confirmable,
  rule: (before: User) => User,
): Promise<UserChange> => administerUsers.change(rights, id, rule, confirmationIn(parameters), recorded)

const rolesOn = (instance: number, { roles }: User): readonly Role[] =>
  roles.find((each) => each.instance === instance)?.roles ?? []

/** Changes the roles of a user on one instance; `rolesAfter` returns all its roles. */
const changeRolesOn = (
  session: DeploymentSession<UserChange>,
  { instance, ...user }: OnInstance & Confirmable,
  rolesAfter: (before: User) => readonly InstanceRoles[],
): Promise<UserChange> =>
  change(session, user, (before) => {
    throwIf(namedInstanceProblem(session.rights, [instance]))
    requirePrecondition(session.precondition, { roles: rolesOn(instance, before) })
    return { ...before, roles: normalRoles(rolesAfter(before)) }
  })

const userChanged = {
  changed: ({ id }: Named, made: UserChange): readonly DeploymentChange[] => changesOf(id, made),
}

export const changeUser: DeploymentOperation<Named & Body & Confirmable, UserChange> = {
  ...deploymentOperations.changeUser,
  ...userChanged,
  run: (session, { body, ...user }) =>
    change(session, user, (before) => {
      requirePrecondition(session.precondition, shownUser(session, user.id, before))
      return draftUser(session, 'patch', body, { ...before, id: user.id })
    }),
}

/** Deletes a user with its keys. */
export const removeUser: DeploymentOperation<Named & Confirmable, User> = {
  ...deploymentOperations.removeUser,
  run: async (session, { id, parameters }) => {
    const { administerUsers, precondition, rights } = session
    const recorded: Recorded<User> = (user, write) => {
      requirePrecondition(precondition, shownUser(session, id, user))
      return session.recorded(user, write)
    }
    return administerUsers.remove(rights, id, confirmationIn(parameters), recorded)
  },
  changed: ({ id }, before) => changesOf(id, { before, after: noUser }),
}

/** The roles of a user by instance. */
export const readUserRoles: DeploymentOperation<Named, readonly InstanceRoles[]> = {
  ...deploymentOperations.readUserRoles,
  run: async ({ administerUsers, rights }, { id }) =>
    visibleRoles(rights, await administerUsers.find(rights, id)),
}

/** Replaces all roles of a user that the caller sees. */
export const replaceUserRoles: DeploymentOperation<Named & Body & Confirmable, UserChange> = {
  ...deploymentOperations.replaceUserRoles,
  ...userChanged,
  run: async (session, { body, ...user }) => {
    const { items } = draftOf(session, rolesOfUser, 'put', body, null)
    const { precondition, rights } = session
    return change(session, user, (before) => {
      throwIf(namedInstanceProblem(rights, instancesOf(items)))
      requirePrecondition(precondition, { items: visibleRoles(rights, before) })
      return { ...before, roles: withVisibleRoles(rights, before, normalRoles(items)) }
    })
  },
}

type OnInstance = Named & { readonly instance: number }

/** The roles of a user on one instance. */
export const readInstanceRoles: DeploymentOperation<OnInstance, readonly Role[]> = {
  ...deploymentOperations.readInstanceRoles,
  run: async ({ administerUsers, rights }, { id, instance }) => {
    const user = await administerUsers.find(rights, id)
    throwIf(namedInstanceProblem(rights, [instance]))
    return rolesOn(instance, user)
  },
}

/** Replaces the roles of a user on one instance. */
export const replaceInstanceRoles: DeploymentOperation<OnInstance & Body & Confirmable, UserChange> = {
  ...deploymentOperations.replaceInstanceRoles,
  ...userChanged,
  run: async (session, { body, ...at }) => {
    const { instance } = at
    const { roles } = draftOf(session, rolesOnInstance, 'put', body, null)
    return changeRolesOn(session, at, (before) => [
      ...withoutRole(before.roles, instance, null),
      { instance, roles },
    ])
  },
}

/** Removes all roles of a user on one instance. */
export const removeInstanceRoles: DeploymentOperation<OnInstance & Confirmable, UserChange> = {
  ...deploymentOperations.removeInstanceRoles,
  ...userChanged,
  run: (session, at) => changeRolesOn(session, at, ({ roles }) => withoutRole(roles, at.instance, null)),
}

/** Adds a role on an instance to those of a user, for a command. */
export const grantRole: DeploymentOperation<OnInstance & Confirmable & { readonly role: Role }, UserChange> =
  {
    ...deploymentOperations.replaceInstanceRoles,
    ...userChanged,
    run: (session, { role, ...at }) =>
      changeRolesOn(session, at, ({ roles }) => withRole(roles, at.instance, role)),
  }

/** Removes one role of a user on an instance, for a command. */
export const revokeRole: DeploymentOperation<OnInstance & Confirmable & { readonly role: Role }, UserChange> =
  {
    ...deploymentOperations.replaceInstanceRoles,
    ...userChanged,
    run: (session, { role, ...at }) =>
      changeRolesOn(session, at, ({ roles }) => withoutRole(roles, at.instance, role)),
  }
