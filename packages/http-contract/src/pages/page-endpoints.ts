/** What the website shows at a path, in one response (docs/behaviour/pages.md). */
import { homepage, type Resource } from '@publishing-service/domain'
import { operations } from '@publishing-service/domain/roles'
import type { Schema, Shape } from '@publishing-service/domain/declare'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  countLimits,
  pageLimits,
  placeSchema,
  type Listing,
  type Total,
} from '@publishing-service/domain/lists'
import {
  childSection,
  mediumOnPageWith,
  mostChildren,
  mostOfRoundup,
  mostOccurrences,
  occurrenceOnPage,
  pageReference,
  picture,
  relatedLinkOnPage,
  slotOnPage,
  sectionOnPage,
  seo,
  storyOnPage,
  tagOnPage,
  teaser,
  type ComposedCollection,
} from '@publishing-service/domain/pages'
import { maxSitePath, pathKinds } from '@publishing-service/domain/paths'
import type { DeploymentFacts } from '../deployment-facts.js'
import { instanceEndpoint } from '../endpoint.js'
import { namedResource, type Kind, type NamedShape, type Part } from '../payload.js'
import { pageQuery } from '../request-target.js'
import { json, linkTo, redirectProperties, type Response } from '../response.js'

const named = (name: string, description: string, shape: Shape): NamedShape => ({ name, description, shape })

const path: Schema = { type: 'string', description: 'The public path of the page.' }

const objectOf = (resource: Resource): Part => ({
  description: `The ${resource.name}, as its address returns it.`,
  of: { ...namedResource(resource), includes: false },
})

const seoPart: Part = { description: 'What search engines and social networks read.', of: seo }
const sectionShape = named('SectionOnPage', 'A section with those above it.', sectionOnPage)
const tags: Part = { description: 'The tags of the object.', of: tagOnPage, as: 'list' }
const pictureNamed = (description: string): Part => ({ description, of: picture, nullable: true })
const occurrences: Part = {
  description: `The next ${mostOccurrences} times of the event, or of the events that take place there.`,
  of: occurrenceOnPage,
  as: 'list',
}
const stories = (description: string): Part => ({
  description,
  of: named('StoryOnPage', 'A story with what a page shows of its content.', storyOnPage),
  as: 'list',
})

type Parts = Kind['parts']

/** The parts of the pages that show more than the object. */
const composedPartsOn = ({
  streamingHosts,
}: Pick<DeploymentFacts, 'streamingHosts'>): Readonly<Record<ComposedCollection, Parts>> => ({
  content: {
    section: { description: 'Its section.', of: sectionShape, nullable: true },
    slots: {
      description: 'How the slots of its body show their media, in its order.',
      of: named('SlotOnPage', 'How a slot shows its media.', slotOnPage),
      as: 'list',
    },
    media: {
      description: 'The media of its slots that have any.',
      of: named('MediumOnPage', 'A medium with its image.', mediumOnPageWith(streamingHosts)),
      as: 'lists by UUID',
    },
    header_image: pictureNamed('Its header image.'),
    teaser_image: pictureNamed('Its teaser image.'),
    tags,
    related_links: {
      description: 'Its related links.',
      of: named(
        'RelatedLinkOnPage',
        'A related link with what a page shows of its target.',
        relatedLinkOnPage,
      ),
      as: 'list',
    },
    location: { description: 'The location of an event or a review.', of: teaser, nullable: true },
    roundup: {
      description: `The objects of a roundup in its order, at most ${mostOfRoundup}; none for other content.`,
      of: teaser,
      as: 'list',
    },
    occurrences,
    previous: {
      description: 'The content before it in its section, if the section has `show_prev_next`.',
      of: pageReference,
      nullable: true,
    },
    next: {
      description: 'The content after it in its section, if the section has `show_prev_next`.',
      of: pageReference,
      nullable: true,
    },
  },
  sections: {
    object: { description: 'The section.', of: sectionShape },
    feature_image: pictureNamed('Its feature image.'),
    children: {
      description: `The sections below it, at most ${mostChildren}.`,
      of: childSection,
      as: 'list',
    },
    featured_stories: stories('Its featured stories; none but on the first page of its content.'),
    content: { description: 'Its live content, the newest first.', of: teaser, as: 'page' },
  },
  locations: {
    tags,
    thumb: pictureNamed('Its thumbnail.'),
    coupon_image: pictureNamed('The image of its coupon.'),
    listing_images: { description: 'The images of the listing.', of: picture, as: 'list' },
    occurrences,
  },
  tags: {
    feature_image: pictureNamed('Its feature image.'),
    objects: {
      description: 'The live content and locations that have it, the newest first.',
      of: teaser,
      as: 'page',
    },
  },
})

/** What every page of an object has. */
const generalParts = (resource: Resource): Parts => ({ object: objectOf(resource), seo: seoPart })

const kindsOn = (facts: Pick<DeploymentFacts, 'streamingHosts'>): readonly Kind[] => {
  const composed = new Map<string, Parts>(Object.entries(composedPartsOn(facts)))
  return [
    ...pathKinds.map(({ resource }) => ({
      kind: resource.name,
      description: `The page of the ${resource.name}.`,
      properties: { path },
      parts: { ...generalParts(resource), ...composed.get(resource.collection) },
    })),
    {
      kind: homepage.name,
      description: 'The homepage.',
      properties: { path },
      parts: {
        ...generalParts(homepage),
        headline_stories: stories('Its headline stories.'),
        featured_stories: stories('Its featured stories.'),
      },
    },
    {
      kind: 'redirect',
      description: 'The path leads to another address, as `resolve` has it.',
      properties: redirectProperties,
      parts: {},
    },
  ]
}

type Page = {
  readonly body: JsonObject
  readonly list: {
    readonly name: string
    readonly items: readonly JsonObject[]
    readonly links: Pick<Listing, 'next'>
    readonly total: Total | null
  } | null
}

const pageOn = (facts: Pick<DeploymentFacts, 'streamingHosts'>): Response<Page> => ({
  payload: {
    _tag: 'Kinds',
    name: 'WebPage',
    description: 'What the website shows at a path.',
    kinds: kindsOn(facts),
  },
  encode: ({ body, list }, { target }) => {
    if (list === null) return json(body)
    const { items, links, name, total } = list
    const next = links.next === null ? {} : { next: linkTo(target, pageQuery(target.query, links.next)) }
    return json({ ...body, [name]: { items, ...(total === null ? {} : { total }), ...next } })
  },
})

export const pageEndpointsOn = (facts: Pick<DeploymentFacts, 'streamingHosts'>) => ({
  readWebPage: instanceEndpoint({
    operation: operations.readWebPage,
    id: 'readWebPage',
    method: 'GET',
    path: '/{iid}/page',
    summary: 'Read what the website shows at a path',
    description:
      'The object whose public path it is, with everything that its page shows: section, media, images, tags, related links, lists. A path that leads elsewhere is a `redirect`, with the status 200 of the response itself.',
    caching: 'object',
    parameters: [
      {
        name: 'path',
        description: 'The path that a visitor requested, with or without its query; `/` by default.',
        schema: { type: 'string', format: 'site-path', pattern: '^/', maxLength: maxSitePath },
      },
      {
        name: 'page',
        description: 'The page of the list of a section or a tag, from 1 on.',
        schema: { type: 'integer', minimum: 1, maximum: pageLimits.maxPage },
      },
      {
        name: 'rpp',
        description: `The number of objects of that list; ${pageLimits.rpp} by default.`,
        schema: { type: 'integer', minimum: 1, maximum: pageLimits.maxRpp },
      },
      {
        name: 'total',
        description: `Whether that list has the number of all its objects, exact up to ${countLimits.exact}, in \`total\`.`,
        schema: { type: 'boolean' },
      },
      {
        name: 'after',
        description: 'Where the list starts: only from `next` of another page.',
        schema: placeSchema,
      },
    ],
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: pageOn(facts),
  }),
})
