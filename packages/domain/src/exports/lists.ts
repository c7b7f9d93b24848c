/** Fields, order, pages, filters and included objects of lists. */
export { unknownParameters, type Parameters } from '../resource/collection-filter.js'
export { placeSchema, placeText, type Listing, type PageLink } from '../resource/listing.js'
export {
  fieldsOf,
  filterNamesOf,
  hasFacets,
  nearestOf,
  orderOptionsOf,
  pageLimits,
  pageTooLarge,
  parseCollectionQuery,
  selectedFilters,
  selectedOrders,
  selectionOf,
  type CollectionQuery,
  type Queryable,
} from '../resource/collection-query.js'
export {
  hasRelations,
  includedAttributesOf,
  includedReferences,
  includeLimits,
  includeNamesOf,
  parseIncludePaths,
  tooManyIncluded,
  type IncludedReference,
  type IncludePath,
} from '../resource/include.js'
export { liveSince } from '../resource/standard-attributes.js'
export {
  countLimits,
  totalOf,
  type Total,
  type Counted,
  type Counting,
  type Facet,
  type FacetCounts,
  type FacetValue,
} from '../resource/counted.js'
export {
  booleanFilter,
  integersFilter,
  textsFilter,
  uuidsFilter,
  type CollectionFilter,
} from '../resource/collection-filter.js'
