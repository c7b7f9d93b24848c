import type { JsonObject } from '../json.js'
import type { Resource } from './resource.js'

/** What people call an object; null if it has no name (docs/behaviour/administration.md#audit-log). */
export const objectName = ({ nameOf }: Pick<Resource, 'nameOf'>, state: JsonObject): string | null => {
  const name = nameOf === undefined ? state['title'] : nameOf(state)
  return typeof name === 'string' && name !== '' ? name : null
}
