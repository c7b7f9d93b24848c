import { isJsonObject, isRole, type InstanceRoles, type JsonObject } from '@publishing-service/domain'

/** The roles of a stored API user, ordered by instance; instances without a role are left out. */
export const rolesOf = ({ roles }: JsonObject): readonly InstanceRoles[] =>
  (Array.isArray(roles) ? roles.filter(isJsonObject) : [])
    .map(({ instance, roles: names }) => ({
      instance: Number(instance),
      roles: (Array.isArray(names) ? names : []).map(String).filter(isRole),
    }))
    .filter((held) => held.roles.length > 0)
    .toSorted((one, other) => one.instance - other.instance)
