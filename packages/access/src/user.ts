/**
 * What an API user is, and its roles on instances: the one declaration of its attributes, from which its types, its stored
 * form and its rows come.
 */
import type { Fault, Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import {
  boolean,
  derived,
  integer,
  line,
  listOf,
  oneOf,
  record,
  shown,
  shownId,
  type StateOf,
  stored,
  text,
  textOf,
  textSchema,
  uuidSchema,
  type ValueType,
} from '@publishing-service/domain/declare'
import { partOf } from '@publishing-service/domain/engine'
import { booleanFilter, type Queryable } from '@publishing-service/domain/lists'
import {
  mayActAs,
  permissions,
  roles as roleNames,
  rolesFrom,
  strongest,
} from '@publishing-service/domain/roles'

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

/** The strongest role of a user on an instance; null if it has none. */
const roleOn = ({ roles }: Pick<User, 'roles'>, instance: number): Role | null =>
  strongest(roles.find((each) => each.instance === instance)?.roles ?? [])

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

/** The instances that have an admin who can get in before a change and none after it, in ascending order. */
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
  /** The instances without an admin who can get in. */
  readonly instances: readonly number[]
  /** Whether no operator is left who can get in. */
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
        `no admin would be left of ${instances.length === 1 ? 'instance' : 'the instances'} ${instances.join(', ')}`,
      ]),
  ...(operator ? ['no operator would be left'] : []),
]

const emailPattern = '^[^\\s@<>",;:\\\\()\\[\\]]+@[^\\s@<>",;:\\\\()\\[\\]]+$'

/** The languages of the dashboard and of mail. */
export const languages = ['en', 'de'] as const

const isEmail = new RegExp(emailPattern)

/** E-mail addresses are compared and stored in lower case. */
export const foldedEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()

const emailAddress: ValueType<string> = textOf(
  { format: 'email-address', pattern: emailPattern, maxLength: 254 },
  'an e-mail address such as ada@example.org',
  (value) => {
    const email = foldedEmail(value)
    return isEmail.test(email) ? email : null
  },
)

/** What a person may change of their own user, as those who manage it may. */
export const ownUserAttributes = {
  name: stored(line({ max: 255, min: 1 }), 'Name of the user, for people: one line.', { required: true }),
  email: stored(emailAddress, 'E-mail address, which no other user has; null for none.'),
  language: stored(oneOf(languages), 'Language of the dashboard and of mail; null for that of the browser.'),
} as const

/** What a user may do. Operators, and admins of the instances, change it by other rules. */
export const rightsAttributes = {
  operator: stored(boolean, 'Whether the user administers the whole deployment.', { initial: false }),
  roles: stored(listOf(instanceRoles, 10_000), 'Roles by instance; those that the caller may see.', {
    initial: [],
  }),
} as const

/**
 * A user: a person or a program (docs/behaviour/administration.md#users). An attribute of this table alone is changed by
 * those who manage the user, and is in the records of changes if clients read it.
 */
export const userAttributes = {
  uuid: derived({ type: 'string', format: 'uuid' }, 'Identifier.', (_state, view) => view.id),
  url: derived({ type: 'string', format: 'uri' }, 'API URL.', (_state, view) =>
    view.links.object('users', view.id),
  ),
  ...ownUserAttributes,
  ...rightsAttributes,
  email_confirmed: stored(
    boolean,
    'Whether an administrator has set the address, or the person has confirmed it by a mailed link.',
    { initial: false },
  ),
  disabled: stored(boolean, 'Whether the user can do nothing until it is enabled again.', { initial: false }),
  email_set_by: stored(
    text({ max: 36 }),
    'The administrator who has set the address, until the person has accepted it.',
    { internal: true },
  ),
} as const

const plainContext = { zone: 'UTC', streamingHosts: [], strict: false } as const

/** What is wrong with the name of a user that is no attribute of a request, such as one of the command line. */
export const nameFaults = (name: string): readonly Fault[] => {
  const decoded = userAttributes.name.type.decode(name, plainContext)
  return E.isLeft(decoded) ? decoded.left.map((each) => ({ ...each, path: 'name' })) : []
}

export const userRows: Queryable = {
  attributes: userAttributes,
  orders: { name: 'name' },
  filters: {
    operator: booleanFilter('operator', 'Operators, or other users.'),
    disabled: booleanFilter('disabled', 'Disabled users, or others.'),
  },
}

const editingRoles = rolesFrom(permissions.people.read)

/** The strongest role of a user on an instance, if that is one of those who edit it; else null, as for a disabled user. */
export const editingRoleOn = (user: Pick<User, 'roles' | 'disabled'>, instance: number): Role | null => {
  const role = user.disabled ? null : roleOn(user, instance)
  return role !== null && editingRoles.has(role) ? role : null
}

/** An API user as those who edit an instance with it see it (docs/behaviour/review.md#people). */
export const personRows: Queryable = {
  attributes: {
    uuid: shownId(uuidSchema, 'Identifier of the API user.'),
    name: shown('name', textSchema, 'Name of the user.'),
    role: shown('role', { type: 'string', enum: [...editingRoles] }, 'Its strongest role on the instance.'),
  },
  initialFields: ['uuid', 'name', 'role'],
  orders: { name: 'name' },
  filters: {},
}

type State = StateOf<typeof userAttributes>

/** The attributes that are never null. */
type Given = 'name' | 'operator' | 'roles' | 'email_confirmed' | 'disabled'

/** The attributes of a user. */
export type User = { readonly [K in Given]: NonNullable<State[K]> } & Omit<State, Given>

/** What an API user may do: on the deployment, and on instances. All its keys have these rights. */
export type UserRights = Pick<User, 'operator' | 'roles'>

export const hasRights = ({ operator, roles }: UserRights): boolean => operator || roles.length > 0

/** A stored user: what is missing has its default, and roles that are unknown are left out. */
export const userOf = (found: Partial<State>): User => {
  const { name, operator, roles, email_confirmed, disabled, ...others } = partOf(userAttributes, { ...found })
  return {
    ...others,
    name: name ?? '',
    operator: operator ?? false,
    roles: normalRoles(roles ?? []),
    email_confirmed: email_confirmed ?? false,
    disabled: disabled ?? false,
  }
}

/** Without rights: what a user is before it is created, and after it is deleted. */
export const noUser = userOf({})

/** The API user of a token. */
export type Me = {
  /** Null for a command of the command line. */
  readonly uuid: string | null
  readonly name: string
  /** Empty in a session of the dashboard. */
  readonly api_key: string
  readonly operator: boolean
  /** Whether the person has no rights until they have set up a second factor. */
  readonly needs_second_factor: boolean
  /** Its instances by number, with its roles there. */
  readonly items: readonly {
    readonly id: number
    readonly title: string
    /** That of its times. */
    readonly timezone: string
    readonly roles: readonly Role[]
  }[]
}

/** Seconds that an access token is valid for (docs/behaviour/access.md#token-lifetime). */
export const tokenSeconds = 86_400

/**
 * Whether a token, a session, a link or a challenge with this expiry is valid, in milliseconds of the wall clock. Processes
 * share them, so their lifetime follows the wall clock. One whose issue appears to be more than one lifetime ahead was
 * issued before the clock stepped back by more than that, and is rejected: a step never extends one by more than that.
 */
export const isUnexpired = (expires: number, now: number, lifetime: number): boolean =>
  now < expires && expires - now <= 2 * lifetime

export const isTokenValid = (expires: number, now: number, seconds = tokenSeconds): boolean =>
  isUnexpired(expires, now, seconds * 1000)
