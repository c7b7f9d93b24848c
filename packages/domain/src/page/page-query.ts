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

/** A list of a page has no fields, filters, orders or facets that clients choose. */
const listed: Queryable = { attributes: {}, orders: {}, filters: {}, facets: {}, initialFields: [] }

type PageQuery = Pick<CollectionQuery, 'page' | 'rpp' | 'after' | 'counting'>

const firstPage: PageQuery = { page: 1, rpp: pageLimits.rpp, after: null, counting: null }

/** Which page of its list a page of the website has, or what is accepted. */
export const parsePageQuery = (
  { page, rpp, after, total }: Parameters,
  viewer: Viewer,
): Either<readonly Fault[], PageQuery> => {
  const sent = Object.entries({ page, rpp, after, total }).filter(([, value]) => value !== undefined)
  return sent.length === 0
    ? E.right(firstPage)
    : parseCollectionQuery(listed, Object.fromEntries(sent), viewer, false)
}
