/** Everything that other packages use of the domain, by topic. README.md describes the topics with examples. */

// Problems, faults, results: what is wrong with a request, as data; Either and TaskEither of fp-ts
export { fault, firstPerPath, type Fault } from './fault.js'
export { badParameters, forbidden, notFound, type ForbiddenReason, type Problem } from './problem.js'
export { E, pipe, t, TE, type Either, type TaskEither } from './fp.js'

// Resources: attribute tables, variants, the list of all resources
export type {
  AliasAttribute,
  Attribute,
  AttributeTable,
  ComputedAttribute,
  DerivedAttribute,
  StateOf,
  WholeOf,
  StoredAttribute,
  VariantOf,
} from './resource/attribute.js'
export type { OnlyWith } from './resource/only-with.js'
export type { Parameters } from './resource/collection-filter.js'
export { memberCountFaults, membersOf, withMembers, type MemberList } from './resource/member-list.js'
export { needFaults, type Need } from './resource/need.js'
export {
  segmentsOf,
  subcollectionOf,
  uniqueTextOf,
  type Change,
  type Dependence,
  type Placeholder,
  type Resource,
} from './resource/resource.js'
export { resourceOf, resources, rowsOfMembers } from './resource/resources.js'
export { stamps } from './resource/stamps.js'
export { partOf, tableEntries, typedState, acceptedState } from './resource/table-entries.js'
export { attributesOf, type Shape } from './resource/variant.js'

// Writes: from the JSON of a request to the state to store, or its faults
export type { Draft, WriteMode } from './resource/draft-attributes.js'
export { draftItem, draftItems, type ItemShape, type ItemsDraft } from './resource/draft-items.js'
export { draftAttributes, suppliedReferences } from './resource/draft-attributes.js'
export {
  decideWrite,
  hasOtherPath,
  lacksUrlname,
  recomputed,
  takenFault,
  type Question,
} from './resource/decide-write.js'
export { bodyUuidFaults, withComputed, type WriteCommand } from './resource/draft-write.js'
export { draftFaults, missingTarget } from './resource/reference-faults.js'

export { storedTest } from './resource/stored-state.js'

// Search: the words of texts, queries, passages
export { wordsFound } from './resource/search-filter.js'
export { searchedAttributes } from './resource/highlight-attribute.js'
export { foldingVersion } from './value/fold.js'
export { searchIndex, searchKindsOf } from './search/search-index.js'
export { parseSearchTerms, searchLimits, type SearchTerm } from './search/search-terms.js'
export {
  bestLevel,
  searchedTexts,
  searchedWords,
  searchLevels,
  type SearchedAttribute,
  type SearchedWords,
  type SearchLevel,
} from './search/searched-texts.js'

// Views: what each role reads of a state
export {
  findAmong,
  isAliveIn,
  readPlan,
  viewOf,
  type FoundObjects,
  type Lookup,
  type ReadPlan,
} from './resource/read-plan.js'
export { rowBytes } from './resource/row-bytes.js'
export type { Count, Links, ViewContext, Viewer } from './resource/view-context.js'

// Collections: fields, order, pages, filters
export {
  fieldsOf,
  filterNamesOf,
  nearestOf,
  orderOptionsOf,
  pageLimits,
  pageTooLarge,
  parseCollectionQuery,
  refinementOf,
  selectedFilters,
  selectedOrders,
  selectionOf,
  type CollectionQuery,
  type Queryable,
} from './resource/collection-query.js'
export {
  aroundCircle,
  distanceOf,
  nearLimits,
  parseCircle,
  tooFarPage,
  tooManyVenues,
  venueCircleIn,
  withoutCircle,
  withVenues,
  type Circle,
} from './location/near.js'
export {
  hasRelations,
  includedAttributesOf,
  includedReferences,
  includeLimits,
  includeNamesOf,
  parseObjectQuery,
  tooManyIncluded,
  type IncludedReference,
  type IncludePath,
} from './resource/include.js'
export { liveSince } from './resource/publication.js'
export {
  compareTexts,
  isInRange,
  matchesFilter,
  type Filter,
  type KeyFilter,
  type Order,
  type TextRange,
} from './resource/filter.js'

// Values: JSON, value types, formats, schemas
export {
  isJsonObject,
  json,
  jsonBytes,
  mostJsonBytes,
  jsonEqual,
  jsonObject,
  utf8Length,
  type Json,
  type JsonObject,
} from './json.js'
export { formats } from './value/formats.js'
export type { Schema } from './value/schema.js'
export { defaultStreamingHosts, isHostedBy, type StreamingHost } from './value/streaming-host.js'
export { parseUuid, withoutDirections } from './value/text.js'
export { codecOf, type Reference, type ValueContext, type ValueType } from './value/value-type.js'

// Markup: which HTML is accepted
export {
  bodySchema,
  dangerousElements,
  entityNames,
  globalAttributes,
  linkSchemes,
  slotlessSchema,
  type AttributeRule,
  type AttributeValue,
  type ContentModel,
  type ElementRule,
  type MarkupSchema,
} from './markup/body-schema.js'
export { checkMarkup, type MarkupFault, type MarkupFaultKind } from './markup/check-markup.js'

// Content: articles, events and their types, slots with media, related links, trees of comments
export {
  content,
  type AlbumReview,
  type Article,
  type BookReview,
  type Content,
  type ContentRoundup,
  type Event,
  type LocationReview,
  type LocationRoundup,
  type MovieReview,
  type ProductReview,
  type Recipe,
} from './content/content.js'
export { contentInfo } from './content/content-info.js'
export {
  eventsNamed,
  occurrenceIndex,
  occurrencePeriod,
  occurrenceState,
  selectiveFilters,
} from './content/occurrence-index.js'
export {
  overlapping,
  overlappingOf,
  type OccurrencePeriod,
  type OccurrenceRange,
} from './content/occurring.js'
export { contentTypePlurals, contentTypes, type ContentType } from './content/content-type.js'
export { media, mediaWith, type Medium } from './content/media.js'
export { recurrenceRule } from './content/recurrence-rule.js'
export {
  hasVisibleTarget,
  linkCountFaults,
  maxRelatedLinks,
  parseRelatedLinksQuery,
  relatedLink,
  relatedLinksOf,
  relatedLinksParameters,
  viewLinks,
  type StoredLinks,
} from './content/related-links.js'
export {
  clearSlot,
  configureSlot,
  implicitSlot,
  isPlaced,
  isReadable,
  listedSlots,
  mediaTextFaults,
  placedSlots,
  replaceListedMedia,
  replaceMedia,
  slot,
  slotLimits,
  slotOf,
  slotState,
  type Slot,
} from './content/slot.js'
export { slotMediaFaults } from './content/slot-media-faults.js'
export { comment, type Comment } from './comment/comment.js'
export { maxCommentDepth, treePath } from './comment/tree-path.js'

// Sections, blogs, homepages: where content appears
export { blog, type Blog } from './blog/blog.js'
export {
  firstHomepage,
  homepage,
  storiesOf,
  storyLists,
  type Homepage,
  type StoryList,
} from './homepage/homepage.js'
export {
  draftStories,
  story,
  storyLimit,
  storyList,
  storyOf,
  type StoredStories,
} from './homepage/stories.js'
export { section, type Section } from './section/section.js'
export { sectionPath } from './section/section-path.js'

// Listings: locations, directory listings, coupons
export { typesNamedIn, typesToLoad, withLocationTypes } from './location/location-types.js'
export { listingImages, location, type Location } from './location/location.js'

// Files: MIME types, upload limits, display, sizes of scaled images
export {
  defaultThumbnailMimetype,
  isThumbnailKind,
  thumbnailKinds,
  type ThumbnailKind,
} from './file/default-thumbnail.js'
export { displayOf, downloadType } from './file/display.js'
export { file, type File } from './file/file.js'
export { isFormerUpload, type Replaced } from './file/former-uploads.js'
export { recordImage, recordUpload } from './file/record-upload.js'
export {
  canonicalCharset,
  charsetFrom,
  defaultUploadLimits,
  mimetypeFrom,
  mimetypeGroup,
  uploadLimit,
  type UploadLimits,
  uploadTypeProblem,
} from './file/mimetype.js'
export {
  boxFaults,
  boxSides,
  isSize,
  maxBoxSide,
  parseBox,
  roundedBox,
  scaledSize,
  type Box,
  type Size,
} from './file/scaled-size.js'

// Images: formats, limits of scaling, scaled images
export { derivativeName, surplusDerivatives, type StoredDerivative } from './image/derivatives.js'
export {
  imageFormats,
  imageMimetypes,
  isUnscaledType,
  maxImageSide,
  unscaledFormats,
  type ImageFormat,
  type RecordedImage,
} from './image/image-format.js'
export { recordedImage } from './image/recorded-image.js'
export {
  unreadablePixels,
  defaultImageLimits,
  memoryAllowance,
  maxWaitingForShare,
  queuedJobsOfClient,
  shareWait,
  tookTooLong,
  tookTooMuch,
  tooManyBytes,
  tooManyPixels,
  tooMuchMemory,
  type ImageLimits,
  type JobLimits,
  type MemoryLimit,
} from './image/scaling-limits.js'

// Tags: tags, categories, taggings, the tag cloud
export { categoryTags, firstCategory, tagCategory, type TagCategory } from './tag/tag-category.js'
export {
  cloudParameters,
  parseCloudQuery,
  rankTags,
  type CloudQuery,
  type Weighted,
} from './tag/tag-cloud.js'
export { displayName, locationTypesReference } from './tag/tag-names.js'
export { tag, type Tag } from './tag/tag.js'
export {
  collectionsAccepting,
  isPredicate,
  predicateNames,
  predicates,
  taggableCollections,
  type Predicate,
  type TaggableCollection,
} from './tagging/predicates.js'
export { tagsNamedIn, withExistingTags } from './tagging/tag-filters.js'
export {
  referencesNamedIn,
  referencesVisibleWith,
  withVisibleReferences,
} from './resource/hidden-references.js'
export { filtersForKind, taggedIndex, taggedKinds } from './tagging/tagged-index.js'
export { taggedAs, taggingsOf, tagsOn, type Tagging } from './tagging/tagging-attributes.js'
export {
  attachTag,
  detachTag,
  findTagging,
  hasMaxTaggings,
  filterTaggings,
  tagging,
} from './tagging/tagging.js'

// Paths: urlnames, public paths, their history, redirects
export {
  addOldPath,
  earlierPath,
  maxPaths,
  pathHistory,
  replaceOldPaths,
  withEarlierPaths,
} from './path/path-history.js'
export {
  kindBelowSection,
  kindsBelowPrefixes,
  kindsInSections,
  nameOfPrefix,
  parentKey,
  pathKinds,
  placeBelow,
  placeIn,
  placeKey,
  placeOf,
  placeOfPrefix,
  type PathKind,
  type PathPlace,
} from './path/path-place.js'
export { objectName } from './resource/resource.js'
export { pageAddress } from './path/page-address.js'
export { maxSectionDepth, pathLookups, publicPath, urlnameOf, type PathRule } from './path/public-path.js'
export { comparedText } from './path/compared-text.js'
export {
  foldedPath,
  maxSitePath,
  parseSitePath,
  pathKey,
  pathKeysOf,
  type SitePath,
} from './path/site-path.js'
export { applyRedirect, redirectKeys } from './redirect/apply-redirect.js'
export { redirect, type Redirect } from './redirect/redirect.js'

// Feeds and sitemaps: live content and public pages, independent of a format
export { feedEntry, feedLookups, feedOf, maxFeedEntries, type Feed, type FeedEntry } from './feed/feed.js'
export { sitemapEntry, sitemapSize, type Sitemap, type SitemapEntry } from './feed/sitemap.js'

// Roles and access: permissions, tokens, clients, request rates
export { clientAddress } from './access/client-address.js'
export {
  auditDays,
  auditRows,
  instanceAuditRows,
  instanceRows,
  keyAttributes,
  keyRows,
} from './access/administration-shapes.js'
export {
  deploymentOperations,
  deploymentPermissions,
  hasStanding,
  standingNeeded,
  standings,
  type DeploymentOperationAccess,
  type DeploymentPermission,
  type Standing,
} from './access/deployment-permissions.js'
export {
  normalRoles,
  rolesOfUser,
  rolesOnInstance,
  withoutRole,
  withRole,
  type InstanceRoles,
} from './access/instance-roles.js'
export { userAttributes, userOf, userRows, type User, type UserRights } from './access/user.js'
export { confirmFault, unconfirmedEffects } from './access/confirmation.js'
export {
  gainEffects,
  maxUsableKeys,
  reductionOf,
  rightsChangeProblem,
  type OwnedKey,
  type RightsChange,
} from './access/rights-changes.js'
export {
  administeredBy,
  keyChangeProblem,
  maySeeUser,
  namedInstanceProblem,
  roleChanges,
  userChangeProblem,
  visibleRoles,
  withVisibleRoles,
  type RoleChange,
} from './access/user-administration.js'
export { utcTime } from './time/naive-date-time.js'
export {
  maxCountedClients,
  forEachPolicy,
  ratePolicies,
  defaultRateLimits,
  rateCeiling,
  rateWindow,
  type RateLimits,
  type RatePolicy,
  type SharedUse,
} from './access/rate-limits.js'
export { operations, type Opening, type OperationAccess } from './role/operations.js'
export { actions, permissions, roleNeeded, type Action, type Subject } from './role/permissions.js'
export { isRole, mayActAs, roleDescriptions, roles, strongest, type Role } from './role/role.js'
export { isTokenValid, tokenSeconds } from './role/token-lifetime.js'
export { unrestricted, writeProblem, type Writer } from './role/write-problem.js'

// Instances: settings, deletion
export { confirmationFault, deletionDelay } from './instance/deletion.js'
export { instanceIndex } from './instance/instance-index.js'
export { settingsAttributes, settingsIn, type Settings } from './instance/settings.js'

// Time: date-times without an offset, in the zone of the instance
export { clockTimeIn, nowIn, type ClockTime, type NaiveDateTime } from './time/naive-date-time.js'
export type { Listing } from './resource/listing.js'
export type { Upload } from './file/upload.js'
export type { Resolution } from './path/resolution.js'
export type { Me } from './access/me.js'
