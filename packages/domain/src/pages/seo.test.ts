/** What search engines and social networks read of a page (docs/behaviour/pages.md#seo). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { blog } from '../blogs/blog.js'
import { isJsonObject, type JsonObject } from '../json.js'
import { links, now, objectId, withWebsite as settings } from '../testing/index.js'
import { readSeo, type SeoSource } from './seo.js'
import { pathKindOf, type Placed } from './page-parts.js'

const objects: Readonly<Record<string, JsonObject>> = {
  'sections/news': { urlname: 'news', title: 'News', parent_uuid: null },
  'tags/jane': {
    first_name: 'Jane',
    last_name_or_title: 'Doe',
    urlname: 'jane',
    type: 'person',
    state: 'approved',
  },
  'files/image': {
    upload: 3,
    mimetype: 'image/png',
    title: 'A cat',
    width: 4000,
    height: 3000,
    image_format: 'image/png',
  },
  'locations/bar': {
    title: 'A bar',
    urlname: 'bar',
    street: 'High Street',
    streetnumber: '1',
    pcode: '1010',
    coords: [48.2, 16.3],
    is_listing: true,
    price_index: 'Free',
  },
}

const view: Placed['view'] = {
  role: 'public_user',
  now,
  settings,
  links,
  canScale: () => true,
  find: (collection, id) => objects[`${collection}/${id}`],
}

const story: JsonObject = {
  content_type: 'article',
  title: 'A title',
  urlname: 'story',
  state: 'published',
  live_from: '0',
  issued: '2026-02-01T12:00:00',
  modified: '2026-02-02T12:00:00',
  description: 'A teaser',
  section_uuid: 'news',
  teaser_image_uuid: 'image',
  taggings: [{ tag: 'jane', predicate: 'authored', created: now }],
}

const placedIn = (collection: string, state: JsonObject): Placed => {
  const kind = pathKindOf(collection)
  if (kind === undefined) throw new Error(`${collection} have no public path`)
  return { kind, id: objectId, state, view }
}

const read = (state: JsonObject, collection = 'content', more: Partial<SeoSource> = {}) =>
  readSeo({ of: placedIn(collection, state), settings, isPreview: false, next: null, ...more })

const dataOf = (state: JsonObject, collection = 'content', more: Partial<SeoSource> = {}): JsonObject => {
  const [data] = read(state, collection, more).json_ld
  if (!isJsonObject(data)) throw new Error('no data')
  return data
}

describe('seo', () => {
  it('names the language to Open Graph only with its territory', () => {
    const localeOf = (language: string) => {
      const { open_graph: properties } = readSeo({
        of: null,
        settings: { ...settings, language },
        isPreview: false,
        next: null,
      }) as { readonly open_graph: readonly { readonly property: string; readonly content: string }[] }
      return properties.find(({ property }) => property === 'og:locale')?.content
    }
    expect(localeOf('de-at')).to.equal('de_AT')
    expect(localeOf('zh-Hant-TW')).to.equal('zh_TW')
    for (const tag of ['en', 'zh-Hant', 'es-419', 'en-x-us', 'de-1996'])
      expect(localeOf(tag)).to.equal(undefined)
  })

  it('has what is written for search engines, else title and teaser text', () => {
    expect(read(story)).to.include({
      title: 'A title',
      description: 'A teaser',
      canonical: 'https://www.example.org/news/story/',
      robots: 'index',
    })
    const written = { meta_title: 'T', meta_description: 'D', canonical_url: 'https://example.com/original' }
    expect(read({ ...story, ...written })).to.include({
      title: 'T',
      description: 'D',
      canonical: 'https://example.com/original',
    })
  })

  it('has no address of its own before that of the website is set', () => {
    const { canonical, json_ld } = read(story, 'content', { settings: { ...settings, website_url: null } })
    expect(canonical).to.equal(null)
    expect(json_ld).to.have.lengthOf(1)
    expect(json_ld[0]).not.to.have.property('url')
  })

  it('keeps what the public does not see from search engines', () => {
    expect(read({ ...story, state: 'draft', live_from: null }).robots).to.equal('noindex')
    expect(read(story, 'content', { isPreview: true }).robots).to.equal('noindex')
  })

  it('describes a section as a list, and an object of any other resource as a page', () => {
    expect(dataOf({ urlname: 'news', title: 'News', parent_uuid: null }, 'sections')).to.include({
      '@type': 'CollectionPage',
    })
    const of: Placed = {
      kind: { resource: blog, rule: { prefix: '/blogs/' } },
      id: objectId,
      state: { urlname: 'trams', title: 'Trams', description: 'On rails' },
      view,
    }
    const { title, description, canonical, json_ld } = readSeo({ of, settings, isPreview: false, next: null })
    expect({ title, description, canonical }).to.deep.equal({
      title: 'Trams',
      description: 'On rails',
      canonical: 'https://www.example.org/blogs/trams/',
    })
    expect(json_ld).to.deep.equal([
      {
        '@context': 'https://schema.org',
        '@type': 'WebPage',
        name: 'Trams',
        description: 'On rails',
        url: 'https://www.example.org/blogs/trams/',
      },
    ])
  })

  it('describes an article, with times of the zone, authors and the sections above', () => {
    const { open_graph, json_ld } = read(story)
    const graph = new Map(open_graph.map(({ property, content }) => [property, content]))
    expect(Object.fromEntries(graph)).to.include({
      'og:type': 'article',
      'og:site_name': 'Demo',
      'og:locale': 'de_AT',
      'og:image:alt': 'A cat',
      'article:published_time': '2026-02-01T12:00:00+01:00',
      'article:section': 'News',
      'article:author': 'Jane Doe',
    })
    expect(graph.get('og:image')).to.include('w=1280')
    expect(json_ld[0]).to.deep.include({
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: 'A title',
      author: [{ '@type': 'Person', name: 'Jane Doe', url: 'https://www.example.org/tags/jane/' }],
      datePublished: '2026-02-01T12:00:00+01:00',
    })
    expect(json_ld[1]).to.deep.include({ '@type': 'BreadcrumbList' })
  })

  it('describes an event at its next time and its place', () => {
    const event = { ...story, content_type: 'event', dtstart: '2026-01-01T20:00:00', location_uuid: 'bar' }
    const next = { dtstart: '2026-03-08T20:00:00', dtend: null }
    expect(dataOf({ ...event, event_status_type: 'cancelled' }, 'content', { next })).to.deep.include({
      '@type': 'Event',
      startDate: '2026-03-08T20:00:00+01:00',
      eventStatus: 'https://schema.org/EventCancelled',
      location: {
        '@type': 'LocalBusiness',
        name: 'A bar',
        url: 'https://www.example.org/locations/bar/',
        address: { '@type': 'PostalAddress', streetAddress: 'High Street 1', postalCode: '1010' },
        geo: { '@type': 'GeoCoordinates', latitude: 48.2, longitude: 16.3 },
        priceRange: 'Free',
      },
    })
    const elsewhere = { ...event, location_uuid: null, location_alt: 'A meadow' }
    expect(dataOf(elsewhere)['location']).to.deep.equal({ '@type': 'Place', name: 'A meadow' })
  })

  it('describes reviews with what they are of', () => {
    const book = {
      ...story,
      content_type: 'review_book',
      book_title: 'A book',
      book_isbn: '9780000000002',
      rating: '4.5',
    }
    expect(dataOf(book)).to.deep.include({
      '@type': 'Review',
      itemReviewed: { '@type': 'Book', name: 'A book', isbn: '9780000000002' },
      reviewRating: { '@type': 'Rating', ratingValue: '4.5', bestRating: '5', worstRating: '0' },
    })
    expect(dataOf({ ...story, content_type: 'review_location', location_uuid: 'gone' })['@type']).to.equal(
      'Article',
    )
  })

  it('describes recipes, places, persons and the website', () => {
    const recipe = { ...story, content_type: 'recipe', recipe_prep_time: 'PT5M', recipe_ingredients: ['Ice'] }
    expect(dataOf(recipe)).to.deep.include({ '@type': 'Recipe', prepTime: 'PT5M', recipeIngredient: ['Ice'] })
    expect(dataOf({ title: 'A park', urlname: 'park' }, 'locations')['@type']).to.equal('Place')
    expect(dataOf(objects['tags/jane'] ?? {}, 'tags')['@type']).to.equal('ProfilePage')
    const home = readSeo({ of: null, settings, isPreview: false, next: null })
    expect(home).to.include({ title: 'Demo', canonical: 'https://www.example.org/', robots: 'index' })
    expect(home.json_ld[0]).to.include({ '@type': 'WebSite' })
  })
})
