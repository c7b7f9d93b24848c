import {
  calendarIndex,
  calendarLimits,
  maxFeedEntries,
  sitemapLimits,
  type Calendar,
  type Feed,
  type News,
  type Sitemap,
  type Website,
} from '@publishing-service/domain/feeds'
import { pageAddress } from '@publishing-service/domain/paths'
import { operations } from '@publishing-service/domain/roles'
import { instanceEndpoint } from '../endpoint.js'
import { atomOf, atomType } from './atom.js'
import { exampleCalendar, exampleFeed, exampleNews, exampleSitemap } from './example-feed.js'
import { calendarType, iCalendarOf } from './icalendar.js'
import { jsonFeedOf, jsonFeedSchema, jsonFeedType } from './json-feed.js'
import { robotsTxt } from './robots-txt.js'
import { rssOf, rssType } from './rss.js'
import { newsXml, sitemapType, sitemapXml } from './sitemap-xml.js'
import type { Payload } from '../payload.js'
import type { RequestTarget } from '../request-target.js'
import type { Response } from '../response.js'

/** Where the website has the document that is requested: at the same path as the instance. */
const selfOf = ({ path }: RequestTarget, website: string): string =>
  pageAddress(website, path.replace(/^\/\d+/, ''))

const website = 'https://www.example.org'

const sitemapPath = '/sitemap.xml'
const newsPath = '/news-sitemap.xml'

const textPayload = (mediaType: string, description: string, example: string): Payload => ({
  _tag: 'Format',
  mediaType,
  schema: { type: 'string', description },
  example,
})

const atom: Response<Feed> = {
  payload: textPayload(atomType, 'An Atom feed (RFC 4287).', atomOf(exampleFeed, `${website}/feed/all.atom`)),
  encode: (feed, { target }) => ({
    _tag: 'Text',
    pieces: [atomOf(feed, selfOf(target, feed.website))],
    mediaType: atomType,
  }),
}

const rss: Response<Feed> = {
  payload: textPayload(rssType, 'An RSS 2.0 feed.', rssOf(exampleFeed, `${website}/feed/all.rss`)),
  encode: (feed, { target }) => ({
    _tag: 'Text',
    pieces: [rssOf(feed, selfOf(target, feed.website))],
    mediaType: rssType,
  }),
}

const jsonFeed: Response<Feed> = {
  payload: {
    _tag: 'Format',
    mediaType: jsonFeedType,
    schema: jsonFeedSchema,
    example: jsonFeedOf(exampleFeed, `${website}/feed/all.json`),
  },
  encode: (feed, { target }) => ({
    _tag: 'Json',
    body: jsonFeedOf(feed, selfOf(target, feed.website)),
    mediaType: jsonFeedType,
  }),
}

const calendar: Response<Calendar> = {
  payload: textPayload(calendarType, 'A calendar (RFC 5545).', iCalendarOf(exampleCalendar)),
  encode: (found) => ({ _tag: 'Text', pieces: [iCalendarOf(found)], mediaType: calendarType }),
}

const sitemap: Response<Sitemap> = {
  payload: textPayload(
    sitemapType,
    'A sitemap, or the index of its parts.',
    [...sitemapXml(exampleSitemap, website)].join(''),
  ),
  encode: (pages, { target }) => ({
    _tag: 'Text',
    pieces: sitemapXml(pages, 'parts' in pages ? selfOf(target, pages.website) : ''),
    mediaType: sitemapType,
  }),
}

const news: Response<News> = {
  payload: textPayload(sitemapType, 'A sitemap of news.', [...newsXml(exampleNews)].join('')),
  encode: (found) => ({ _tag: 'Text', pieces: newsXml(found), mediaType: sitemapType }),
}

const robotsOf = (settings: Pick<Website, 'robots_disallow' | 'website_url'>): string =>
  robotsTxt(
    settings,
    [sitemapPath, newsPath].map((path) => pageAddress(settings.website_url, path)),
  )

const robots: Response<Website> = {
  payload: textPayload(
    'text/plain',
    'A robots.txt (RFC 9309).',
    robotsOf({ robots_disallow: ['/search/'], website_url: website }),
  ),
  encode: (settings) => ({ _tag: 'Text', pieces: [robotsOf(settings)], mediaType: 'text/plain' }),
}

const description = `The newest live content of the instance, or of a section and the sections below it, up to ${maxFeedEntries} entries. It contains what the public sees, for every role. Needs the setting \`website_url\`.`

/** Feeds and the sitemap (docs/behaviour/feeds.md). */
export const feedEndpoints = {
  readAtomFeed: instanceEndpoint({
    operation: operations.readFeed,
    id: 'readAtomFeed',
    method: 'GET',
    path: '/{iid}/feed/{feed}.atom',
    summary: 'Read a feed as Atom',
    description,
    caching: 'object',
    body: 'none',
    input: ({ path: { feed } }) => ({ name: feed }),
    response: atom,
  }),
  readRssFeed: instanceEndpoint({
    operation: operations.readFeed,
    id: 'readRssFeed',
    method: 'GET',
    path: '/{iid}/feed/{feed}.rss',
    summary: 'Read a feed as RSS',
    description,
    caching: 'object',
    body: 'none',
    input: ({ path: { feed } }) => ({ name: feed }),
    response: rss,
  }),
  readJsonFeed: instanceEndpoint({
    operation: operations.readFeed,
    id: 'readJsonFeed',
    method: 'GET',
    path: '/{iid}/feed/{feed}.json',
    summary: 'Read a feed as JSON Feed',
    description,
    caching: 'object',
    body: 'none',
    input: ({ path: { feed } }) => ({ name: feed }),
    response: jsonFeed,
  }),
  readCalendar: instanceEndpoint({
    operation: operations.readCalendar,
    id: 'readCalendar',
    method: 'GET',
    path: '/{iid}/calendar.ics',
    summary: 'Read a calendar of events',
    description: `The events that are not over for more than ${calendarLimits.pastDays} days, up to ${calendarLimits.events}, the next first. It contains what the public sees, for every role.`,
    caching: 'object',
    parameters: Object.entries(calendarIndex.filters).map(([name, filter]) => ({
      name,
      description: filter.description,
      schema: filter.schema,
    })),
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: calendar,
  }),
  readEventCalendar: instanceEndpoint({
    operation: operations.readEventCalendar,
    id: 'readEventCalendar',
    method: 'GET',
    path: '/{iid}/content/{uuid}/calendar.ics',
    summary: 'Read an event as a calendar',
    description: 'It contains what the public sees, for every role. Other content gets 404.',
    caching: 'object',
    body: 'none',
    input: ({ path: { uuid } }) => ({ id: uuid }),
    response: calendar,
  }),
  readSitemap: instanceEndpoint({
    operation: operations.readSitemap,
    id: 'readSitemap',
    method: 'GET',
    path: `/{iid}${sitemapPath}`,
    summary: 'Read the sitemap',
    description: `The pages of everything with a public path that the public sees, with their images if downloads need no token. Instead of more than ${sitemapLimits.pages} pages, it has the addresses of parts. Needs the setting \`website_url\`.`,
    caching: 'object',
    parameters: [
      {
        name: 'part',
        description: 'Number of a part, as in the index.',
        schema: { type: 'integer', minimum: 1, maximum: 999_999 },
      },
    ],
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: sitemap,
  }),
  readNews: instanceEndpoint({
    operation: operations.readNews,
    id: 'readNews',
    method: 'GET',
    path: `/{iid}${newsPath}`,
    summary: 'Read the sitemap of news',
    description: `The live stories of the last two days, the newest first, up to ${sitemapLimits.news}. Needs the setting \`website_url\`.`,
    caching: 'object',
    body: 'none',
    input: () => ({}),
    response: news,
  }),
  readRobots: instanceEndpoint({
    operation: operations.readRobots,
    id: 'readRobots',
    method: 'GET',
    path: '/{iid}/robots.txt',
    summary: 'Read robots.txt',
    description:
      'What robots may read of the website: all but what the setting `robots_disallow` names; with the addresses of the sitemaps. Needs the setting `website_url`.',
    caching: 'settings',
    body: 'none',
    input: () => ({}),
    response: robots,
  }),
}
