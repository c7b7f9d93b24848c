/** The parameters of a page of the website (docs/behaviour/pages.md#lists). */
import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import {
  pageLimits,
  parseCollectionQuery,
  type CollectionQuery,
  type Queryable,
} from '../resource/collection-query.js'
import type { Parameters } from '../resource/collection-filter.js'
import type { Viewer } from '../resource/view-context.js'

/** A list of a page has no fields, filters or orders that clients choose. */
const listed: Queryable = { attributes: {}, orders: {}, filters: {}, initialFields: [] }

type PageQuery = Pick<CollectionQuery, 'page' | 'rpp' | 'after'>

const firstPage: PageQuery = { page: 1, rpp: pageLimits.rpp, after: null }

/** Which page of its list a page of the website has, or what is accepted. */
export const parsePageQuery = (
  { page, rpp, after }: Parameters,
  viewer: Viewer,
): Either<readonly Fault[], PageQuery> => {
  const sent = Object.entries({ page, rpp, after }).filter(([, value]) => value !== undefined)
  return sent.length === 0
    ? E.right(firstPage)
    : parseCollectionQuery(listed, Object.fromEntries(sent), viewer, false)
}
