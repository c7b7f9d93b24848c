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
  viewOf,
  visibleRoles,
  withVisibleRoles,
  deploymentOperations,
  type AdministeredUser,
  type AttributeTable,
  type InstanceRoles,
  type JsonObject,
  type Parameters,
  type Role,
  type UserRights,
  type WriteMode,
  type Listing,
} from '@publishing-service/domain'
import { administeredUserOf, StoredUser } from '../access/stored-user.js'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { DeploymentChange, DeploymentOperation, DeploymentSession } from '../deployment-operation.js'
import { failIf, type Failure, type Outcome } from '../failure.js'
import type { UserChange } from './administer-users.js'
import { confirmationIn } from './confirmation.js'
import { deploymentView, listRows } from './list-rows.js'

type User = { readonly id: string }
/** The parameter `confirm` is among the parameters. */
type Confirmable = { readonly parameters: Parameters }
type Body = { readonly body: JsonObject }

/** A user as the caller sees it. */
const shownTo = (rights: UserRights, user: AdministeredUser): JsonObject => ({
  name: user.name,
  operator: user.operator,
  roles: visibleRoles(rights, user),
})

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
  before: AdministeredUser | null,
): E.Either<Failure, AdministeredUser> => {
  const { rights } = session
  const previous = before === null ? null : shownTo(rights, before)
  const draft = draftOf(session, userAttributes, mode, input, previous)
  if (E.isLeft(draft)) return draft
  const { name, operator, roles } = draft.right
  const problem = namedInstanceProblem(rights, instancesOf(roles ?? []))
  if (problem !== null) return E.left(problem)
  return E.right({
    name,
    operator: operator ?? false,
    roles:
      before === null ? normalRoles(roles ?? []) : withVisibleRoles(rights, before, normalRoles(roles ?? [])),
  })
}

/** What the audit log records of a change of a user: itself, and the change of its roles on each instance. */
const changesOf = (id: string, { before, after }: UserChange): readonly DeploymentChange[] => {
  const changes: Record<string, JsonObject> = {}
  const title = after.name === '' ? before.name : after.name
  if (before.name !== after.name) changes['name'] = { before: before.name, after: after.name }
  if (before.operator !== after.operator)
    changes['operator'] = { before: before.operator, after: after.operator }
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

const noUser: AdministeredUser = { name: '', operator: false, roles: [] }

/** The users that the caller may see. */
export const listUsers: DeploymentOperation<{ readonly parameters: Parameters }, Listing> = {
  ...deploymentOperations.listUsers,
  run: (session, { parameters }) => {
    const { rights } = session
    const userIn = (value: JsonObject, id = ''): AdministeredUser =>
      administeredUserOf(decodeStored(StoredUser, { id, value }))
    return listRows(session, {
      collection: systemCollections.users.name,
      rows: userRows,
      parameters,
      ...(rights.operator
        ? {}
        : { test: (value) => maySeeUser(rights, userIn(value)), testKey: JSON.stringify(rights) }),
      stateOf: ({ id, value }) => shownTo(rights, userIn(value, id)),
    })
  },
}

export const readUser: DeploymentOperation<User, JsonObject> = {
  ...deploymentOperations.readUser,
  run: (session, { id }) =>
    pipe(
      session.administerUsers.find(session.rights, id),
      TE.map((user) => viewOf(userRows, shownTo(session.rights, user), deploymentView(session, id))),
    ),
}

/** Creates a user and returns its id. */
export const createUser: DeploymentOperation<Body, UserChange & User> = {
  ...deploymentOperations.createUser,
  run: (session, { body }) =>
    pipe(
      TE.fromEither(draftUser(session, 'put', body, null)),
      TE.chain((after) =>
        pipe(
          session.administerUsers.createBy(session.rights, after),
          TE.map((id) => ({ id, before: noUser, after })),
        ),
      ),
    ),
  changed: (_input, { id, ...change }) => changesOf(id, change),
}

export const changeUser: DeploymentOperation<User & Body & Confirmable, UserChange> = {
  ...deploymentOperations.changeUser,
  run: (session, { id, body, parameters }) =>
    pipe(
      TE.fromEither(confirmationIn(parameters)),
      TE.chain((isConfirmed) =>
        session.administerUsers.changeBy(
          session.rights,
          id,
          (before) => draftUser(session, 'patch', body, before),
          isConfirmed,
        ),
      ),
    ),
  changed: ({ id }, change) => changesOf(id, change),
}

/** Deletes a user with its keys. */
export const removeUser: DeploymentOperation<User & Confirmable, AdministeredUser> = {
  ...deploymentOperations.removeUser,
  run: ({ administerUsers, rights }, { id, parameters }) =>
    pipe(
      TE.fromEither(confirmationIn(parameters)),
      TE.chain((isConfirmed) => administerUsers.removeBy(rights, id, isConfirmed)),
    ),
  changed: ({ id }, before) => changesOf(id, { before, after: noUser }),
}

const rolesItems = (roles: readonly InstanceRoles[]): readonly JsonObject[] =>
  roles.map(({ instance, roles: held }) => ({ instance, roles: held }))

/** The roles of a user by instance. */
export const readUserRoles: DeploymentOperation<User, readonly JsonObject[]> = {
  ...deploymentOperations.readUserRoles,
  run: ({ administerUsers, rights }, { id }) =>
    pipe(
      administerUsers.find(rights, id),
      TE.map((user) => rolesItems(visibleRoles(rights, user))),
    ),
}

/** Changes the roles of a user on the named instances; `rolesAfter` returns all its roles. */
const changeRoles = (
  { administerUsers, rights }: DeploymentSession,
  { id, parameters }: User & Confirmable,
  named: readonly number[],
  rolesAfter: (before: AdministeredUser) => readonly InstanceRoles[],
): Outcome<UserChange> =>
  pipe(
    TE.fromEither(confirmationIn(parameters)),
    TE.chain((isConfirmed) =>
      administerUsers.changeBy(
        rights,
        id,
        (before) => {
          const problem = namedInstanceProblem(rights, named)
          return problem === null
            ? E.right({ ...before, roles: normalRoles(rolesAfter(before)) })
            : E.left<Failure>(problem)
        },
        isConfirmed,
      ),
    ),
  )

/** Replaces all roles of a user that the caller sees. */
export const replaceUserRoles: DeploymentOperation<User & Body & Confirmable, UserChange> = {
  ...deploymentOperations.replaceUserRoles,
  run: (session, { body, ...request }) => {
    const draft = draftOf(session, rolesOfUser, 'put', body, null)
    if (E.isLeft(draft)) return TE.left(draft.left)
    const { items } = draft.right
    return changeRoles(session, request, instancesOf(items), (before) =>
      withVisibleRoles(session.rights, before, normalRoles(items)),
    )
  },
  changed: ({ id }, change) => changesOf(id, change),
}

type UserOnInstance = User & Confirmable & { readonly instance: number }

/** The roles of a user on one instance. */
export const readInstanceRoles: DeploymentOperation<Omit<UserOnInstance, 'parameters'>, readonly Role[]> = {
  ...deploymentOperations.readInstanceRoles,
  run: ({ administerUsers, rights }, { id, instance }) =>
    pipe(
      administerUsers.find(rights, id),
      TE.chainFirst(() => failIf(namedInstanceProblem(rights, [instance]))),
      TE.map((user) => user.roles.find((each) => each.instance === instance)?.roles ?? []),
    ),
}

/** Replaces the roles of a user on one instance. */
export const replaceInstanceRoles: DeploymentOperation<UserOnInstance & Body, UserChange> = {
  ...deploymentOperations.replaceInstanceRoles,
  run: (session, { body, instance, ...request }) => {
    const draft = draftOf(session, rolesOnInstance, 'put', body, null)
    if (E.isLeft(draft)) return TE.left(draft.left)
    const { roles } = draft.right
    return changeRoles(session, request, [instance], (before) => [
      ...before.roles.filter((each) => each.instance !== instance),
      { instance, roles },
    ])
  },
  changed: ({ id }, change) => changesOf(id, change),
}

/** Removes all roles of a user on one instance. */
export const removeInstanceRoles: DeploymentOperation<UserOnInstance, UserChange> = {
  ...deploymentOperations.removeInstanceRoles,
  run: (session, { instance, ...request }) =>
    changeRoles(session, request, [instance], (before) =>
      before.roles.filter((each) => each.instance !== instance),
    ),
  changed: ({ id }, change) => changesOf(id, change),
}
