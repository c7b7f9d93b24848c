/** The parts of pages that extend what other endpoints return, their limits, and their parameters (docs/behaviour/pages.md). */
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
import { textSchema, uuidSchema } from '../resource/shown-attribute.js'
import type { ViewContext, Viewer } from '../resource/view-context.js'
import type { Shape } from '../resource/variant.js'
import { section } from '../section/section.js'
import { stateIn } from '../resource/variant.js'
import { tag } from '../tag/tag.js'
import { predicateNames, taggingsOf, type Tagging } from '../tagging/tagging-attributes.js'
import { dateTime } from '../value/scalar.js'
import { defaultStreamingHosts, type StreamingHost } from '../value/value-type.js'
import { column, composite, listSchema, nullableColumn } from './composite.js'
import { picture, pictureOf } from './picture.js'
import {
  ancestorsOf,
  pageReference,
  pathKindOf,
  placed,
  referenceColumns,
  teaser,
  type Placed,
} from './teaser.js'

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
