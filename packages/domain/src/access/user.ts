/** What an API user is: the one declaration of its attributes, from which its types, its stored form and its rows come. */
import { derived, stored, type StateOf } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'
import { booleanFilter } from '../resource/standard-filters.js'
import { listOf } from '../value/record.js'
import { boolean } from '../value/scalar.js'
import { text } from '../value/text.js'
import { instanceRoles, normalRoles } from './instance-roles.js'

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
