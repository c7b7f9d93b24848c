/** Tag categories, taggings, the tag cloud. */
export { categoryTags, firstCategory } from '../tags/tag-category.js'
export {
  cloudParameters,
  parseCloudQuery,
  rankTags,
  type CloudQuery,
  type Weighted,
} from '../tags/tag-cloud.js'
export { objectTag } from '../tags/object-tag.js'
export {
  collectionsAccepting,
  displayName,
  isPredicate,
  locationTypesReference,
  predicateNames,
  predicates,
  taggableCollections,
  type Predicate,
  type TaggableCollection,
  taggedAs,
  taggingsOf,
  tagsOn,
} from '../tags/tag.js'
export { tagsNamedIn, withExistingTags } from '../tags/tag-filters.js'
export {
  filtersForKind,
  taggedIndex,
  taggedKinds,
  attachTag,
  detachTag,
  findTagging,
  hasMaxTaggings,
  filterTaggings,
} from '../tags/tagging.js'
