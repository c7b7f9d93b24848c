/** Feeds and sitemaps, independent of a format. */
export { feedEntry, feedLookups, feedOf, maxFeedEntries, type Feed, type FeedEntry } from '../feed/feed.js'
export { sitemapEntry, sitemapSize, type Sitemap, type SitemapEntry } from '../feed/sitemap.js'
