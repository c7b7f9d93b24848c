import type { Role } from '@publishing-service/domain'
import { model } from 'virtual:model'

/** A role includes the weaker ones. */
export const strongestRole = (held: readonly Role[]): Role | undefined =>
  model.roles.findLast((role) => held.includes(role))
