/** What an API user is: the one declaration of its attributes, from which its types, its stored form and its rows come. */
import { derived, stored, type StateOf } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'
import { booleanFilter } from '../resource/collection-filter.js'
import { listOf } from '../value/record.js'
import { boolean } from '../value/scalar.js'
import { text } from '../value/text.js'
import { instanceRoles, normalRoles } from './instance-roles.js'
import type { Role } from '../role/permissions.js'

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
export const isTokenValid = (expires: number, now: number): boolean =>
  now < expires && expires - now <= 2 * tokenSeconds * 1000
