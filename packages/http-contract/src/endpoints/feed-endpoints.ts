import { maxFeedEntries, sitemapSize, type Feed, type Sitemap } from '@publishing-service/domain/feeds'
import { operations } from '@publishing-service/domain/access'
import { instanceEndpoint } from '../endpoint.js'
import { atomOf, atomType } from '../feed/atom.js'
import { exampleFeed, exampleSitemap } from '../feed/example-feed.js'
import { jsonFeedOf, jsonFeedSchema, jsonFeedType } from '../feed/json-feed.js'
import { sitemapType, sitemapXml } from '../feed/sitemap-xml.js'
import type { Payload } from '../payload.js'
import type { RequestTarget } from '../request-target.js'
import type { Response } from '../response.js'

const selfOf = ({ base, path }: RequestTarget): string => `${base}${path}`

const self = 'https://api.example.org/1'

const xmlPayload = (mediaType: string, description: string, example: string): Payload => ({
  _tag: 'Format',
  mediaType,
  schema: { type: 'string', description },
  example,
})

const atom: Response<Feed> = {
  payload: xmlPayload(atomType, 'An Atom feed (RFC 4287).', atomOf(exampleFeed, `${self}/feed/all.atom`)),
  encode: (feed, { target }) => ({
    _tag: 'Text',
    pieces: [atomOf(feed, selfOf(target))],
    mediaType: atomType,
  }),
}

const jsonFeed: Response<Feed> = {
  payload: {
    _tag: 'Format',
    mediaType: jsonFeedType,
    schema: jsonFeedSchema,
    example: jsonFeedOf(exampleFeed, `${self}/feed/all.json`),
  },
  encode: (feed, { target }) => ({
    _tag: 'Json',
    body: jsonFeedOf(feed, selfOf(target)),
    mediaType: jsonFeedType,
  }),
}

const sitemap: Response<Sitemap> = {
  payload: xmlPayload(
    sitemapType,
    'A sitemap, or the index of its parts.',
    [...sitemapXml(exampleSitemap, self)].join(''),
  ),
  encode: (pages, { target }) => ({
    _tag: 'Text',
    pieces: sitemapXml(pages, selfOf(target)),
    mediaType: sitemapType,
  }),
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
  readSitemap: instanceEndpoint({
    operation: operations.readSitemap,
    id: 'readSitemap',
    method: 'GET',
    path: '/{iid}/sitemap.xml',
    summary: 'Read the sitemap',
    description: `The pages of everything with a public path that the public sees. Instead of more than ${sitemapSize} pages, it has the addresses of parts. Needs the setting \`website_url\`.`,
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
}
