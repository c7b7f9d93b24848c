import type { JsonObject } from '@publishing-service/domain/json'
import type { Schema } from '@publishing-service/domain/declare'
import type { Feed, FeedEntry } from '@publishing-service/domain/feeds'
import { urnOf } from './xml.js'

export const jsonFeedType = 'application/feed+json'

const version = 'https://jsonfeed.org/version/1.1'

const personOf = (name: string): JsonObject => ({ name })

// An item without a body needs an empty one, by the format.
const itemOf = ({
  uuid,
  url,
  title,
  published,
  updated,
  authors,
  summary,
  html,
  image,
}: FeedEntry): JsonObject => ({
  id: urnOf(uuid),
  url,
  title,
  content_html: html ?? '',
  ...(summary === null ? {} : { summary }),
  ...(image === null ? {} : { image: image.url }),
  date_published: published,
  date_modified: updated,
  ...(authors.length === 0 ? {} : { authors: authors.map(personOf) }),
})

/** A feed as JSON Feed 1.1. `self` is its address. */
export const jsonFeedOf = (
  { title, publication, language, url, hub, entries }: Feed,
  self: string,
): JsonObject => ({
  version,
  title,
  home_page_url: url,
  feed_url: self,
  language,
  authors: [personOf(publication)],
  ...(hub === null ? {} : { hubs: [{ type: 'WebSub', url: hub }] }),
  items: entries.map(itemOf),
})

const address = (description: string): Schema => ({ type: 'string', format: 'uri', description })
const text = (description: string): Schema => ({ type: 'string', description })

const authorsSchema = (description: string): Schema => ({
  type: 'array',
  description,
  items: {
    type: 'object',
    description: 'An author.',
    properties: { name: text('Name.') },
    required: ['name'],
  },
})

const itemSchema: Schema = {
  type: 'object',
  description: 'A content object.',
  properties: {
    id: text('`urn:uuid:` and the UUID of the content object.'),
    url: address('Address of the public page.'),
    title: text('Title.'),
    content_html: text('Body without slot tags, with absolute addresses.'),
    summary: text('Teaser text.'),
    image: address('Teaser image, if downloads need no token.'),
    date_published: text('When it went live, with the offset of the zone.'),
    date_modified: text('When it was last changed, with the offset of the zone.'),
    authors: authorsSchema('Its authors, if there are any.'),
  },
  required: ['id', 'url', 'title', 'content_html', 'date_published', 'date_modified'],
}

export const jsonFeedSchema: Schema = {
  type: 'object',
  description: 'A JSON Feed 1.1.',
  properties: {
    version: { type: 'string', enum: [version], description: 'Version of the format.' },
    title: text('Title of the publication, and of the section.'),
    home_page_url: address('Address of the public page.'),
    feed_url: address('Address of the feed.'),
    language: text('Language of the publication.'),
    authors: authorsSchema('The publication.'),
    hubs: {
      type: 'array',
      description: 'The hub that tells subscribers of changes, if there is one.',
      items: {
        type: 'object',
        description: 'A hub.',
        properties: { type: text('Protocol of the hub: `WebSub`.'), url: address('Address of the hub.') },
        required: ['type', 'url'],
      },
    },
    items: { type: 'array', description: 'The newest live content, the newest first.', items: itemSchema },
  },
  required: ['version', 'title', 'home_page_url', 'feed_url', 'language', 'authors', 'items'],
}
