/** What a page says to search engines and social networks (docs/behaviour/pages.md#seo). */
import { content, type Content } from '../content/content.js'
import type { Settings } from '../instances/settings.js'
import type { Json, JsonObject } from '../json.js'
import { location } from '../locations/location.js'
import { pageAddress } from '../paths/page-address.js'
import { reachedAt } from '../resource/standard-attributes.js'
import { textSchema, uriSchema } from '../resource/shown-attribute.js'
import { attributeIn, stateIn } from '../resource/attribute-tables.js'
import { isVisibleTo } from '../resource/resource.js'
import { section } from '../sections/section.js'
import { tag } from '../tags/tag.js'
import { offsetDateTime } from '../time/naive-date-time.js'
import { column, composite, nullableColumn } from './composite.js'
import type { Picture } from './picture.js'
import {
  ancestorsOf,
  authorsOf,
  imageOf,
  pageReference,
  referenceColumns,
  placed,
  type PageReference,
  type Placed,
} from './page-parts.js'

const { title: titleColumn, path: pathColumn } = referenceColumns

/** A page: that of an object, or the homepage, whose object is null. */
export type SeoSource = {
  readonly of: Placed | null
  readonly settings: Settings
  /** Whether an object is shown with its draft. */
  readonly isPreview: boolean
  /** The next occurrence of an event; null for others, or if it has none. */
  readonly next: { readonly dtstart: string; readonly dtend: string | null } | null
}

type Times = { readonly published: string | null; readonly modified: string | null }

/** A page with the times of its content, which are computed once. */
type Source = SeoSource & { readonly times: Times }

/** The width, in pixels, in which social networks show images. */
const sharedWidth = 1280

const metaAttributes = { ...location.attributes, ...content.attributes } as const

const metaOf = (
  of: Placed | null,
  name: 'meta_title' | 'meta_description' | 'description',
): string | null => {
  if (of === null) return null
  const value = attributeIn(metaAttributes, name, of.state)
  return value === '' ? null : value
}

const titleOf = ({ of, settings }: Source): string =>
  of === null ? settings.title : (metaOf(of, 'meta_title') ?? titleColumn.read(of))

const descriptionOf = ({ of }: Source): string | null =>
  metaOf(of, 'meta_description') ?? metaOf(of, 'description')

/** The address of a page on the website; null until it is set. */
const addressOf = (path: string, { website_url: website }: Settings): string | null =>
  website === null ? null : pageAddress(website, path)

const ownAddress = ({ of, settings }: Source): string | null =>
  addressOf(of === null ? '/' : pathColumn.read(of), settings)

const canonicalOf = (source: Source): string | null => {
  const { of } = source
  const isContent = of?.kind.resource.collection === content.collection
  return (isContent ? attributeIn(content.attributes, 'canonical_url', of.state) : null) ?? ownAddress(source)
}

/** Whether the public sees the page. */
const isPublic = ({ of, isPreview }: Source): boolean =>
  !isPreview &&
  (of === null ||
    isVisibleTo(
      of.kind.resource,
      { role: 'public_user', now: of.view.now, settings: of.view.settings },
      of.state,
    ))

const imageAddress = ({ srcset, url }: Picture): string =>
  srcset.find(({ width }) => width >= sharedWidth)?.url ?? srcset.at(-1)?.url ?? url

type Property = { readonly property: string; readonly content: string }

const property = (name: string, value: string | number | null): readonly Property[] =>
  value === null ? [] : [{ property: name, content: String(value) }]

const imageProperties = (image: Picture | null): readonly Property[] =>
  image === null ? [] : [...property('og:image', imageAddress(image)), ...property('og:image:alt', image.alt)]

const noTimes: Times = { published: null, modified: null }

/** When content was published and last changed, with the offset of the zone. */
const timesOf = ({ of, settings: { timezone } }: SeoSource): Times => {
  if (of?.kind.resource.collection !== content.collection) return noTimes
  const { issued, issued_moment, modified } = stateIn(content, of.state)
  const published = reachedAt(issued, issued_moment)
  return {
    published: published === null ? null : offsetDateTime(published, timezone),
    modified: modified === null ? null : offsetDateTime(modified, timezone),
  }
}

const articleProperties = (of: Placed, { published, modified }: Times): readonly Property[] => [
  ...property('article:published_time', published),
  ...property('article:modified_time', modified),
  ...property('article:section', ancestorsOf(of).at(-1)?.title ?? null),
  ...authorsOf(of).flatMap(({ title }) => property('article:author', title)),
]

/** The language with its territory, as Open Graph names both; null for a language alone. */
const localeOf = (settings: Settings): string | null => {
  const [, language, territory] =
    /^([A-Za-z]{2,3})(?:-[A-Za-z]{4})?-([A-Za-z]{2})(?:-|$)/.exec(settings.language) ?? []
  return language === undefined || territory === undefined
    ? null
    : `${language.toLowerCase()}_${territory.toUpperCase()}`
}

const openGraphOf = (source: Source): readonly Property[] => {
  const { of, settings, times } = source
  const isContent = of?.kind.resource.collection === content.collection
  return [
    ...property('og:type', isContent ? 'article' : of?.kind.resource === tag ? 'profile' : 'website'),
    ...property('og:title', titleOf(source)),
    ...property('og:description', descriptionOf(source)),
    ...property('og:url', canonicalOf(source)),
    ...property('og:site_name', settings.title),
    ...property('og:locale', localeOf(settings)),
    ...imageProperties(of === null ? null : imageOf(of)),
    ...(isContent ? articleProperties(of, times) : []),
  ]
}

/** The object without what is null or empty. */
const present = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

const typed = (type: string, values: JsonObject): JsonObject => ({ '@type': type, ...present(values) })

const person = ({ title, path }: PageReference, settings: Settings): JsonObject =>
  typed('Person', { name: title, url: addressOf(path, settings) })

const publisher = (settings: Settings): JsonObject =>
  typed('Organization', { name: settings.title, url: addressOf('/', settings) })

/** A location, for what takes place there or is about it. */
const placeOf = (of: Placed, settings: Settings): JsonObject => {
  const { title, street, streetnumber, pcode, coords, phone, website, price_index } = stateIn(
    location,
    of.state,
  )
  const [lat = null, long = null] = coords ?? []
  const address = [street, streetnumber].filter((each) => each !== null).join(' ')
  const isBusiness = attributeIn(location.attributes, 'is_listing', of.state) === true
  return typed(isBusiness ? 'LocalBusiness' : 'Place', {
    name: title,
    url: addressOf(pathColumn.read(of), settings),
    sameAs: website,
    telephone: phone,
    address:
      address === '' && pcode === null
        ? null
        : typed('PostalAddress', { streetAddress: address, postalCode: pcode }),
    geo: lat === null || long === null ? null : typed('GeoCoordinates', { latitude: lat, longitude: long }),
    priceRange: isBusiness ? price_index : null,
    image: imagesOf(imageOf(of)),
  })
}

const imagesOf = (image: Picture | null): readonly Json[] => (image === null ? [] : [imageAddress(image)])

const eventStatus = {
  cancelled: 'https://schema.org/EventCancelled',
  postponed: 'https://schema.org/EventPostponed',
  rescheduled: 'https://schema.org/EventRescheduled',
  moved_online: 'https://schema.org/EventMovedOnline',
} as const

/** The location that content names. */
const locationOf = ({ state, view }: Placed): Placed | null =>
  placed(location.collection, attributeIn(content.attributes, 'location_uuid', state), view)

const reviewedThing = (state: Content, of: Placed, settings: Settings): JsonObject | null => {
  const named = (type: string, name: string | null, more: JsonObject = {}): JsonObject =>
    typed(type, { name: name ?? state.title, ...more })
  switch (state.content_type) {
    case 'review_album':
      return named('MusicAlbum', state.album_title)
    case 'review_book':
      return named('Book', state.book_title, { isbn: state.book_isbn })
    case 'review_movie':
      return named('Movie', state.movie_title)
    case 'review_product':
      return named('Product', state.product_title)
    case 'review_location': {
      const place = locationOf(of)
      return place === null ? null : placeOf(place, settings)
    }
    default:
      return null
  }
}

/** The structured data of content, by its type. */
const contentData = (source: Source, of: Placed): JsonObject => {
  const { settings, next, times } = source
  const state = stateIn(content, of.state)
  const time = (moment: string | null) => (moment === null ? null : offsetDateTime(moment, settings.timezone))
  const about = {
    name: state.title,
    description: descriptionOf(source),
    url: canonicalOf(source),
    image: imagesOf(imageOf(of)),
  }
  const written = {
    author: authorsOf(of).map((each) => person(each, settings)),
    publisher: publisher(settings),
    datePublished: times.published,
    dateModified: times.modified,
    inLanguage: settings.language,
  }
  if (state.content_type === 'event') {
    const place = locationOf(of)
    return typed('Event', {
      ...about,
      startDate: time(next?.dtstart ?? state.dtstart),
      endDate: time(next === null ? state.dtend : next.dtend),
      eventStatus:
        state.event_status_type === null
          ? 'https://schema.org/EventScheduled'
          : eventStatus[state.event_status_type],
      location:
        place === null
          ? state.location_alt === null
            ? null
            : typed('Place', { name: state.location_alt })
          : placeOf(place, settings),
      offers: (state.ticket_urls ?? []).map(({ url }) => typed('Offer', { url })),
      organizer: publisher(settings),
    })
  }
  if (state.content_type === 'recipe')
    return typed('Recipe', {
      ...about,
      ...written,
      prepTime: state.recipe_prep_time,
      cookTime: state.recipe_cook_time,
      recipeYield: state.recipe_yield,
      recipeIngredient: state.recipe_ingredients,
    })
  const reviewed = reviewedThing(state, of, settings)
  if (reviewed !== null && 'rating' in state)
    return typed('Review', {
      ...about,
      ...written,
      itemReviewed: reviewed,
      reviewRating:
        state.rating === null
          ? null
          : typed('Rating', { ratingValue: state.rating, bestRating: '5', worstRating: '0' }),
    })
  return typed('Article', { headline: state.title, ...about, ...written })
}

const breadcrumbs = (of: Placed, settings: Settings): readonly JsonObject[] => {
  const trail = [...ancestorsOf(of), pageReference.read(of)]
  if (settings.website_url === null || trail.length < 2) return []
  return [
    typed('BreadcrumbList', {
      itemListElement: trail.map(({ title, path }, index) =>
        typed('ListItem', { position: index + 1, name: title, item: addressOf(path, settings) }),
      ),
    }),
  ]
}

const pageData = (source: Source): JsonObject => {
  const { of, settings } = source
  if (of === null)
    return typed('WebSite', {
      name: settings.title,
      url: addressOf('/', settings),
      inLanguage: settings.language,
      publisher: publisher(settings),
    })
  const { collection } = of.kind.resource
  if (collection === content.collection) return contentData(source, of)
  if (collection === location.collection)
    return { ...placeOf(of, settings), ...present({ description: descriptionOf(source) }) }
  const about = {
    name: titleColumn.read(of),
    description: descriptionOf(source),
    url: canonicalOf(source),
    image: imagesOf(imageOf(of)),
  }
  const isPerson = collection === tag.collection && attributeIn(tag.attributes, 'type', of.state) === 'person'
  if (isPerson) return typed('ProfilePage', { mainEntity: typed('Person', about) })
  const isList = collection === section.collection || collection === tag.collection
  return typed(isList ? 'CollectionPage' : 'WebPage', about)
}

const jsonLd = (source: Source): readonly JsonObject[] =>
  [pageData(source), ...(source.of === null ? [] : breadcrumbs(source.of, source.settings))].map((data) => ({
    '@context': 'https://schema.org',
    ...data,
  }))

/** What search engines and social networks read. */
export const seo = composite('Seo', 'What search engines and social networks read.', {
  title: column(textSchema, 'The title for search engines, else the title.', titleOf),
  description: nullableColumn(
    textSchema,
    'The description for search engines, else the teaser text.',
    descriptionOf,
  ),
  canonical: nullableColumn(
    uriSchema,
    'The address of the original, else of the page; null until the setting `website_url` is set.',
    canonicalOf,
  ),
  robots: column(
    { type: 'string', enum: ['index', 'noindex'] },
    'Whether search engines should list it: not what the public does not see.',
    (source: Source) => (isPublic(source) ? 'index' : 'noindex'),
  ),
  open_graph: column(
    {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          property: { ...textSchema, description: 'The name of the property.' },
          content: { ...textSchema, description: 'Its value.' },
        },
        required: ['property', 'content'],
      },
    },
    'The properties of the Open Graph protocol, for `meta` elements.',
    openGraphOf,
  ),
  json_ld: column(
    { type: 'array', items: { type: 'object', description: 'Structured data of schema.org.' } },
    'Structured data of schema.org, each for a `script` element.',
    jsonLd,
  ),
})

export const readSeo = (source: SeoSource): ReturnType<typeof seo.read> =>
  seo.read({ ...source, times: timesOf(source) })
