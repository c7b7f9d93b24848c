import { E } from '@publishing-service/domain/fp'
import type { ImportRecord } from '@publishing-service/domain/imports'
import { checkMarkup } from '@publishing-service/domain/markup'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { derivedUuid } from '../derived-uuid.js'
import { readFeed, type FeedOptions } from './read-feed.js'

const site = 'https://www.example.org'
const options: FeedOptions = { site: null, state: 'published', media: 'addresses' }

const recordsOf = async (
  text: string,
  changed: Partial<FeedOptions> = {},
): Promise<readonly ImportRecord[]> => {
  const read = readFeed(text, { ...options, ...changed })
  if (E.isLeft(read)) throw new Error(JSON.stringify(read.left))
  const records: ImportRecord[] = []
  for await (const record of read.right.records()) records.push(record)
  expect(records).to.have.lengthOf(read.right.total)
  return records
}

const articlesIn = async (text: string, changed: Partial<FeedOptions> = {}) =>
  (await recordsOf(text, changed)).flatMap(({ object, notes }) =>
    object?.collection === 'content' ? [{ ...object, notes }] : [],
  )

const rss = (items: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Trams</title><link>${site}/</link>${items}</channel></rss>`

const first = `<item><title>Trams &amp;amp; &lt;b&gt;cats&lt;/b&gt; &lt;3</title><link>${site}/2024/01/trams/?utm=1</link>
<guid isPermaLink="false">7</guid><pubDate>Tue, 02 Jan 2024 09:00:00 +0100</pubDate>
<dc:creator><![CDATA[Ann]]></dc:creator><author>bob@example.org (Bob)</author><author>only@example.org</author>
<category>Rails</category><category><![CDATA[Cats]]></category><description>Short &lt;b&gt;text&lt;/b&gt;</description>
<content:encoded><![CDATA[<p>Long&nbsp;<i>text</i> <a href="/b">b</a></p><img src="a.jpg" alt="A">]]></content:encoded>
<media:group><media:thumbnail url="${site}/t.jpg"/></media:group>
<enclosure url="${site}/bell.mp3" type="audio/mpeg" length="1"/></item>`

describe('readFeed', () => {
  it('reads RSS, with categories and authors as tags', async () => {
    const records = await recordsOf(rss(first))
    expect(records.map(({ origin }) => origin.source)).to.deep.equal([
      'tag Rails',
      'tag Cats',
      'author Ann',
      'author Bob',
      'item 7',
    ])
    expect(records[2]?.object?.attributes).to.deep.equal({
      last_name_or_title: 'Ann',
      urlname: 'ann',
      type: 'person',
    })
    const [article] = await articlesIn(rss(first))
    const slot = derivedUuid(site, 'slot', '7 0')
    expect(article?.attributes).to.deep.equal({
      content_type: 'article',
      title: 'Trams & cats <3',
      urlname: 'trams',
      description: 'Short text',
      content:
        `<p>Long\u00a0<i>text</i> <a href="${site}/b">b</a></p>\n` +
        `<p><img src="${site}/2024/01/trams/a.jpg" alt="A"/></p>\n<slot id="${slot}"/>`,
      state: 'published',
      issued: '2024-01-02T08:00:00.000Z',
      created: '2024-01-02T08:00:00.000Z',
      modified: '2024-01-02T08:00:00.000Z',
    })
    expect(article?.slots[0]?.media).to.deep.equal([
      { type: 'external', url_type: 'audio', urls: [{ url: `${site}/bell.mp3` }] },
    ])
    expect(article?.tags.map(({ predicate }) => predicate)).to.deep.equal([
      'describes',
      'describes',
      'authored',
      'authored',
    ])
    expect(article?.earlier_paths).to.deep.equal(['/2024/01/trams/'])
    expect(JSON.stringify(records)).to.not.match(/bob@|only@/)
  })

  it('imports pictures and sounds as files with the option `media`', async () => {
    const records = await recordsOf(rss(first), { media: 'files' })
    const files = records.flatMap(({ object }) => (object?.collection === 'files' ? [object] : []))
    expect(files.map(({ upload }) => upload?.address)).to.have.members([
      `${site}/2024/01/trams/a.jpg`,
      `${site}/bell.mp3`,
      `${site}/t.jpg`,
    ])
    const [article] = await articlesIn(rss(first), { media: 'files' })
    expect(article?.attributes['teaser_image_uuid']).to.equal(derivedUuid(site, 'file', `${site}/t.jpg`))
  })

  it('reads RSS 1.0, and items with little in them', async () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><link>${site}</link></channel>
      <item rdf:about="x"><title>One</title><link>${site}/one.html</link><dc:date>2004-05-06</dc:date></item>
      <item><description>A text without a title &amp;amp; more</description><link>https://example.com/</link></item>
      <item><title>One again</title><link>${site}/one.html</link></item><item/></rdf:RDF>`
    const articles = await articlesIn(rdf)
    expect(
      articles.map(({ attributes }) => [attributes['title'], attributes['urlname'], attributes['issued']]),
    ).to.deep.equal([
      ['One', 'one', '2004-05-06T00:00:00.000Z'],
      ['A text without a title & more', 'a-text-without-a-title-more', undefined],
    ])
    const left = (await recordsOf(rdf)).filter(({ object }) => object === null)
    expect(left.map(({ notes }) => notes.length)).to.deep.equal([1, 1])
  })

  it('reads Atom, with its types of text and bases', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${site}/blog/"><link rel="self" href="feed"/>
      <link href="./"/><author><name>Ann</name><email>ann@example.org</email></author>
      <entry><id>a</id><title type="html">A &amp;lt; B</title><link href="2024/a"/><published>2024-01-02T09:00:00+01:00</published>
        <updated>2024-01-03T09:00:00Z</updated><category term="rails" label="Rails"/>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>b</b><br/>c &lt; d</div></content></entry>
      <entry><id>b</id><title>1 &lt; 2</title><summary>Plain &lt;b&gt;</summary><content src="https://example.com/x"/>
        <updated>never</updated></entry></feed>`
    const [one, two] = await articlesIn(atom)
    expect(one?.attributes).to.include({
      title: 'A < B',
      urlname: 'a',
      content: '<p>A <b>b</b><br/>c &lt; d</p>',
      issued: '2024-01-02T08:00:00.000Z',
      modified: '2024-01-03T09:00:00.000Z',
    })
    expect(one?.earlier_paths).to.deep.equal(['/blog/2024/a'])
    expect(two?.attributes).to.include({ title: '1 < 2', content: '<p>Plain &lt;b&gt;</p>' })
    expect(two?.notes.map(({ kind }) => kind)).to.deep.equal(['item', 'time', 'time'])
  })

  it('reads JSON Feed', async () => {
    const [one, two] = await articlesIn(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        home_page_url: `${site}/`,
        authors: [{ name: 'Ann' }],
        items: [
          {
            id: 1,
            url: `${site}/one/`,
            title: 'One < 2',
            content_html: '<p>A</p>',
            tags: ['Rails', 5],
            date_published: '2024-01-02T09:00:00Z',
          },
          { id: '2', content_text: 'First < line\nsecond\n\nNext', author: { name: 'Bob' } },
          7,
        ],
      }),
    )
    expect(one?.attributes).to.include({ title: 'One < 2', urlname: 'one', content: '<p>A</p>' })
    expect(one?.earlier_paths).to.deep.equal([])
    expect(one?.tags).to.have.lengthOf(2)
    expect(two?.attributes).to.include({
      title: 'First < line second Next',
      content: '<p>First &lt; line<br/>second</p>\n<p>Next</p>',
    })
    expect(two?.tags.map(({ tag }) => tag)).to.deep.equal([derivedUuid(site, 'author', 'Bob')])
  })

  it('refuses what is no feed', () => {
    const fails = (text: string, named: string | null = null): boolean =>
      E.isLeft(readFeed(text, { ...options, site: named }))
    for (const text of [
      '',
      'text',
      '{',
      '[]',
      '{"items": 1}',
      '<html/>',
      '<rss><channel>',
      rss('<item><a></item>'),
      '<a>'.repeat(100_000),
    ])
      expect(fails(text, site), text.slice(0, 50)).to.equal(true)
    const noHome = '<rss><channel><item><title>A</title></item></channel></rss>'
    expect(fails(noHome)).to.equal(true)
    expect(fails(noHome, site)).to.equal(false)
  })

  it('reads feeds with mistakes, and expands no entities', async () => {
    const entities = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
    const [article] = await articlesIn(
      `\ufeff\n${entities}<rss><channel><link>${site}</link><item><title>&b;&f;caf&eacute; \u0001</title><x:y>z</x:y>
      <description>&lt;script&gt;x()&lt;/script&gt;&lt;b&gt;open</description></item></channel></rss>`,
    )
    expect(article?.attributes['title']).to.equal('&b;&f;café')
    expect(article?.attributes['content']).to.equal('<p><b>open</b></p>')
    expect(E.isRight(checkMarkup(String(article?.attributes['content']), { slots: true }))).to.equal(true)
  })
})
