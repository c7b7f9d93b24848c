import { isRole, t, type AdministeredUser, type InstanceRoles } from '@publishing-service/domain'
import { systemCollections } from '../collections.js'

/** An API user as it is stored. */
export const StoredUser = t.readonly(
  t.partial({
    name: t.string,
    operator: t.boolean,
    roles: t.readonlyArray(t.readonly(t.type({ instance: t.number, roles: t.readonlyArray(t.string) }))),
  }),
  systemCollections.users.name,
)
export type StoredUser = t.TypeOf<typeof StoredUser>

/** The roles of a stored API user, ordered by instance; instances without a role are left out. */
export const rolesOf = ({ roles = [] }: StoredUser): readonly InstanceRoles[] =>
  roles
    .map(({ instance, roles: names }) => ({ instance, roles: names.filter(isRole) }))
    .filter((held) => held.roles.length > 0)
    .toSorted((one, other) => one.instance - other.instance)

export const administeredUserOf = (user: StoredUser): AdministeredUser => ({
  name: user.name ?? '',
  operator: user.operator ?? false,
  roles: rolesOf(user),
})
