/** Feeds, calendars, sitemaps and what robots may read, independent of a format. */
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
  calendarEvent,
  calendarIndex,
  calendarLimits,
  calendarLookups,
  calendarOf,
  calendarPeriods,
  statusInTitle,
  type Calendar,
  type CalendarEvent,
  type CalendarZone,
} from '../feed/calendar.js'
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
