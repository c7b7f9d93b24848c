/** What has changed: the feed of changes, and the versions of objects. */
export {
  changeMark,
  feedCursor,
  feedDays,
  feedItem,
  feedItemShape,
  feedPageShape,
  feedParameters,
  longestWait,
  parseFeedQuery,
  pathLookupsOf,
  publicEffect,
  settingsSubject,
  isTimeRecorded,
  timedResources,
  timeMark,
  type ChangeMark,
  type FeedCursor,
  type FeedItem,
  type FeedPlace,
  type FeedQuery,
  type MarkedChange,
  type PublicEffect,
} from '../changes/change-feed.js'
export { uncertainDifference } from '../changes/public-difference.js'
export { purgedTags, responseTags, type ObjectsRead } from '../changes/cache-tags.js'
export { inSections, touching, type Touched, type Touching } from '../changes/touching.js'
export {
  attributeChangeShape,
  defaultRetainedVersions,
  parseVersionsQuery,
  versionPageShape,
  versionParameters,
  versionShape,
  type VersionsQuery,
  type WordChange,
} from '../history/versions.js'
