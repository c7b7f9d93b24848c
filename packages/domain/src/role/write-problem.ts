import type { JsonObject } from '../json.js'
import { forbidden, type Problem } from '../fault.js'
import type { DeclaredResource } from '../resource/resource.js'
import { stamps } from '../resource/standard-attributes.js'
import { attributeIn } from '../resource/table-entries.js'
import { permittedRoles, rolesFrom, type Role } from './permissions.js'

/** The author of a write: the role on the instance, and the UUID of the API user; null for the service itself. */
export type Writer = { readonly role: Role; readonly user: string | null }

/** One write of an object: its state before, null for a creation, and after, null for a deletion. */
export type ObjectWrite = { readonly before: JsonObject | null; readonly after: JsonObject | null }

/** The least role that publishes, and that changes what is published or was created by another user. */
export const unrestricted: Role = 'editor'

const unrestrictedRoles = rolesFrom(unrestricted)

/**
 * Why the write is not permitted; null if it is. The permission matrix lists what each role may do. A contributor may
 * write only drafts that the same API user created, and may not publish them (docs/roles.md).
 */
export const writeProblem = (
  resource: Pick<DeclaredResource, 'collection' | 'isPublished'>,
  { role, user }: Writer,
  { before, after }: ObjectWrite,
): Problem | null => {
  const action = before === null ? 'create' : after === null ? 'remove' : 'update'
  if (permittedRoles.get(resource.collection)?.get(action)?.has(role) !== true) return forbidden
  if (unrestrictedRoles.has(role)) return null
  const isOwn = before === null || (user !== null && attributeIn(stamps, 'created_by', before) === user)
  const isPublished = [before, after].some(
    (state) => state !== null && resource.isPublished?.(state) === true,
  )
  if (!isOwn) return { _tag: 'Forbidden', reason: 'object of another' }
  return isPublished ? { _tag: 'Forbidden', reason: 'publication' } : null
}
