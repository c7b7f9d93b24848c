/** A viewer with defaults for everything but the role. */
import type { Viewer } from '../resource/view-context.js'
import type { Role } from '../role/permissions.js'
import { now, withAddon } from './circumstances.js'

export const viewer = (role: Role, circumstances: Partial<Omit<Viewer, 'role'>> = {}): Viewer => ({
  role,
  now,
  settings: withAddon,
  ...circumstances,
})
