import type { UserRights } from './user-administration.js'
import { administeredBy } from './user-administration.js'

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
