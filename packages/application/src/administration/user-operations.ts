/** The administration of API users and their roles (docs/behaviour/administration.md#users). */
import {
  acceptedState,
  badParameters,
  draftAttributes,
  E,
  maySeeUser,
  namedInstanceProblem,
  normalRoles,
  pipe,
  roleChanges,
  rolesOnInstance,
  rolesOfUser,
  TE,
  userAttributes,
  userRows,
  userOf,
  viewOf,
  visibleRoles,
  withoutRole,
  withRole,
  withVisibleRoles,
  deploymentOperations,
  type AttributeTable,
  type InstanceRoles,
  type JsonObject,
  type Listing,
  type Parameters,
  type Role,
  type User,
  type UserRights,
  type WriteMode,
} from '@publishing-service/domain'
import { userIn } from '../access/stored-user.js'
import { systemCollections } from '../collections.js'
import type { DeploymentChange, DeploymentOperation, DeploymentSession } from '../deployment-operation.js'
import { noProblem, type Failure, type Outcome } from '../failure.js'
import { attempt } from '../attempt.js'
import type { UserChange } from './administer-users.js'
import { confirmationIn } from './confirmation.js'
import { deploymentView, listRows } from './list-rows.js'

type Named = { readonly id: string }
/** The parameter `confirm` is among the parameters. */
type Confirmable = { readonly parameters: Parameters }
type Body = { readonly body: JsonObject }

/** A user as the caller sees it. */
const shownTo = (rights: UserRights, user: User): User => ({ ...user, roles: visibleRoles(rights, user) })

/** The decoded body of a request, or its faults. */
export const draftOf = <T extends AttributeTable>(
  { strict }: DeploymentSession,
  attributes: T,
  mode: WriteMode,
  input: JsonObject,
  previous: JsonObject | null,
) => {
  const context = { zone: 'UTC', streamingHosts: [], strict }
  const { state, faults } = draftAttributes({ attributes }, { mode, input, previous, context })
  return faults.length > 0
    ? E.left<Failure>(badParameters(faults))
    : E.right(acceptedState(attributes, state))
}

const instancesOf = (roles: readonly InstanceRoles[]): readonly number[] =>
  roles.map(({ instance }) => instance)

/** The state of a user after a request. Roles that the caller does not see remain. */
const draftUser = (
  session: DeploymentSession,
  mode: WriteMode,
  input: JsonObject,
  before: User | null,
): E.Either<Failure, User> => {
  const { rights } = session
  const draft = draftOf(
    session,
    userAttributes,
    mode,
    input,
    before === null ? null : shownTo(rights, before),
  )
  if (E.isLeft(draft)) return draft
  const { name, operator, roles } = draft.right
  const after = userOf({ name, operator: operator ?? false, roles: roles ?? [] })
  return pipe(
    noProblem(namedInstanceProblem(rights, instancesOf(roles ?? []))),
    E.map(() =>
      before === null ? after : { ...after, roles: withVisibleRoles(rights, before, after.roles) },
    ),
  )
}

/** What the audit log records of a change of a user: itself, and the change of its roles on each instance. */
const changesOf = (id: string, { before, after }: UserChange): readonly DeploymentChange[] => {
  const title = after.name === '' ? before.name : after.name
  const changes = Object.fromEntries(
    (['name', 'operator'] as const)
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, { before: before[name], after: after[name] }]),
  )
  const ofRoles = roleChanges(before.roles, after.roles).map(({ instance, ...roles }): DeploymentChange => ({
    object: id,
    instance,
    title,
    changes: { roles },
  }))
  return Object.keys(changes).length > 0 || ofRoles.length === 0
    ? [{ object: id, title, changes }, ...ofRoles]
    : ofRoles
}

const noUser = userOf({})

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
            testKey: JSON.stringify(rights),
          }),
      stateOf: (document) => shownTo(rights, userIn(document)),
    })
  },
}

export const readUser: DeploymentOperation<Named, JsonObject> = {
  ...deploymentOperations.readUser,
  run: (session, { id }) =>
    pipe(
      session.administerUsers.find(session.rights, id),
      TE.map((user) => viewOf(userRows, shownTo(session.rights, user), deploymentView(session, id))),
    ),
}

/** Creates a user and returns its id. */
export const createUser: DeploymentOperation<Body, UserChange & Named> = {
  ...deploymentOperations.createUser,
  run:
    (session, { body }) =>
    () =>
      attempt(async (get) => {
        const after = get(draftUser(session, 'put', body, null))
        const id = get(await session.administerUsers.create(session.rights, after)())
        return { id, before: noUser, after }
      }),
  changed: (_input, { id, ...change }) => changesOf(id, change),
}

/** Changes a user; `rule` returns what it is afterwards. */
const change =
  (
    { administerUsers, rights }: DeploymentSession,
    { id, parameters }: Named & Confirmable,
    rule: (before: User) => E.Either<Failure, User>,
  ): Outcome<UserChange> =>
  () =>
    attempt(async (get) => {
      const isConfirmed = get(confirmationIn(parameters))
      return get(await administerUsers.change(rights, id, rule, isConfirmed)())
    })

/** Changes the roles of a user on the named instances; `rolesAfter` returns all its roles. */
const changeRoles = (
  session: DeploymentSession,
  user: Named & Confirmable,
  named: readonly number[],
  rolesAfter: (before: User) => readonly InstanceRoles[],
): Outcome<UserChange> =>
  change(session, user, (before) =>
    pipe(
      noProblem(namedInstanceProblem(session.rights, named)),
      E.map(() => ({ ...before, roles: normalRoles(rolesAfter(before)) })),
    ),
  )

const userChanged = {
  changed: ({ id }: Named, made: UserChange): readonly DeploymentChange[] => changesOf(id, made),
}

export const changeUser: DeploymentOperation<Named & Body & Confirmable, UserChange> = {
  ...deploymentOperations.changeUser,
  ...userChanged,
  run: (session, { body, ...user }) =>
    change(session, user, (before) => draftUser(session, 'patch', body, before)),
}

/** Deletes a user with its keys. */
export const removeUser: DeploymentOperation<Named & Confirmable, User> = {
  ...deploymentOperations.removeUser,
  run:
    ({ administerUsers, rights }, { id, parameters }) =>
    () =>
      attempt(async (get) => {
        const isConfirmed = get(confirmationIn(parameters))
        return get(await administerUsers.remove(rights, id, isConfirmed)())
      }),
  changed: ({ id }, before) => changesOf(id, { before, after: noUser }),
}

/** The roles of a user by instance. */
export const readUserRoles: DeploymentOperation<Named, readonly InstanceRoles[]> = {
  ...deploymentOperations.readUserRoles,
  run: ({ administerUsers, rights }, { id }) =>
    pipe(
      administerUsers.find(rights, id),
      TE.map((user) => visibleRoles(rights, user)),
    ),
}

/** Replaces all roles of a user that the caller sees. */
export const replaceUserRoles: DeploymentOperation<Named & Body & Confirmable, UserChange> = {
  ...deploymentOperations.replaceUserRoles,
  ...userChanged,
  run: (session, { body, ...user }) => {
    const draft = draftOf(session, rolesOfUser, 'put', body, null)
    if (E.isLeft(draft)) return TE.left(draft.left)
    const { items } = draft.right
    return changeRoles(session, user, instancesOf(items), (before) =>
      withVisibleRoles(session.rights, before, normalRoles(items)),
    )
  },
}

type OnInstance = Named & { readonly instance: number }

/** The roles of a user on one instance. */
export const readInstanceRoles: DeploymentOperation<OnInstance, readonly Role[]> = {
  ...deploymentOperations.readInstanceRoles,
  run:
    ({ administerUsers, rights }, { id, instance }) =>
    () =>
      attempt(async (get) => {
        const { roles } = get(await administerUsers.find(rights, id)())
        get(noProblem(namedInstanceProblem(rights, [instance])))
        return roles.find((each) => each.instance === instance)?.roles ?? []
      }),
}

/** Replaces the roles of a user on one instance. */
export const replaceInstanceRoles: DeploymentOperation<OnInstance & Body & Confirmable, UserChange> = {
  ...deploymentOperations.replaceInstanceRoles,
  ...userChanged,
  run: (session, { body, instance, ...user }) => {
    const draft = draftOf(session, rolesOnInstance, 'put', body, null)
    if (E.isLeft(draft)) return TE.left(draft.left)
    const { roles } = draft.right
    return changeRoles(session, user, [instance], (before) => [
      ...withoutRole(before.roles, instance, null),
      { instance, roles },
    ])
  },
}

/** Removes all roles of a user on one instance. */
export const removeInstanceRoles: DeploymentOperation<OnInstance & Confirmable, UserChange> = {
  ...deploymentOperations.removeInstanceRoles,
  ...userChanged,
  run: (session, { instance, ...user }) =>
    changeRoles(session, user, [instance], ({ roles }) => withoutRole(roles, instance, null)),
}

/** Adds a role on an instance to those of a user, for a command. */
export const grantRole: DeploymentOperation<OnInstance & Confirmable & { readonly role: Role }, UserChange> =
  {
    ...deploymentOperations.replaceInstanceRoles,
    ...userChanged,
    run: (session, { instance, role, ...user }) =>
      changeRoles(session, user, [instance], ({ roles }) => withRole(roles, instance, role)),
  }

/** Removes one role of a user on an instance, for a command. */
export const revokeRole: DeploymentOperation<OnInstance & Confirmable & { readonly role: Role }, UserChange> =
  {
    ...deploymentOperations.replaceInstanceRoles,
    ...userChanged,
    run: (session, { instance, role, ...user }) =>
      changeRoles(session, user, [instance], ({ roles }) => withoutRole(roles, instance, role)),
  }
