/** Tag categories, taggings, the tag cloud. */
export { categoryTags, firstCategory } from '../tag/tag-category.js'
export {
  cloudParameters,
  parseCloudQuery,
  rankTags,
  type CloudQuery,
  type Weighted,
} from '../tag/tag-cloud.js'
export { objectTag } from '../tag/object-tag.js'
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
} from '../tag/tag.js'
export { tagsNamedIn, withExistingTags } from '../tagging/tag-filters.js'
export {
  filtersForKind,
  taggedIndex,
  taggedKinds,
  attachTag,
  detachTag,
  findTagging,
  hasMaxTaggings,
  filterTaggings,
} from '../tagging/tagging.js'
