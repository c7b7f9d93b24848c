import type { ViewContext } from '@publishing-service/domain'
import type { Filter } from '@publishing-service/domain/filters'
import { withExistingTags } from '@publishing-service/domain/tags'
import type { Session } from '../session.js'

/** The conditions with the tags that exist among those that they name. */
export const withNamedTags = async (
  _session: Session,
  where: readonly Filter[],
  find: ViewContext['find'],
): Promise<readonly Filter[]> => withExistingTags(where, (id) => find('tags', id) !== undefined)
