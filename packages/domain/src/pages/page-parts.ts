/** The parts of pages: links to objects, teasers, and what extends objects of other endpoints; their limits and parameters (docs/behaviour/pages.md). */
import { mediaWith } from '../content/media.js'
import { slot } from '../content/slot.js'
import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { relatedLink } from '../content/related-links.js'
import { storyAttributes, story } from '../homepage/homepage.js'
import { derived } from '../resource/attribute.js'
import type { Parameters } from '../resource/collection-filter.js'
import {
  pageLimits,
  parseCollectionQuery,
  type CollectionQuery,
  type Queryable,
} from '../resource/collection-query.js'
import { textSchema, uuidSchema, uriSchema } from '../resource/shown-attribute.js'
import type { ViewContext, Viewer } from '../resource/view-context.js'
import { type Shape, stateIn, attributeIn } from '../resource/attribute-tables.js'
import { section } from '../sections/section.js'
import { tag, predicateNames, taggingsOf, type Tagging } from '../tags/tag.js'
import { dateTime } from '../value/scalar.js'
import { defaultStreamingHosts, type StreamingHost } from '../value/value-type.js'
import { column, composite, listSchema, nullableColumn } from './composite.js'
import { picture, pictureOf, type PictureView } from './picture.js'
import { content } from '../content/content.js'
import { contentTypes } from '../content/content-type.js'
import type { JsonObject } from '../json.js'
import { location } from '../locations/location.js'
import { pathLookups, publicPath } from '../paths/public-path.js'
import { includedReferences, type IncludePath } from '../resource/include.js'
import type { Lookup } from '../resource/read-plan.js'
import { objectName, pathKinds, type PathKind } from '../resource/resources.js'

// Links to pages and teasers of objects (docs/behaviour/pages.md#teasers).

/**
 * The collections of objects whose pages show more than the object: what has a case for each of them does not compile
 * without one. Those of other collections with public paths have a general page.
 */
export type ComposedCollection = (
  typeof content | typeof section | typeof location | typeof tag
)['collection']

/** An object with a public path, and what its page needs. */
export type Placed = {
  readonly kind: PathKind
  readonly id: string
  readonly state: JsonObject
  readonly view: PictureView & Viewer
}

const kinds = new Map<string, PathKind>(pathKinds.map((kind) => [kind.resource.collection, kind]))

/** The kind of the objects of a collection; undefined if these have no public path. */
export const pathKindOf = (collection: string): PathKind | undefined => kinds.get(collection)

/** An object with its state as the viewer sees it; null if the viewer does not see it, or it has no public path. */
export const placed = (collection: string, id: string | null, view: Placed['view']): Placed | null => {
  const kind = kinds.get(collection)
  const state = id === null ? undefined : view.find(collection, id)
  return id === null || kind === undefined || state === undefined ? null : { kind, id, state, view }
}

const pathOf = ({ kind, state, view }: Placed): string => publicPath(kind.rule, state, view.find)

const titleOf = ({ kind, state }: Placed): string => objectName(kind.resource, state) ?? ''

/** What identifies an object, and where its page is. */
export const referenceColumns = {
  uuid: column(uuidSchema, 'UUID of the object.', ({ id }: Placed) => id),
  url: column(uriSchema, 'API URL of the object.', ({ id, kind, view }: Placed) =>
    view.links.object(kind.resource.collection, id),
  ),
  title: column(textSchema, 'Its title.', titleOf),
  path: column(textSchema, 'Its public path.', pathOf),
} as const

/** A link to the page of an object. */
export const pageReference = composite('PageReference', 'A link to the page of an object.', referenceColumns)

export type PageReference = ReturnType<typeof pageReference.read>

const referenceTo = (collection: string, id: string | null, view: Placed['view']): PageReference | null => {
  const found = placed(collection, id, view)
  return found === null ? null : pageReference.read(found)
}

const sectionOf = ({ kind, state }: Placed): string | null => {
  const { section: key } = kind.rule
  const id = key === undefined ? null : state[key]
  return typeof id === 'string' ? id : null
}

/** The tags of an object by a predicate. */
const taggedBy = (predicate: string, state: JsonObject): readonly string[] =>
  taggingsOf(state).flatMap((each) => (each.predicate === predicate ? [each.tag] : []))

/** The persons that have written an object. */
export const authorsOf = ({ state, view }: Placed): readonly PageReference[] =>
  taggedBy('authored', state).flatMap((id) => referenceTo('tags', id, view) ?? [])

/** The references to the image of an object, of whatever kind, the first that it has. */
const imagePaths = ['teaser_image', 'header_image', 'thumb', 'listing_images', 'feature_image'].map(
  (name): IncludePath => ({ names: [name], fields: null }),
)

/** The images that may be that of an object, as far as the viewer sees them. */
const imagesOf = ({ resource }: PathKind, state: JsonObject, viewer: Viewer): readonly string[] =>
  includedReferences(resource, state, viewer, imagePaths).map(({ reference }) => reference.id)

/** The image that lists show of an object. */
export const imageOf = (of: Placed) => {
  for (const id of imagesOf(of.kind, of.state, of.view)) {
    const found = pictureOf(id, of.view)
    if (found !== null) return found
  }
  return null
}

const shared = { ...location.attributes, ...content.attributes } as const

/** An attribute that content has, and other kinds may have. */
const shownText =
  (name: 'kicker' | 'description') =>
  ({ state }: Placed): string | null =>
    attributeIn(shared, name, state)

const ofContent =
  <N extends 'content_type' | 'sub_title' | 'issued' | 'dtstart' | 'dtend' | 'rating'>(name: N) =>
  ({ kind, state }: Placed) =>
    kind.resource.collection === content.collection ? attributeIn(content.attributes, name, state) : null

/** What a list shows of an object. */
export const teaser = composite('Teaser', 'What lists show of an object.', {
  type: column(
    { type: 'string', enum: pathKinds.map(({ resource }) => resource.name) },
    'Kind of the object.',
    ({ kind }: Placed) => kind.resource.name,
  ),
  content_type: nullableColumn(
    { type: 'string', enum: contentTypes },
    'The type of content.',
    ofContent('content_type'),
  ),
  ...referenceColumns,
  sub_title: nullableColumn(textSchema, 'Its subtitle.', ofContent('sub_title')),
  kicker: nullableColumn(textSchema, 'Line above the title.', shownText('kicker')),
  description: nullableColumn(textSchema, 'Teaser text.', shownText('description')),
  issued: nullableColumn(dateTime.schema, 'When it was published.', ofContent('issued')),
  dtstart: nullableColumn(dateTime.schema, 'When an event starts.', ofContent('dtstart')),
  dtend: nullableColumn(dateTime.schema, 'When an event ends.', ofContent('dtend')),
  rating: nullableColumn(textSchema, 'The stars of a review.', ofContent('rating')),
  section: nullableColumn(pageReference.schema, 'Its section.', (of: Placed) =>
    referenceTo(section.collection, sectionOf(of), of.view),
  ),
  authors: column(listSchema(pageReference), 'The tags of the predicate `authored`.', authorsOf),
  image: nullableColumn(
    picture.schema,
    'Its teaser image, else its header image; of other kinds, their image.',
    imageOf,
  ),
})

export type Teaser = ReturnType<typeof teaser.read>

/** The look-ups that the teaser of an object needs. */
export const teaserLookups = (kind: PathKind, state: JsonObject, viewer: Viewer): readonly Lookup[] => [
  ...pathLookups(kind.rule, state),
  ...imagesOf(kind, state, viewer).map((id) => ({ reference: { path: '', collection: 'files', id } })),
  ...taggedBy('authored', state).map((id) => ({ reference: { path: '', collection: 'tags', id } })),
]

/** The sections above an object, the top one first. */
export const ancestorsOf = ({ kind, state, view }: Placed): readonly PageReference[] => {
  const above: PageReference[] = []
  const seen = new Set<string>()
  let id = sectionOf({ kind, id: '', state, view })
  while (id !== null && !seen.has(id)) {
    seen.add(id)
    const found = placed(section.collection, id, view)
    if (found === null) break
    above.unshift(pageReference.read(found))
    id = sectionOf(found)
  }
  return above
}

// What extends the objects of other endpoints.

const { title: titleColumn, path: pathColumn } = referenceColumns

type Illustrated = { readonly image_uuid: string | null }

/** A medium with its image as a picture. */
export const mediumOnPageWith = (hosts: readonly StreamingHost[]): Shape => {
  const media = mediaWith(hosts)
  return {
    ...media,
    attributes: {
      ...media.attributes,
      file: derived(
        picture.schema,
        'Its image.',
        ({ image_uuid: id }: Illustrated, view) => pictureOf(id, view),
        { needs: ['image_uuid'], nullable: true, only: ['file', 'external'] },
      ),
    },
  }
}

export const mediumOnPage = mediumOnPageWith(defaultStreamingHosts)

const { uuid: slotUuid, relevance, display } = slot.attributes

/** How a slot shows its media. */
export const slotOnPage = { attributes: { uuid: slotUuid, relevance, display } } as const satisfies Shape

const collections = { content: 'content', location: 'locations' } as const

type Target = { readonly type: string | null; readonly target_uuid: string | null }

const targetOf = ({ type, target_uuid: id }: Target, view: ViewContext): Placed | null =>
  type === 'content' || type === 'location' ? placed(collections[type], id, view) : null

const onTarget = { needs: ['target_uuid'], nullable: true } as const

/** A related link with what a page shows of its target. */
export const relatedLinkOnPage: Shape = {
  ...relatedLink,
  attributes: {
    ...relatedLink.attributes,
    title: derived(
      textSchema,
      'The text of the link, or the title of its target.',
      (state: Target & { readonly text: string | null }, view) => {
        const target = targetOf(state, view)
        return target === null ? state.text : titleColumn.read(target)
      },
      { ...onTarget },
    ),
    path: derived(
      textSchema,
      'The public path of its target.',
      (state: Target, view) => {
        const target = targetOf(state, view)
        return target === null ? null : pathColumn.read(target)
      },
      { ...onTarget, only: ['content', 'location'] },
    ),
    teaser: derived(
      teaser.schema,
      'What lists show of its target.',
      (state: Target, view) => {
        const target = targetOf(state, view)
        return target === null ? null : teaser.read(target)
      },
      { ...onTarget, only: ['content', 'location'] },
    ),
  },
}

type Story = { readonly link_uuid: string | null; readonly image_uuid: string | null }

/** A story with what a page shows of its content. */
export const storyOnPage: Shape = {
  ...story,
  attributes: {
    ...storyAttributes,
    picture: derived(
      picture.schema,
      'Its image; null if it is that of the content.',
      ({ image_uuid: id }: Story, view) => pictureOf(id, view),
      { needs: ['image_uuid'], nullable: true },
    ),
    teaser: derived(
      teaser.schema,
      'What lists show of the content.',
      ({ link_uuid: id }: Story, view) => {
        const target = placed('content', id, view)
        return target === null ? null : teaser.read(target)
      },
      { needs: ['link_uuid'], nullable: true, only: ['content'] },
    ),
  },
}

/** A section with those above it. */
export const sectionOnPage: Shape = {
  ...section,
  attributes: {
    ...section.attributes,
    ancestors: derived(
      listSchema(pageReference),
      'The sections above it, the top one first.',
      (state, view) => {
        const kind = pathKindOf(section.collection)
        return kind === undefined ? [] : ancestorsOf({ kind, id: view.id, state, view })
      },
      { needs: ['parent_uuid'], chain: 'parent_uuid' },
    ),
  },
}

type TagSource = { readonly tagging: Tagging; readonly of: Placed }

/** A tag of an object, with its predicate. */
export const tagOnPage = composite('TagOnPage', 'A tag of the object, with its predicate.', {
  predicate: column(
    { type: 'string', enum: predicateNames },
    'How it relates to the object.',
    ({ tagging }: TagSource) => tagging.predicate,
  ),
  uuid: column(uuidSchema, 'UUID of the tag.', ({ of }: TagSource) => of.id),
  type: nullableColumn(
    tag.attributes.type.type.schema,
    'Whether it names a person.',
    ({ of }: TagSource) => stateIn(tag, of.state).type,
  ),
  title: column(textSchema, 'Its name.', ({ of }: TagSource) => titleColumn.read(of)),
  urlname: column(
    textSchema,
    'Its name in public paths.',
    ({ of }: TagSource) => stateIn(tag, of.state).urlname,
  ),
  path: column(textSchema, 'Its public path.', ({ of }: TagSource) => pathColumn.read(of)),
})

/** The tags of an object that the viewer sees. */
export const tagsOnPage = ({ state, view }: Placed) =>
  taggingsOf(state).flatMap((tagging) => {
    const of = placed(tag.collection, tagging.tag, view)
    return of === null ? [] : [tagOnPage.read({ tagging, of })]
  })

type OccurrenceSource = { readonly of: Placed; readonly dtstart: string; readonly dtend: string | null }

/** One time at which an event takes place. */
export const occurrenceOnPage = composite('OccurrenceOnPage', 'One time at which an event takes place.', {
  event: column(pageReference.schema, 'The event.', ({ of }: OccurrenceSource) => pageReference.read(of)),
  dtstart: column(dateTime.schema, 'When it starts.', ({ dtstart }: OccurrenceSource) => dtstart),
  dtend: nullableColumn(dateTime.schema, 'When it ends.', ({ dtend }: OccurrenceSource) => dtend),
})

/** A section below another one. */
export const childSection = composite('ChildSection', 'A section below the section.', {
  ...referenceColumns,
  hide_in_nav: column(
    { type: 'boolean' },
    'Whether navigation leaves it out.',
    ({ state }: Placed) => stateIn(section, state).hide_in_nav === true,
  ),
  externalurl: nullableColumn(
    textSchema,
    'Address, or path of the website, that it leads to instead of its own page.',
    ({ state }: Placed) => stateIn(section, state).externalurl,
  ),
})

/** The most occurrences that a page has. */
export const mostOccurrences = 20

/** The most children of a section that a page has. */
export const mostChildren = 1000

/** The most objects of a roundup that a page has teasers of. */
export const mostOfRoundup = 100

/** A list of a page has no fields, filters, orders or facets that clients choose. */
const listed: Queryable = { attributes: {}, orders: {}, filters: {}, facets: {}, initialFields: [] }

type PageQuery = Pick<CollectionQuery, 'page' | 'rpp' | 'after' | 'counting'>

const firstPage: PageQuery = { page: 1, rpp: pageLimits.rpp, after: null, counting: null }

/** Which page of its list a page of the website has, or what is accepted. */
export const parsePageQuery = (
  { page, rpp, after, total }: Parameters,
  viewer: Viewer,
): Either<readonly Fault[], PageQuery> => {
  const sent = Object.entries({ page, rpp, after, total }).filter(([, value]) => value !== undefined)
  return sent.length === 0
    ? E.right(firstPage)
    : parseCollectionQuery(listed, Object.fromEntries(sent), viewer, false)
}
