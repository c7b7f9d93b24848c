/** What the website shows at a path, in one response (docs/behaviour/pages.md). */
import { content, homepage, location, section, stateIn, tag, viewOf } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Filter } from '@publishing-service/domain/filters'
import { operations } from '@publishing-service/domain/roles'
import {
  firstHomepage,
  listedSlots,
  media,
  placedSlots,
  relatedLinksOf,
  slotOf,
  slotState,
  storiesOf,
  story,
  storyLists,
  viewLinks,
} from '@publishing-service/domain/content'
import { readPlan, type Lookup } from '@publishing-service/domain/engine'
import {
  countLimits,
  totalOf,
  type CollectionQuery,
  type Parameters,
  type Total,
} from '@publishing-service/domain/lists'
import {
  childSection,
  mediumOnPage,
  mostChildren,
  mostOccurrences,
  mostOfRoundup,
  occurrenceOnPage,
  pageReference,
  parsePageQuery,
  pictureOf,
  relatedLinkOnPage,
  readSeo,
  sectionOnPage,
  slotOnPage,
  storyOnPage,
  tagsOnPage,
  teaser,
  type ComposedCollection,
  type PageReference,
  type Placed,
  type SeoSource,
  type Teaser,
} from '@publishing-service/domain/pages'
import { tagsOn } from '@publishing-service/domain/tags'
import { placeOf, unreadable, type Document } from '@publishing-service/ports'
import { accepted, allOf } from '../attempt.js'
import { collectionNamed } from '../collections.js'
import { readMerged, type Source } from '../engine/read-merged.js'
import { documentsMeeting, readPage, type PageLinks } from '../engine/read-page.js'
import { findObject } from '../engine/read-one.js'
import { occurrencesQuery, readOccurrences } from '../events/list-occurrences.js'
import { liveFilters, liveIn } from '../homepage/newest-live.js'
import { featuredStories } from '../homepage/section-stories.js'
import { storiesIn } from '../homepage/stories.js'
import type { ReadOperation } from '../operation.js'
import { locate, requestedPath, type Found } from '../paths/resolve-path.js'
import type { Session } from '../session.js'
import { PageReader, type Listed } from './page-reader.js'

type PageQuery = Pick<CollectionQuery, 'page' | 'rpp' | 'after' | 'counting'>

/** A list of a page, of which it has one page. */
type List = {
  readonly name: string
  readonly items: readonly Teaser[]
  readonly links: PageLinks
  /** Of all its pages; null if it was not requested. */
  readonly total: Total | null
}

/** What the website shows at a path; `list` is the list that clients read page by page. */
export type WebPage = { readonly body: JsonObject; readonly list: List | null }

const references = (collection: string, ids: readonly (string | null)[]): readonly Lookup[] =>
  ids.flatMap((id) => (id === null ? [] : [{ reference: { path: '', collection, id } }]))

/** The times of events, each with a link to the event; the first ones from now. */
const nextOccurrences = async (
  reader: PageReader,
  parameters: Parameters,
): Promise<readonly ReturnType<typeof occurrenceOnPage.read>[]> => {
  const found: { readonly id: string; readonly state: JsonObject }[] = []
  const selected = { ...parameters, rpp: String(mostOccurrences) }
  await readOccurrences(reader.session, selected, occurrencesQuery(reader.session, selected), (page) => {
    found.push(...page)
  })
  await reader.load(
    references(
      content.collection,
      found.map(({ id }) => id),
    ),
  )
  await reader.load(
    reader.teaserLookups(
      content.collection,
      found.map(({ id }) => id),
    ),
  )
  return found.flatMap(({ id, state }) => {
    const of = reader.placed(content.collection, id)
    const { dtstart = null, dtend = null } = state
    return of === null || typeof dtstart !== 'string'
      ? []
      : [occurrenceOnPage.read({ of, dtstart, dtend: typeof dtend === 'string' ? dtend : null })]
  })
}

const seoOf = ({ session }: PageReader, of: Placed | null, next: SeoSource['next'] = null): Json => {
  const { documents, settings } = session
  const isPreview = of !== null && documents.shownIn(of.kind.resource.collection).length > 0
  return readSeo({ of, settings, isPreview, next })
}

/** The live content of a section before or after a time at which content of it went live. */
const neighbour = async (
  reader: PageReader,
  where: { readonly section: string; readonly side: 'above' | 'below'; readonly time: string },
): Promise<PageReference | null> => {
  const { session } = reader
  const { documents } = await session.documents.find(content.collection, {
    where: [
      { key: 'section_uuid', equals: where.section },
      ...liveFilters(session),
      { key: 'live_from', [where.side]: where.time },
    ],
    order: [{ key: 'live_from', direction: where.side === 'above' ? 'asc' : 'desc' }],
    skip: 0,
    limit: 1,
    detail: 'light',
  })
  const [document] = documents
  if (document === undefined) return null
  reader.add(content.collection, document)
  const found = reader.placed(content.collection, document.id)
  return found === null ? null : pageReference.read(found)
}

/** The content before and after it in its section, if the section shows links to these. */
const neighbours = async (reader: PageReader, of: Placed) => {
  const { section_uuid: id } = stateIn(content, of.state)
  const { live_from: time } = of.state
  const above = id === null ? undefined : reader.find(section.collection, id)
  const isShown = above !== undefined && stateIn(section, above).show_prev_next === true
  if (id === null || !isShown || typeof time !== 'string') return { previous: null, next: null }
  const [previous, next] = await Promise.all([
    neighbour(reader, { section: id, side: 'below', time }),
    neighbour(reader, { section: id, side: 'above', time }),
  ])
  return { previous, next }
}

const sectionView = (reader: PageReader, id: string | null): JsonObject | null => {
  const state = id === null ? undefined : reader.find(section.collection, id)
  return id === null || state === undefined ? null : viewOf(sectionOnPage, state, reader.view(id))
}

/** How the slots of the body show their media, in its order. */
const slotsOf = (reader: PageReader, state: JsonObject): readonly JsonObject[] =>
  placedSlots(state).map((id) => viewOf(slotOnPage, slotState(state, id), reader.view(id)))

/** The media of all slots that the body shows. */
const mediaOf = (reader: PageReader, id: string, state: JsonObject): JsonObject =>
  Object.fromEntries(
    listedSlots(state, id).flatMap((slot) => {
      const items = slotOf(state, slot)
        .media.map((item) => viewOf(mediumOnPage, item, reader.view(slot)))
        .filter((item) => media.isReturned?.(item) ?? true)
      return items.length === 0 ? [] : [[slot, items]]
    }),
  )

type Roundup = { readonly collection: string; readonly ids: readonly string[] }

/** The objects of a roundup, in its order; none of other content. */
const roundupOf = (own: ReturnType<typeof stateIn<typeof content>>): Roundup => {
  if ('roundup_locations' in own) {
    const ids = own.roundup_locations?.map((each) => each.location_uuid) ?? []
    return { collection: location.collection, ids }
  }
  const targets = 'roundup_content_targets' in own ? own.roundup_content_targets : null
  return { collection: content.collection, ids: targets?.map((each) => each.target_uuid) ?? [] }
}

const contentPage = async (reader: PageReader, of: Placed): Promise<WebPage> => {
  const { id, state } = of
  const own = stateIn(content, state)
  const links = relatedLinksOf(state)
  const items = listedSlots(state, id).flatMap((slot) => slotOf(state, slot).media)
  await reader.load([
    ...readPlan(content, reader.session).lookups(state),
    ...references(tag.collection, tagsOn(state)),
    ...reader.lookups(mediumOnPage, items),
    ...reader.lookups(relatedLinkOnPage, links.items),
  ])
  const place = 'location_uuid' in own ? own.location_uuid : null
  const { collection: listed, ids } = roundupOf(own)
  const roundup = ids.slice(0, mostOfRoundup)
  const above = own.section_uuid === null ? undefined : reader.find(section.collection, own.section_uuid)
  const linked = links.items.flatMap(({ target_uuid: target }) => (typeof target === 'string' ? target : []))
  const [around, occurrences, object] = await Promise.all([
    neighbours(reader, of),
    own.content_type === 'event' ? nextOccurrences(reader, { events: id }) : [],
    reader.object(content, id, state),
    reader.load([
      ...reader.teaserLookups(content.collection, linked),
      ...reader.teaserLookups(location.collection, place === null ? linked : [...linked, place]),
      ...reader.teaserLookups(listed, roundup),
      ...(above === undefined ? [] : reader.lookups(sectionOnPage, [above])),
    ]),
  ])
  const at = reader.placed(location.collection, place)
  const body = {
    object,
    section: sectionView(reader, own.section_uuid),
    slots: slotsOf(reader, state),
    media: mediaOf(reader, id, state),
    header_image: pictureOf(own.header_image_uuid, of.view),
    teaser_image: pictureOf(own.teaser_image_uuid, of.view),
    tags: tagsOnPage(of),
    related_links: viewLinks(links, reader.view(id), [], relatedLinkOnPage),
    location: at === null ? null : teaser.read(at),
    roundup: roundup.flatMap((each) => {
      const found = reader.placed(listed, each)
      return found === null ? [] : [teaser.read(found)]
    }),
    occurrences,
    ...around,
    seo: seoOf(reader, of, occurrences[0] ?? null),
  }
  return { body, list: null }
}

const locationPage = async (reader: PageReader, of: Placed): Promise<WebPage> => {
  const { id, state } = of
  // What the role may not see of a listing is not in these either.
  const shown = stateIn(location, location.redact?.(state, of.view) ?? state)
  const images = shown.listing_images ?? []
  await reader.load([
    ...readPlan(location, reader.session).lookups(state),
    ...references(tag.collection, tagsOn(state)),
    ...references('files', images),
  ])
  const [object, occurrences] = await Promise.all([
    reader.object(location, id, state),
    nextOccurrences(reader, { locations: id }),
  ])
  const hasImages = reader.session.settings.directory_addon
  const body = {
    object,
    tags: tagsOnPage(of),
    thumb: pictureOf(shown.thumb_uuid, of.view),
    coupon_image: hasImages ? pictureOf(shown.coupon_img_uuid, of.view) : null,
    listing_images: hasImages ? images.flatMap((image) => pictureOf(image, of.view) ?? []) : [],
    occurrences,
    seo: seoOf(reader, of),
  }
  return { body, list: null }
}

/** The number of documents that meet conditions in some collections, if the query asks for it. */
const totalIn = async (
  { documents }: Session,
  { counting }: PageQuery,
  sources: readonly { readonly collection: string; readonly where: readonly Filter[] }[],
): Promise<Total | null> => {
  if (counting === null) return null
  let count = 0
  for (const { collection, where } of sources)
    count += await documents.count(collection, { where }, countLimits.exact + 1)
  return totalOf(count)
}

const newestFirst = [{ key: 'live_from', direction: 'desc' }] as const

/** A page of the live content in a section, the newest first. */
const contentIn = async (reader: PageReader, id: string, query: PageQuery): Promise<List> => {
  const { session } = reader
  const { collection } = content
  const found: Listed[] = []
  const where = [{ key: 'section_uuid', equals: id }, ...liveFilters(session)]
  const selected = documentsMeeting(session.documents, collection, { where, order: newestFirst })
  const links = await readPage(selected, query, 'light', (page) => {
    found.push(...page.map((document) => ({ collection, document })))
  })
  const total = await totalIn(session, query, [{ collection, where }])
  return { name: 'content', items: await reader.teasers(found), links, total }
}

/** Stories with what a page shows of their content. */
const showStories = async (
  reader: PageReader,
  items: readonly JsonObject[],
): Promise<readonly JsonObject[]> => {
  await reader.load(reader.lookups(storyOnPage, items))
  const linked = items.flatMap(({ link_uuid: id }) => (typeof id === 'string' ? id : []))
  await reader.load(reader.teaserLookups(content.collection, linked))
  return items
    .map((state) => viewOf(storyOnPage, state, reader.view('')))
    .filter((item) => story.isReturned?.(item) ?? true)
}

const childrenOf = async (reader: PageReader, id: string): Promise<readonly JsonObject[]> => {
  const { documents } = await reader.session.documents.find(section.collection, {
    where: [{ key: 'parent_uuid', equals: id }],
    order: [{ key: 'ord', direction: 'asc' }],
    skip: 0,
    limit: mostChildren,
    detail: 'light',
  })
  for (const each of documents) reader.add(section.collection, each)
  return documents.flatMap((each) => {
    const of = reader.placed(section.collection, each.id)
    return of === null ? [] : [childSection.read(of)]
  })
}

const sectionPage = async (reader: PageReader, of: Placed, query: PageQuery): Promise<WebPage> => {
  const { id, state } = of
  const document: Document = { id, version: 0, position: 0, value: state }
  await reader.load(reader.lookups(sectionOnPage, [state]))
  const [list, stories, children] = await Promise.all([
    contentIn(reader, id, query),
    query.page === 1 ? featuredStories(reader.session, document) : [],
    childrenOf(reader, id),
  ])
  const { feature_image_uuid: image } = stateIn(section, state)
  return {
    body: {
      object: viewOf(sectionOnPage, state, reader.view(id)),
      feature_image: pictureOf(image, of.view),
      children,
      featured_stories: await showStories(reader, stories),
      seo: seoOf(reader, of),
    },
    list,
  }
}

const taggedResources = [content, location] as const

type TaggedSource = Source & { readonly collection: string; readonly where: readonly Filter[] }

/** A page of the live content and locations with a tag, the newest first. */
const objectsWith = async (reader: PageReader, id: string, query: PageQuery): Promise<List> => {
  const { session } = reader
  const sources = taggedResources.map((resource, position): TaggedSource => {
    const { collection } = resource
    const where = [{ key: 'tagged', has: id }, ...liveIn(session, resource)]
    return {
      collection,
      where,
      detail: 'light',
      find: documentsMeeting(session.documents, collection, { where, order: newestFirst }),
      placeOf: (document) =>
        document.value === unreadable
          ? null
          : { ...placeOf(collectionNamed(collection), newestFirst, document), position },
    }
  })
  const found: Listed[] = []
  const links = await readMerged<Document, TaggedSource>(
    { sources, order: newestFirst },
    query,
    async (page) => {
      for (const { source, item } of page) found.push({ collection: source.collection, document: item })
    },
  )
  const total = await totalIn(session, query, sources)
  return { name: 'objects', items: await reader.teasers(found), links, total }
}

const tagPage = async (reader: PageReader, of: Placed, query: PageQuery): Promise<WebPage> => {
  const { id, state } = of
  await reader.load(readPlan(tag, reader.session).lookups(state))
  const list = await objectsWith(reader, id, query)
  const { feature_image_uuid: image } = stateIn(tag, state)
  return {
    body: {
      object: viewOf(tag, state, reader.view(id)),
      feature_image: pictureOf(image, of.view),
      seo: seoOf(reader, of),
    },
    list,
  }
}

const homepagePage = async (session: Session): Promise<WebPage> => {
  const reader = new PageReader(session)
  const { id } = firstHomepage
  const value = (await findObject(session, homepage, id))?.value ?? {}
  const lists: Record<string, Json> = {}
  for (const list of storyLists) {
    const stories = storiesOf(value, list)
    lists[list] = await showStories(reader, await storiesIn(session, stories))
  }
  const body = {
    kind: homepage.name,
    path: '/',
    object: viewOf(homepage, value, reader.view(id)),
    ...lists,
    seo: seoOf(reader, null),
  }
  return { body, list: null }
}

/** The page of an object of an added resource: the object and what search engines need. */
const generalPage = async (reader: PageReader, of: Placed): Promise<WebPage> => {
  const { resource } = of.kind
  await reader.load(readPlan(resource, reader.session).lookups(of.state))
  const object = await reader.object(resource, of.id, of.state)
  return { body: { object, seo: seoOf(reader, of) }, list: null }
}

type PageOf = (reader: PageReader, of: Placed, query: PageQuery) => Promise<WebPage>

const composedPages: Readonly<Record<ComposedCollection, PageOf>> = {
  content: contentPage,
  sections: sectionPage,
  locations: locationPage,
  tags: tagPage,
}

const pages: ReadonlyMap<string, PageOf> = new Map(Object.entries(composedPages))

const pageOfObject = async (
  session: Session,
  { kind, document, above }: Found,
  query: PageQuery,
): Promise<WebPage> => {
  const { resource } = kind
  const { collection } = resource
  const { id, value: state } = document
  const reader = new PageReader(session)
  reader.add(collection, document)
  for (const each of above) reader.add(section.collection, each)
  const of: Placed = { kind, id, state, view: reader.view(id) }
  return (pages.get(collection) ?? generalPage)(reader, of, query)
}

/** Reads what the website shows at the parameter `path`. */
export const readWebPage: ReadOperation<{ readonly parameters: Parameters }, WebPage> = {
  ...operations.readWebPage,
  run: async (session, { parameters }) => {
    const [path, query] = accepted(allOf(requestedPath(parameters), parsePageQuery(parameters, session)))
    const located = await locate(session, path, 'full')
    if (located.type === 'redirect') {
      const { location: leadsTo, status } = located
      return { body: { kind: 'redirect', location: leadsTo, status }, list: null }
    }
    if (located.type === 'homepage') return homepagePage(session)
    const { found } = located
    const { body, list } = await pageOfObject(session, found, query)
    return { body: { kind: found.kind.resource.name, path: located.path, ...body }, list }
  },
}
