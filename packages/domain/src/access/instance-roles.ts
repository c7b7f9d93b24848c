import { mayActAs, roles, type Role } from '../role/role.js'

/** The roles of an API user on one instance. A list has at most one entry for each instance (docs/behaviour/access.md#keys). */
export type InstanceRoles = { readonly instance: number; readonly roles: readonly Role[] }

const byInstance = (one: InstanceRoles, other: InstanceRoles): number => one.instance - other.instance

/** Adds a role on an instance, in the order of instances and roles. */
export const withRole = (
  held: readonly InstanceRoles[],
  instance: number,
  role: Role,
): readonly InstanceRoles[] => {
  const before = held.find((each) => each.instance === instance)?.roles ?? []
  const after = roles.filter((each) => each === role || before.includes(each))
  return [...held.filter((each) => each.instance !== instance), { instance, roles: after }].toSorted(
    byInstance,
  )
}

/** Removes a role on an instance, or all roles there for null. */
export const withoutRole = (
  held: readonly InstanceRoles[],
  instance: number,
  role: Role | null,
): readonly InstanceRoles[] =>
  held
    .map((each) =>
      each.instance === instance
        ? { instance, roles: each.roles.filter((name) => role !== null && name !== role) }
        : each,
    )
    .filter((each) => each.roles.length > 0)

/** A key that is not revoked, with the roles of its user. */
export type UsableKey = { readonly roles: readonly InstanceRoles[] }

const administered = (keys: readonly UsableKey[]): ReadonlySet<number> =>
  new Set(
    keys
      .flatMap((key) => key.roles)
      .filter((held) => held.roles.some((role) => mayActAs(role, 'admin')))
      .map(({ instance }) => instance),
  )

/** The instances that have an admin key before a change and none after it, in ascending order. */
export const instancesLosingAdmin = (
  before: readonly UsableKey[],
  after: readonly UsableKey[],
): readonly number[] => {
  const left = administered(after)
  return [...administered(before)]
    .filter((instance) => !left.has(instance))
    .toSorted((one, other) => one - other)
}
