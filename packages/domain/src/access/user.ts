/**
 * What an API user is, and its roles on instances: the one declaration of its attributes, from which its types, its stored
 * form and its rows come.
 */
import { stored, derived, type StateOf } from '../resource/attribute.js'
import { mayActAs, roles as roleNames, type Role } from '../role/permissions.js'
import { listOf, record } from '../value/record.js'
import { integer, oneOf, boolean } from '../value/scalar.js'
import type { ValueType } from '../value/value-type.js'
import type { Queryable } from '../resource/collection-query.js'
import { booleanFilter } from '../resource/collection-filter.js'
import { text } from '../value/text.js'

export const maxInstance = 999_999_999

const roleList = listOf(oneOf(roleNames), roleNames.length)

/** The roles of a user on one instance, as a request sends them. */
export const rolesOnInstance = {
  roles: stored(roleList, 'The roles; an empty list for none.', { required: true }),
} as const

const instanceRoles = record({
  instance: stored(integer({ min: 1, max: maxInstance }), 'Number of the instance.', { required: true }),
  roles: stored(roleList, 'The roles there.', { required: true }),
})

/** The roles of a user by instance, as a request sends them. */
export const rolesOfUser = {
  items: stored(listOf(instanceRoles, 10_000), 'Roles by instance.', { required: true }),
} as const

type ValueIn<T> = T extends ValueType<infer A> ? A : never

/** The roles of an API user on one instance. A list has at most one entry for each instance (docs/behaviour/access.md#keys). */
export type InstanceRoles = ValueIn<typeof instanceRoles>

/** One entry for each instance with a role, in the order of instances and roles. Unknown roles are left out. */
export const normalRoles = (roles: readonly InstanceRoles[]): readonly InstanceRoles[] => {
  const held = new Map<number, Set<Role>>()
  for (const { instance, roles: names } of roles)
    held.set(instance, new Set([...(held.get(instance) ?? []), ...names]))
  return [...held]
    .map(([instance, names]) => ({ instance, roles: roleNames.filter((name) => names.has(name)) }))
    .filter((each) => each.roles.length > 0)
    .toSorted((one, other) => one.instance - other.instance)
}

/** Adds a role on an instance. */
export const withRole = (
  held: readonly InstanceRoles[],
  instance: number,
  role: Role,
): readonly InstanceRoles[] => normalRoles([...held, { instance, roles: [role] }])

/** Removes a role on an instance, or all roles there for null. */
export const withoutRole = (
  held: readonly InstanceRoles[],
  instance: number,
  role: Role | null,
): readonly InstanceRoles[] =>
  normalRoles(
    held.map((each) =>
      each.instance === instance
        ? { instance, roles: each.roles.filter((name) => role !== null && name !== role) }
        : each,
    ),
  )

/** The instances of which these roles make an admin. */
export const administeredWith = (held: readonly InstanceRoles[]): ReadonlySet<number> =>
  new Set(
    held.flatMap(({ instance, roles }) => (roles.some((role) => mayActAs(role, 'admin')) ? [instance] : [])),
  )

/** A key that is not revoked, with the roles of its user. */
export type UsableKey = { readonly roles: readonly InstanceRoles[]; readonly operator: boolean }

type RolesOnly = Pick<UsableKey, 'roles'>

/** The instances that have an admin key before a change and none after it, in ascending order. */
export const instancesLosingAdmin = (
  before: readonly RolesOnly[],
  after: readonly RolesOnly[],
): readonly number[] => {
  const left = administeredWith(after.flatMap(({ roles }) => roles))
  return [...administeredWith(before.flatMap(({ roles }) => roles))]
    .filter((instance) => !left.has(instance))
    .toSorted((one, other) => one - other)
}

/** What no key could do any more after a change. */
type AccessLoss = {
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

/** An API user (docs/behaviour/administration.md#users). */
export const userAttributes = {
  uuid: derived({ type: 'string', format: 'uuid' }, 'Identifier.', (_state, view) => view.id),
  url: derived({ type: 'string', format: 'uri' }, 'API URL.', (_state, view) =>
    view.links.object('users', view.id),
  ),
  name: stored(text({ max: 255, min: 1 }), 'Name of the user, for people.', { required: true }),
  operator: stored(boolean, 'Whether the user administers the whole deployment.', { initial: false }),
  roles: stored(listOf(instanceRoles, 10_000), 'Roles by instance; those that the caller may see.', {
    initial: [],
  }),
} as const

export const userRows: Queryable = {
  attributes: userAttributes,
  orders: { name: 'name' },
  filters: { operator: booleanFilter('operator', 'Operators, or other users.') },
}

type State = StateOf<typeof userAttributes>

/** The attributes of an API user; all are required or have a default. */
export type User = { readonly [K in keyof State]: NonNullable<State[K]> }

/** What an API user may do: on the deployment, and on instances. All its keys have these rights. */
export type UserRights = Pick<User, 'operator' | 'roles'>

/** A stored API user: what is missing has its default, and roles that are unknown are left out. */
export const userOf = ({ name = '', operator = false, roles = [] }: Partial<User>): User => ({
  name,
  operator,
  roles: normalRoles(roles),
})

/** The API user of a token. */
export type Me = {
  /** Null for a command of the command line. */
  readonly uuid: string | null
  readonly name: string
  readonly api_key: string
  readonly operator: boolean
  /** Its instances by number, with its roles there. */
  readonly items: readonly { readonly id: number; readonly title: string; readonly roles: readonly Role[] }[]
}

/** Seconds that an access token is valid for (docs/behaviour/access.md#token-lifetime). */
export const tokenSeconds = 86_400

/**
 * Whether a token with this expiry is valid, both in milliseconds of the wall clock. Processes share tokens, so their
 * lifetime follows the wall clock. A token whose issue appears to be more than one lifetime ahead was issued before the
 * clock stepped back by more than that, and is rejected: a step never extends a token by more than one lifetime.
 */
export const isTokenValid = (expires: number, now: number, seconds = tokenSeconds): boolean =>
  now < expires && expires - now <= 2 * seconds * 1000
