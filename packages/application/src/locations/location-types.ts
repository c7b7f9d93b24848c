import type { Filter } from '@publishing-service/domain/filters'
import { typesNamedIn, typesToLoad, withLocationTypes } from '@publishing-service/domain/locations'
import { locationTypesReference } from '@publishing-service/domain/tags'
import { loadReferences, lookupsOfReferences } from '../engine/load-related.js'
import type { Session } from '../session.js'

/** The conditions with tags instead of the location types that they name. Needs two queries if they name any. */
export const withNamedTypes = async (
  session: Session,
  where: readonly Filter[],
): Promise<readonly Filter[]> => {
  const names = typesNamedIn(where)
  if (names.length === 0) return where
  const category = await loadReferences(session, lookupsOfReferences([locationTypesReference]))
  const types = typesToLoad(names, category)
  const tags = await loadReferences(session, lookupsOfReferences(types))
  return withLocationTypes(where, types, tags)
}
