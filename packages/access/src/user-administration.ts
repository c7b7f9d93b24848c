import {
  type Fails,
  forbidden,
  notFound,
  type Problem,
  type ProblemTag,
  type Role,
} from '@publishing-service/domain'
import { attributeChanges, formerValues } from '@publishing-service/domain/engine'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import {
  administeredWith,
  normalRoles,
  noUser,
  rightsAttributes,
  userAttributes,
  type InstanceRoles,
  type User,
  type UserRights,
} from './user.js'

/** The instances that the user is admin of. */
export const administeredBy = ({ roles }: UserRights): ReadonlySet<number> => administeredWith(roles)

/** The roles of a user that the caller may see: all for an operator, else those on instances of which it is admin. */
export const visibleRoles = (caller: UserRights, { roles }: UserRights): readonly InstanceRoles[] => {
  if (caller.operator) return roles
  const administered = administeredBy(caller)
  return roles.filter(({ instance }) => administered.has(instance))
}

/** Whether the caller may see that the user exists. */
export const maySeeUser = (caller: UserRights, user: UserRights): boolean =>
  caller.operator || visibleRoles(caller, user).length > 0

/**
 * Whether the caller may rename and delete a user, and create and revoke its keys. A key has all rights of its user, so
 * an admin may do this only for users without rights elsewhere.
 */
const mayManageUser = (caller: UserRights, user: UserRights): boolean =>
  caller.operator ||
  (!user.operator && user.roles.length > 0 && visibleRoles(caller, user).length === user.roles.length)

/**
 * Why the caller may not name an instance in the roles of a user; null if it may. It does not depend on the user, so
 * that an admin cannot find out which roles a user has elsewhere.
 */
export const namedInstanceProblem = (caller: UserRights, instances: readonly number[]): Problem | null => {
  if (caller.operator) return null
  const administered = administeredBy(caller)
  return instances.every((instance) => administered.has(instance)) ? null : forbidden
}

/** The roles of a user after a list of all its roles that the caller sees was replaced. */
export const withVisibleRoles = (
  caller: UserRights,
  user: UserRights,
  replaced: readonly InstanceRoles[],
): readonly InstanceRoles[] => {
  const seen = visibleRoles(caller, user)
  return normalRoles([...user.roles.filter((each) => !seen.includes(each)), ...replaced])
}

/** The change of the roles on one instance. */
export type RoleChange = {
  readonly instance: number
  readonly before: readonly Role[]
  readonly after: readonly Role[]
}

/** The instances on which the roles differ, in ascending order. */
export const roleChanges = (
  before: readonly InstanceRoles[],
  after: readonly InstanceRoles[],
): readonly RoleChange[] => {
  const on = (held: readonly InstanceRoles[], instance: number): readonly Role[] =>
    held.find((each) => each.instance === instance)?.roles ?? []
  return [...new Set([...before, ...after].map(({ instance }) => instance))]
    .toSorted((one, other) => one - other)
    .map((instance) => ({ instance, before: on(before, instance), after: on(after, instance) }))
    .filter((change) => !jsonEqual(change.before, change.after))
}

const { roles: _recordedByInstance, ...besideRoles } = userAttributes

const { name, operator, disabled } = userAttributes
/** What records retain of a user who was deleted, besides its roles: not how the person was reached. */
const retained = { name, operator, disabled }

/** What differs between two states of a user, for the record of the change. Roles are recorded by instance. */
export const recordedChanges = (before: User, after: User): JsonObject =>
  attributeChanges({ attributes: after === noUser ? retained : besideRoles }, { ...before }, { ...after }) ??
  {}

/** The changes in a record of a user who was deleted since. */
export const withoutForgotten = (changes: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(changes).map(([changed, values]) => [
      changed,
      Object.hasOwn(besideRoles, changed) && !Object.hasOwn(retained, changed) ? {} : values,
    ]),
  )

/** What the audit log says of a change of a user: its attributes, and its roles on each instance. */
export type UserRecord = {
  /** The instance whose audit log has it too; absent if it concerns none. */
  readonly instance?: number
  /** The name of the user at that time. */
  readonly title: string
  readonly changes: JsonObject
}

/** `noUser` is the state before a creation, and after a deletion. */
export const userRecords = (before: User, after: User): readonly UserRecord[] => {
  const title = after.name === '' ? before.name : after.name
  const changes = recordedChanges(before, after)
  const ofRoles = roleChanges(before.roles, after.roles).map(({ instance, ...roles }) => ({
    instance,
    title,
    changes: { roles },
  }))
  return Object.keys(changes).length > 0 || ofRoles.length === 0 ? [{ title, changes }, ...ofRoles] : ofRoles
}

/** Whether a change of a user concerns its rights alone, or nothing. */
const isOfRights = (before: User, after: User): boolean =>
  Object.keys(formerValues({ ...before }, { ...after })).every((each) =>
    Object.hasOwn(rightsAttributes, each),
  )

/**
 * Why the caller may not change a user; null if it may. `before` is null for a creation, `after` for a deletion. A user
 * that the caller may not see is NotFound, so that nothing about other instances is revealed
 * (docs/behaviour/administration.md#instance-admins).
 */
export const userChangeProblem = (
  caller: UserRights,
  before: User | null,
  after: User | null,
): Problem | null => {
  if (before !== null && !maySeeUser(caller, before)) return notFound
  if (caller.operator) return null
  if (after === null) return before !== null && mayManageUser(caller, before) ? null : forbidden
  const administered = administeredBy(caller)
  const changes = roleChanges(before?.roles ?? [], after.roles)
  if (changes.some(({ instance }) => !administered.has(instance))) return forbidden
  if (after.operator !== (before?.operator ?? false)) return forbidden
  if (before === null) return after.roles.length > 0 ? null : forbidden
  return isOfRights(before, after) || mayManageUser(caller, before) ? null : forbidden
}

/** Why the caller may not create or revoke keys and links of a user; null if it may. */
export const keyChangeProblem = (caller: UserRights, user: UserRights): Problem | null => {
  if (!maySeeUser(caller, user)) return notFound
  return mayManageUser(caller, user) ? null : forbidden
}

/**
 * What an API user is on the deployment, from the weakest to the strongest: any user, an admin of at least one instance,
 * or an operator (docs/behaviour/administration.md#operator).
 */
export const standings = ['user', 'administrator', 'operator'] as const
export type Standing = (typeof standings)[number]

type DeploymentAction = 'read' | 'create' | 'update' | 'remove'

/** The least standing that each action on the deployment needs. A missing action does not exist. */
export const deploymentPermissions = {
  me: { read: 'user' },
  account: { read: 'user', update: 'user' },
  sessions: { read: 'user', remove: 'user' },
  links: { create: 'administrator', remove: 'administrator' },
  users: { read: 'administrator', create: 'administrator', update: 'administrator', remove: 'administrator' },
  keys: { read: 'administrator', create: 'administrator', remove: 'administrator' },
  instances: { read: 'operator', create: 'operator', remove: 'operator' },
  audit: { read: 'operator' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<DeploymentAction, Standing>>>>>

type Matrix = typeof deploymentPermissions

/** An action on a subject of the deployment that the matrix has. */
export type DeploymentPermission = {
  readonly [S in keyof Matrix]: { readonly subject: S; readonly action: keyof Matrix[S] & DeploymentAction }
}[keyof Matrix]

export const standingNeeded = ({ subject, action }: DeploymentPermission): Standing => {
  const needs: Readonly<Partial<Record<DeploymentAction, Standing>>> = deploymentPermissions[subject]
  return needs[action] ?? 'operator'
}

export const standingOf = (rights: UserRights): Standing => {
  if (rights.operator) return 'operator'
  return administeredBy(rights).size > 0 ? 'administrator' : 'user'
}

export const hasStanding = (rights: UserRights, needed: Standing): boolean =>
  standings.indexOf(standingOf(rights)) >= standings.indexOf(needed)

/** An operation on the deployment: its name, and the permission that it needs. */
export type DeploymentOperationAccess<F extends ProblemTag = never> = Fails<F> & {
  readonly name: string
  readonly permission: DeploymentPermission
}

/** All operations on the deployment. */
export const deploymentOperations = {
  listInstances: { name: 'listInstances', permission: { subject: 'instances', action: 'read' } },
  readInstance: { name: 'readInstance', permission: { subject: 'instances', action: 'read' } },
  createInstance: { name: 'createInstance', permission: { subject: 'instances', action: 'create' } },
  removeInstance: { name: 'removeInstance', permission: { subject: 'instances', action: 'remove' } },
  listKeys: { name: 'listKeys', permission: { subject: 'keys', action: 'read' } },
  createKey: {
    name: 'createKey',
    permission: { subject: 'keys', action: 'create' },
    fails: { TooManyKeys: true },
  },
  revokeKey: { name: 'revokeKey', permission: { subject: 'keys', action: 'remove' } },
  listUsers: { name: 'listUsers', permission: { subject: 'users', action: 'read' } },
  readUser: { name: 'readUser', permission: { subject: 'users', action: 'read' } },
  createUser: { name: 'createUser', permission: { subject: 'users', action: 'create' } },
  changeUser: { name: 'changeUser', permission: { subject: 'users', action: 'update' } },
  removeUser: { name: 'removeUser', permission: { subject: 'users', action: 'remove' } },
  readUserRoles: { name: 'readUserRoles', permission: { subject: 'users', action: 'read' } },
  replaceUserRoles: { name: 'replaceUserRoles', permission: { subject: 'users', action: 'update' } },
  readInstanceRoles: { name: 'readInstanceRoles', permission: { subject: 'users', action: 'read' } },
  replaceInstanceRoles: { name: 'replaceInstanceRoles', permission: { subject: 'users', action: 'update' } },
  removeInstanceRoles: { name: 'removeInstanceRoles', permission: { subject: 'users', action: 'update' } },
  listAudit: { name: 'listAudit', permission: { subject: 'audit', action: 'read' } },
  readMe: { name: 'readMe', permission: { subject: 'me', action: 'read' } },
  readAccount: { name: 'readAccount', permission: { subject: 'account', action: 'read' } },
  changeAccount: { name: 'changeAccount', permission: { subject: 'account', action: 'update' } },
  setPassword: { name: 'setPassword', permission: { subject: 'account', action: 'update' } },
  removePassword: { name: 'removePassword', permission: { subject: 'account', action: 'update' } },
  createPasskeyOptions: {
    name: 'createPasskeyOptions',
    permission: { subject: 'account', action: 'read' },
  },
  listPasskeys: { name: 'listPasskeys', permission: { subject: 'account', action: 'read' } },
  addPasskey: { name: 'addPasskey', permission: { subject: 'account', action: 'update' } },
  changePasskey: { name: 'changePasskey', permission: { subject: 'account', action: 'update' } },
  removePasskey: { name: 'removePasskey', permission: { subject: 'account', action: 'update' } },
  listIdentities: { name: 'listIdentities', permission: { subject: 'account', action: 'read' } },
  removeIdentity: { name: 'removeIdentity', permission: { subject: 'account', action: 'update' } },
  createOneTimeSecret: { name: 'createOneTimeSecret', permission: { subject: 'account', action: 'read' } },
  mailConfirmation: { name: 'mailConfirmation', permission: { subject: 'account', action: 'update' } },
  confirmEmail: {
    name: 'confirmEmail',
    permission: { subject: 'account', action: 'update' },
    fails: { LinkInvalid: true },
  },
  activateOneTimeCodes: {
    name: 'activateOneTimeCodes',
    permission: { subject: 'account', action: 'update' },
  },
  removeOneTimeCodes: { name: 'removeOneTimeCodes', permission: { subject: 'account', action: 'update' } },
  listSessions: { name: 'listSessions', permission: { subject: 'sessions', action: 'read' } },
  endSession: { name: 'endSession', permission: { subject: 'sessions', action: 'remove' } },
  endSessions: { name: 'endSessions', permission: { subject: 'sessions', action: 'remove' } },
  createLink: { name: 'createLink', permission: { subject: 'links', action: 'create' } },
  removeLinks: { name: 'removeLinks', permission: { subject: 'links', action: 'remove' } },
} as const satisfies Readonly<Record<string, DeploymentOperationAccess>>

/** An operation that needs no token: its name, and the problems that it declares. */
export type VisitorOperationAccess<F extends ProblemTag = never> = Fails<F> & { readonly name: string }

/** All operations of the service itself, such as those with which people sign in. */
export const visitorOperations = {
  readService: { name: 'readService' },
  exchangeToken: {
    name: 'exchangeToken',
    fails: { InvalidTokenRequest: true, UnsupportedGrantType: true, InvalidClient: true },
  },
  revokeToken: { name: 'revokeToken', fails: { InvalidTokenRequest: true } },
  readLiveness: { name: 'readLiveness' },
  readReadiness: { name: 'readReadiness' },
  readOpenApi: { name: 'readOpenApi' },
  readSignIn: { name: 'readSignIn' },
  signInWithKey: { name: 'signInWithKey', fails: { InvalidClient: true } },
  signInWithPassword: {
    name: 'signInWithPassword',
    fails: { SignInFailed: true, SecondFactorNeeded: true },
  },
  createSignInOptions: { name: 'createSignInOptions' },
  signInWithPasskey: { name: 'signInWithPasskey', fails: { SignInFailed: true } },
  forgetPassword: { name: 'forgetPassword' },
  beginProviderSignIn: { name: 'beginProviderSignIn' },
  finishProviderSignIn: { name: 'finishProviderSignIn' },
  signOut: { name: 'signOut' },
  readLink: { name: 'readLink', fails: { LinkInvalid: true } },
  createLinkOptions: { name: 'createLinkOptions', fails: { LinkInvalid: true } },
  useLink: { name: 'useLink', fails: { LinkInvalid: true } },
} as const satisfies Readonly<Record<string, VisitorOperationAccess>>
