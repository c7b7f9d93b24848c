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
export type UsableKey = { readonly roles: readonly InstanceRoles[]; readonly operator: boolean }

type RolesOnly = Pick<UsableKey, 'roles'>

const administered = (keys: readonly RolesOnly[]): ReadonlySet<number> =>
  new Set(
    keys
      .flatMap((key) => key.roles)
      .filter((held) => held.roles.some((role) => mayActAs(role, 'admin')))
      .map(({ instance }) => instance),
  )

/** The instances that have an admin key before a change and none after it, in ascending order. */
export const instancesLosingAdmin = (
  before: readonly RolesOnly[],
  after: readonly RolesOnly[],
): readonly number[] => {
  const left = administered(after)
  return [...administered(before)]
    .filter((instance) => !left.has(instance))
    .toSorted((one, other) => one - other)
}

/** What no key could do any more after a change. */
export type AccessLoss = {
  /** The instances without an admin key. */
  readonly instances: readonly number[]
  /** Whether no key of an operator is left. */
  readonly operator: boolean
}

export const accessLostBy = (before: readonly UsableKey[], after: readonly UsableKey[]): AccessLoss => ({
  instances: instancesLosingAdmin(before, after),
  operator: before.some(({ operator }) => operator) && !after.some(({ operator }) => operator),
})

/** What is lost by a change, in words for people. */
export const effectsOfLoss = ({ instances, operator }: AccessLoss): readonly string[] => [
  ...(instances.length === 0
    ? []
    : [
        `no admin key would be left of ${instances.length === 1 ? 'instance' : 'the instances'} ${instances.join(', ')}`,
      ]),
  ...(operator ? ['no key of an operator would be left'] : []),
]
