import type { Feed, FeedEntry } from '@publishing-service/domain/feeds'
import { urnOf, xmlDeclaration, xmlOf, type Xml } from './xml.js'

export const rssType = 'application/rss+xml'

/** A time as RFC 822 writes it. */
const timeOf = (time: string): string => new Date(time).toUTCString()

const itemOf = ({ uuid, url, title, published, authors, summary, html, image }: FeedEntry): Xml => ({
  title,
  link: url,
  guid: { '@isPermaLink': 'false', '#text': urnOf(uuid) },
  pubDate: timeOf(published),
  'dc:creator': authors,
  ...(summary === null ? {} : { description: summary }),
  ...(html === null ? {} : { 'content:encoded': html }),
  ...(image === null
    ? {}
    : { enclosure: { '@url': image.url, '@length': String(image.bytes), '@type': image.mimetype } }),
})

/** A feed as RSS 2.0. `self` is its address. */
export const rssOf = (
  { title, publication, language, url, updated, hub, entries }: Feed,
  self: string,
): string =>
  xmlDeclaration +
  xmlOf({
    rss: {
      '@version': '2.0',
      '@xmlns:atom': 'http://www.w3.org/2005/Atom',
      '@xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
      '@xmlns:dc': 'http://purl.org/dc/elements/1.1/',
      channel: {
        title,
        link: url,
        description: publication,
        language,
        lastBuildDate: timeOf(updated),
        'atom:link': [
          { '@rel': 'self', '@type': rssType, '@href': self },
          ...(hub === null ? [] : [{ '@rel': 'hub', '@href': hub }]),
        ],
        item: entries.map(itemOf),
      },
    },
  })
