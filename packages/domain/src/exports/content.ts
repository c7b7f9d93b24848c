/** Slots with media, related links, stories, trees of comments. */
export { contentInfo, contentPath } from '../content/attributes/common-attributes.js'
export { contentTypePlurals, contentTypes, type ContentType } from '../content/content-type.js'
export { media, mediaWith, type Medium } from '../content/media.js'
export {
  hasVisibleTarget,
  linkCountFaults,
  maxRelatedLinks,
  parseRelatedLinksQuery,
  relatedLink,
  relatedLinksOf,
  relatedLinksParameters,
  viewLinks,
  visibleLinks,
  type StoredLinks,
} from '../content/related-links.js'
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
} from '../content/slot.js'
export { slotMediaFaults } from '../content/slot-media-faults.js'
export { maxCommentDepth, treePath } from '../comments/tree-path.js'
export {
  commentOfVisitor,
  isTrapped,
  isWaiting,
  mostWaitingComments,
  replyFaults,
  visitorComment,
} from '../comments/visitor-comment.js'
export {
  firstHomepage,
  storiesOf,
  storyLists,
  type StoryList,
  draftStories,
  story,
  storyLimit,
  storyList,
  storyOf,
  type StoredStories,
} from '../homepage/homepage.js'
export { sectionPath } from '../sections/section.js'
export { maxSubtree, subtreesNamedIn, subtreeTooLarge, withSubtrees } from '../sections/section-filters.js'
