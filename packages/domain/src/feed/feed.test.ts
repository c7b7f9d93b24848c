/** Feeds, independent of a format (docs/behaviour/feeds.md#entries). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { links, now, objectId, withWebsite as settings } from '../testing/index.js'
import type { ViewContext } from '../resource/view-context.js'
import { feedEntry, feedLookups, feedOf } from './feed.js'

const objects: Readonly<Record<string, JsonObject>> = {
  'sections/news': { urlname: 'news', title: 'News', parent_uuid: null },
  'tags/jane': { first_name: 'Jane', last_name_or_title: 'Doe' },
  'files/image': { upload: 3, mimetype: 'image/png', byte_size: 12 },
}

const view: ViewContext = {
  role: 'public_user',
  now,
  settings,
  links,
  id: objectId,
  canScale: () => true,
  find: (collection, id) => objects[`${collection}/${id}`],
  count: () => 0,
}

const article: JsonObject = {
  content_type: 'article',
  title: 'A title',
  urlname: 'story',
  state: 'published',
  issued: '2026-02-01T12:00:00',
  created: '2026-01-01T12:00:00',
  modified: '2026-01-02T12:00:00',
  section_uuid: 'news',
  teaser_image_uuid: 'image',
  taggings: [
    { tag: 'jane', predicate: 'authored', created: now },
    { tag: 'deleted', predicate: 'authored', created: now },
    { tag: 'jane', predicate: 'describes', created: now },
  ],
}

describe('a feed', () => {
  it('has entries with addresses of the website, authors and times of the zone', () => {
    expect(feedEntry(article, view, settings)).to.deep.equal({
      uuid: objectId,
      url: 'https://www.example.org/news/story/',
      title: 'A title',
      published: '2026-02-01T12:00:00+01:00',
      updated: '2026-01-02T12:00:00+01:00',
      authors: ['Jane Doe'],
      summary: null,
      html: null,
      image: { url: '/1/files/image/download/3', mimetype: 'image/png', bytes: 12 },
    })
    expect(feedEntry({ ...article, issued: null }, view, settings).published).to.equal(
      '2026-01-01T12:00:00+01:00',
    )
  })

  it('has bodies without slots, whose addresses are those on the page of the entry', () => {
    const body = `<p><a href="b/?x">x</a> <img src="/i/a.jpg" alt=""/></p><slot id="${objectId}"/>`
    expect(feedEntry({ ...article, content: body }, view, settings).html).to.equal(
      '<p><a href="https://www.example.org/news/story/b/?x">x</a> <img src="https://www.example.org/i/a.jpg" alt=""/></p>',
    )
  })

  it('leaves out an image that is deleted, has no data, or needs a token', () => {
    const closed = { ...settings, public_downloads: false, public_reading: false }
    expect(feedEntry(article, view, closed).image).to.equal(null)
    for (const file of [undefined, { upload: null }])
      expect(feedEntry(article, { ...view, find: () => file }, settings).image).to.equal(null)
  })

  it('needs the sections, the image and the authors of an entry', () => {
    expect(
      feedLookups(article).map(({ reference: { collection, id } }) => `${collection}/${id}`),
    ).to.have.members(['sections/news', 'files/image', 'tags/jane', 'tags/deleted'])
  })

  it('was updated with its latest entry, by publication or change', () => {
    const entry = feedEntry(article, view, settings)
    expect(feedOf(null, [entry], settings, view.find)).to.deep.equal({
      uuid: null,
      title: 'Demo',
      publication: 'Demo',
      language: 'de-AT',
      url: 'https://www.example.org/',
      updated: '2026-02-01T12:00:00+01:00',
      website: 'https://www.example.org/',
      hub: null,
      entries: [entry],
    })
    const section = { uuid: 'news', state: objects['sections/news'] ?? {} }
    expect(feedOf(section, [], settings, view.find)).to.include({
      uuid: 'news',
      title: 'Demo: News',
      url: 'https://www.example.org/news/',
      updated: '1970-01-01T00:00:00+01:00',
    })
  })
})
