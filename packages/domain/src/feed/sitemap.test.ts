/** Sitemaps, independent of a format (docs/behaviour/feeds.md#sitemap). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { content } from '../content/content.js'
import type { JsonObject } from '../json.js'
import { location } from '../locations/location.js'
import { pathKinds } from '../resource/resources.js'
import type { Resource } from '../resource/resource.js'
import type { ViewContext } from '../resource/view-context.js'
import { section } from '../sections/section.js'
import { links, now, objectId, withWebsite } from '../testing/index.js'
import type { Website } from './feed.js'
import { newsEntry, newsLanguage, readsSlots, sitemapEntry, sitemapLookups } from './sitemap.js'

const slot = '3d0c7a52-1e4b-4f6a-9d88-5b2f60c1a7e4'
const removedSlot = '7a1b2c3d-1e4b-4f6a-9d88-5b2f60c1a7e4'
const settings: Website = { ...withWebsite, directory_addon: true }

const view: ViewContext = {
  role: 'public_user',
  now,
  settings,
  links,
  id: objectId,
  canScale: () => true,
  find: (collection, id) => {
    if (collection === 'sections') return { urlname: 'news', title: 'News', parent_uuid: null }
    return id === 'without data' ? { upload: null } : { upload: 1 }
  },
  count: () => 0,
}

const kindOf = (resource: Resource) => {
  const kind = pathKinds.find((each) => each.resource === resource)
  if (kind === undefined) throw new Error(`${resource.name} has no path`)
  return kind
}

const article: JsonObject = {
  content_type: 'article',
  title: 'A title',
  urlname: 'story',
  state: 'published',
  issued: '2026-02-28T12:00:00',
  modified: '2026-01-02T12:00:00',
  section_uuid: 'news',
}

const entryOf = (state: JsonObject, resource: Resource = content, own = settings) =>
  sitemapEntry(kindOf(resource), state, view, own)

const imagesOf = (...options: Parameters<typeof entryOf>): readonly string[] =>
  (entryOf(...options)?.images ?? []).map((url) => url.replace(/^\/1\/files\/(.*)\/download\/1$/, '$1'))

const illustrated: JsonObject = {
  ...article,
  header_image_uuid: 'header',
  teaser_image_uuid: 'header',
  placed_slots: [slot],
  used_files: ['header', 'first', 'audio', 'without data', 'removed'],
  slots: {
    [slot]: {
      relevance: 'inline',
      display: null,
      media: [
        { type: 'file', image_uuid: 'first', thumb_uuid: 'thumb' },
        { type: 'file', file_uuid: 'audio', image_uuid: null },
        { type: 'file', image_uuid: 'without data' },
        { type: 'embed', embed_code: '<iframe></iframe>' },
      ],
    },
    [removedSlot]: { relevance: 'inline', display: null, media: [{ type: 'file', image_uuid: 'removed' }] },
  },
}

describe('a sitemap', () => {
  it('has the address and the day of the last change', () => {
    const url = 'https://www.example.org/news/story/'
    expect(entryOf(article)).to.deep.equal({ url, changed: '2026-01-02', images: [] })
    expect(entryOf({ ...article, modified: null })).to.deep.equal({ url, changed: null, images: [] })
    expect(entryOf({ urlname: 'x', externalurl: '/elsewhere/' }, section)).to.equal(null)
  })

  it('has the images of the object and of the slots in its body, each once', () => {
    expect(imagesOf(illustrated)).to.have.members(['header', 'first'])
    const looked = sitemapLookups(kindOf(content), illustrated, view, settings).map(
      ({ reference }) => reference.id,
    )
    expect(looked).to.have.members(['news', 'header', 'first', 'without data'])
    expect(imagesOf({ ...article, content_type: 'recipe', recipe_image_uuid: 'dish' })).to.deep.equal([
      'dish',
    ])
  })

  it('has no images if their downloads need a token', () => {
    expect(
      imagesOf(illustrated, content, { ...settings, public_downloads: false, public_reading: false }),
    ).to.deep.equal([])
  })

  it('has those images of a listing that the public sees', () => {
    const listing = {
      urlname: 'bar',
      state: 'published',
      is_listing: true,
      listing_start: '2026-01-01T00:00:00',
      thumb_uuid: 'thumb',
      listing_images: ['first', 'second'],
      coupon_img_uuid: 'coupon',
      coupon_start: '2026-01-01T00:00:00',
    }
    expect(imagesOf(listing, location)).to.have.members(['thumb', 'first', 'second', 'coupon'])
    expect(imagesOf({ ...listing, listing_start: '2026-12-01T00:00:00' }, location)).to.deep.equal(['thumb'])
  })

  it('reads slots where an object uses more files than its attributes name', () => {
    const kind = kindOf(content)
    expect(readsSlots(kind, illustrated, view)).to.equal(true)
    expect(readsSlots(kind, { ...illustrated, used_files: ['header'] }, view)).to.equal(false)
    expect(readsSlots(kind, { ...illustrated, placed_slots: [] }, view)).to.equal(false)
  })
})

describe('news', () => {
  it('has the address, the title and the time with the offset of the zone', () => {
    expect(newsEntry(article, view, settings)).to.deep.equal({
      url: 'https://www.example.org/news/story/',
      title: 'A title',
      published: '2026-02-28T12:00:00+01:00',
    })
  })

  it('is in a language without a country, and in Chinese with its script', () => {
    const tags = ['de-AT', 'en', 'gsw-CH', 'zh-Hant-TW', 'zh-TW', 'zh', 'zh-Hans-SG']
    expect(tags.map(newsLanguage)).to.deep.equal(['de', 'en', 'gsw', 'zh-tw', 'zh-tw', 'zh-cn', 'zh-cn'])
  })
})
