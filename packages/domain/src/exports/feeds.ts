/** Feeds, sitemaps and what robots may read, independent of a format. */
export {
  feedEntry,
  feedLookups,
  feedOf,
  maxFeedEntries,
  type Feed,
  type FeedEntry,
  type Website,
} from '../feed/feed.js'
export {
  newsEntry,
  newsLanguage,
  newsTypes,
  readsSlots,
  sitemapEntry,
  sitemapLimits,
  sitemapLookups,
  type News,
  type NewsEntry,
  type Sitemap,
  type SitemapEntry,
} from '../feed/sitemap.js'
