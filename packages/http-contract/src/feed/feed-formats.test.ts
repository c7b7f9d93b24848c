/** The formats of feeds and sitemaps (docs/behaviour/feeds.md#feed). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { XmlDocument } from 'libxml2-wasm'
import { sitemapLimits, type Feed } from '@publishing-service/domain/feeds'
import { anyCharacter } from '@publishing-service/domain/testing/arbitraries'
import { atomOf } from './atom.js'
import { robotsTxt } from './robots-txt.js'
import { rssOf } from './rss.js'
import { sitemapXml } from './sitemap-xml.js'

/** The texts of the elements with this name. */
const textsOf = (xml: string, name: string): readonly string[] => {
  const document = XmlDocument.fromString(xml)
  const texts = document.find(`//*[local-name() = '${name}']`).map(({ content }) => content)
  document.dispose()
  return texts
}

/** The values of the attributes with this name. */
const attributesOf = (xml: string, name: string): readonly string[] => {
  const document = XmlDocument.fromString(xml)
  const texts = document.find(`//@${name}`).map(({ content }) => content)
  document.dispose()
  return texts
}

const feedWith = (text: string): Feed => ({
  uuid: null,
  title: text,
  publication: text,
  language: 'en',
  url: 'https://www.example.org/',
  updated: '2026-03-01T13:00:00+01:00',
  website: 'https://www.example.org/',
  hub: null,
  entries: [
    {
      uuid: '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11',
      url: 'https://www.example.org/?a&b="',
      title: text,
      published: '2026-03-01T13:00:00+01:00',
      updated: '2026-03-01T13:00:00+01:00',
      authors: [text],
      summary: text,
      html: text,
      image: null,
    },
  ],
})

const permitted = (text: string): string =>
  text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').replace(/\r\n?/g, '\n')

describe('an Atom feed', () => {
  it('is well-formed for every text, and has all of it that XML can contain', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.string(),
          fc.constantFrom(']]>', '<!-- ', '&amp;', 'true', '\u0000', '\ud800<', '\ufffe', '\r', ' a '),
        ),
        (text) => {
          const xml = atomOf(feedWith(text), 'https://api.example.org/1/feed/all.atom')
          for (const name of ['summary', 'content'])
            expect(textsOf(xml, name)).to.deep.equal([permitted(text)])
          expect(textsOf(xml, 'title')).to.deep.equal([permitted(text), permitted(text)])
        },
      ),
    ))
})

describe('an RSS feed', () => {
  it('has its entries, with the texts that XML can contain, and names itself and its hub', () => {
    const hub = 'https://hub.example.org/'
    const image = { url: 'https://api.example.org/i', mimetype: 'image/png', bytes: 12 }
    const feed = feedWith(']]><b>\u0000')
    const entries = feed.entries.map((entry) => ({ ...entry, image }))
    const self = 'https://www.example.org/feed/all.rss'
    const xml = rssOf({ ...feed, hub, entries }, self)
    for (const name of ['creator', 'encoded']) expect(textsOf(xml, name)).to.deep.equal([']]><b>'])
    expect(textsOf(xml, 'pubDate')).to.deep.equal(['Sun, 01 Mar 2026 12:00:00 GMT'])
    expect(textsOf(xml, 'guid')).to.deep.equal(['urn:uuid:9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'])
    for (const [attribute, expected] of Object.entries({
      href: [self, hub],
      length: ['12'],
      isPermaLink: ['false'],
    }))
      expect(attributesOf(xml, attribute)).to.deep.equal(expected)
  })
})

const website = 'https://www.example.org'
const self = `${website}/sitemap.xml`

describe('a sitemap', () => {
  it('has every page, in pieces', () => {
    const entries = Array.from({ length: 1201 }, (_, index) => ({
      url: `https://www.example.org/${index}/?a&b`,
      changed: index === 0 ? null : '2026-03-01',
      images: [],
    }))
    const pieces = [...sitemapXml({ entries }, self)]
    expect(pieces).to.have.lengthOf(5)
    expect(textsOf(pieces.join(''), 'loc')).to.deep.equal(entries.map(({ url }) => url))
    expect(textsOf(pieces.join(''), 'lastmod')).to.have.lengthOf(1200)
  })

  it('of many pages is an index of its parts', () => {
    const xml = [...sitemapXml({ parts: 2, website }, self)].join('')
    expect(textsOf(xml, 'loc')).to.deep.equal([`${self}?part=1`, `${self}?part=2`])
  })

  it('has images of up to half the bytes that a sitemap may have', () => {
    const images = Array.from(
      { length: 1000 },
      (_, index) => `https://api.example.org/${index}/${'a'.repeat(1024)}`,
    )
    const entries = Array.from({ length: 30 }, () => ({ url: website, changed: null, images }))
    let bytes = 0
    for (const piece of sitemapXml({ entries }, self)) bytes += piece.length
    expect(bytes).to.be.within(sitemapLimits.imageBytes - 2000, sitemapLimits.imageBytes + 5000)
  })
})

describe('robots.txt', () => {
  it('disallows what the settings name, and has the sitemaps', () => {
    expect(robotsTxt({ robots_disallow: ['/search/', '/*.pdf$'] }, [self]).split('\n')).to.deep.equal([
      'User-agent: *',
      'Disallow: /search/',
      'Disallow: /*.pdf$',
      'Allow: /',
      '',
      `Sitemap: ${self}`,
      '',
    ])
  })
})
