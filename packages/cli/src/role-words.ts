/** The roles of an API user in the answers of commands. */
import type { InstanceRoles } from '@publishing-service/domain'

export const heldText = (held: readonly InstanceRoles[]): string =>
  held.map(({ instance, roles }) => `${instance}: ${roles.join(', ')}`).join('; ')
