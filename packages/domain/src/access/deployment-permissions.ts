import { administeredBy } from './user-administration.js'
import type { UserRights } from './user.js'

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
export type DeploymentOperationAccess = { readonly name: string; readonly permission: DeploymentPermission }

/** All operations on the deployment. */
export const deploymentOperations = {
  listInstances: { name: 'listInstances', permission: { subject: 'instances', action: 'read' } },
  readInstance: { name: 'readInstance', permission: { subject: 'instances', action: 'read' } },
  createInstance: { name: 'createInstance', permission: { subject: 'instances', action: 'create' } },
  removeInstance: { name: 'removeInstance', permission: { subject: 'instances', action: 'remove' } },
  listKeys: { name: 'listKeys', permission: { subject: 'keys', action: 'read' } },
  createKey: { name: 'createKey', permission: { subject: 'keys', action: 'create' } },
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
} as const satisfies Readonly<Record<string, DeploymentOperationAccess>>
