import { E } from '@publishing-service/domain/fp'
import type { ImportRecord } from '@publishing-service/domain/imports'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { derivedUuid } from '../derived-uuid.js'
import { authorUuid, sectionUuid, tagUuid } from './ghost-tags.js'
import { postUuid } from './ghost-post.js'
import { exportOf, options, postOf, recordsOf, site } from './post-export.test-data.js'
import { readGhost } from './read-ghost.js'

const picture = '__GHOST_URL__/content/images/size/w600/2024/01/tram.jpg'
const pictureUuid = derivedUuid(site, 'file', `${site}/content/images/2024/01/tram.jpg`)

const tables: JsonObject = {
  posts: [
    {
      id: 'p1',
      title: 'The last tram',
      slug: 'the-last-tram',
      html: '<p>Text</p><img src="__GHOST_URL__/content/images/2024/01/tram.jpg">',
      feature_image: picture,
      featured: 1,
      type: 'post',
      status: 'published',
      visibility: 'public',
      created_at: '2024-01-01T08:00:00.000Z',
      updated_at: '2024-01-03 08:00:00',
      published_at: '2024-01-02T08:00:00.000Z',
      custom_excerpt: 'It leaves at midnight',
      codeinjection_head: '<script>track()</script>',
      canonical_url: 'https://example.com/first',
    },
    { id: 'p2', title: 'About', slug: 'about', type: 'page', status: 'draft', lexical: null },
  ],
  posts_meta: [
    {
      id: 'm1',
      post_id: 'p1',
      meta_title: 'Trams',
      og_title: 'Other trams',
      twitter_title: 'Trams',
      feature_image_alt: 'A tram',
      feature_image_caption: 'By <b>night</b> &amp; day',
    },
  ],
  tags: [
    { id: 't1', name: '#no-feed', slug: 'hash-no-feed', visibility: 'internal' },
    {
      id: 't2',
      name: 'Trams',
      slug: 'trams',
      visibility: 'public',
      description: 'On rails',
      accent_color: '#ff0000',
    },
  ],
  posts_tags: [
    { id: 'x2', post_id: 'p1', tag_id: 't2', sort_order: 1 },
    { id: 'x1', post_id: 'p1', tag_id: 't1', sort_order: 0 },
    { id: 'x3', post_id: 'p1', tag_id: 'gone', sort_order: 2 },
  ],
  users: [
    {
      id: 'u1',
      name: 'Ann Boat',
      slug: 'ann',
      email: 'ann@example.org',
      password: '$2b$10$secret',
      bio: 'Writes',
      facebook: 'https://www.facebook.com/annboat/',
      twitter: '@annboat',
      profile_image: '/content/images/ann.png',
      location: 'Vienna',
    },
    { id: 'u2', name: 'Owner', slug: 'owner', email: 'owner@example.org' },
  ],
  posts_authors: [{ id: 'y1', post_id: 'p1', author_id: 'u1', sort_order: 0 }],
  settings: [
    { key: 'codeinjection_foot', value: '<script>foot()</script>' },
    { key: 'stripe_secret_key', value: 'sk_live_1' },
  ],
  newsletters: [{ id: 'n1', name: 'Weekly', sender_email: 'news@example.org' }],
  members: [{ id: 'mm', name: 'Mira', email: 'mira@example.org' }],
  comments: [
    {
      id: 'c2',
      post_id: 'p1',
      member_id: 'mm',
      parent_id: 'c1',
      status: 'hidden',
      html: '<p>Yes</p>',
      created_at: '2024-01-05',
    },
    {
      id: 'c1',
      post_id: 'p1',
      member_id: 'mm',
      status: 'published',
      html: '<p>Is &quot;it&quot;?</p>',
      created_at: '2024-01-04',
    },
    {
      id: 'c3',
      post_id: 'p1',
      member_id: 'mm',
      status: 'deleted',
      html: '<p>No</p>',
      created_at: '2024-01-06',
    },
  ],
}

const sources = (records: readonly ImportRecord[]): readonly string[] =>
  records.map(({ origin }) => origin.source)

const objectFrom = (records: readonly ImportRecord[], source: string) => {
  const found = records.find(({ origin }) => origin.source === source)
  if (found?.object === undefined || found.object === null) throw new Error(source)
  return { ...found.object, notes: found.notes }
}

describe('readGhost', () => {
  it('has each object after those that it refers to, and says what is not taken over', async () => {
    const records = await recordsOf(exportOf(tables))
    expect(sources(records)).to.deep.equal([
      'tag t1',
      'tag t2',
      `file ${site}/content/images/ann.png`,
      'author u1',
      `file ${site}/content/images/2024/01/tram.jpg`,
      'post p1',
      'page p2',
      'comment c1',
      'comment c2',
      'comment c3',
      'table users',
      'table settings',
      'table newsletters',
      'table members',
    ])
    expect(records.flatMap(({ faults }) => faults)).to.deep.equal([])
    for (const { object, notes } of records) if (object === null) expect(notes).to.not.deep.equal([])
  })

  it('reads no e-mail addresses, passwords and secrets', async () => {
    const all = JSON.stringify(await recordsOf(exportOf(tables)))
    expect(all).to.not.match(/ann@example|owner@example|news@example|mira@example|\$2b\$10|sk_live/)
  })

  it('reads a post with its picture, tags and times', async () => {
    const records = await recordsOf(exportOf(tables))
    const { attributes, slots, tags, notes, id } = objectFrom(records, 'post p1')
    expect(id).to.equal(postUuid(site, 'p1'))
    const slot = derivedUuid(site, 'slot', 'p1 0')
    expect(attributes).to.deep.equal({
      content_type: 'article',
      title: 'The last tram',
      urlname: 'the-last-tram',
      description: 'It leaves at midnight',
      content: `<p>Text</p>\n<slot id="${slot}"/>`,
      state: 'published',
      created: '2024-01-01T08:00:00.000Z',
      modified: '2024-01-03T08:00:00.000Z',
      issued: '2024-01-02T08:00:00.000Z',
      meta_title: 'Trams',
      canonical_url: 'https://example.com/first',
      teaser_image_uuid: pictureUuid,
      header_image_uuid: pictureUuid,
    })
    expect(slots).to.deep.equal([
      { id: slot, attributes: {}, media: [{ type: 'file', image_uuid: pictureUuid }] },
    ])
    expect(tags.map(({ tag, predicate }) => [tag, predicate])).to.deep.equal([
      [tagUuid(site, 't1'), 'describes'],
      [tagUuid(site, 't2'), 'describes'],
      [authorUuid(site, 'u1'), 'authored'],
    ])
    expect(notes.map(({ kind }) => kind)).to.include.members(['attribute', 'code'])
    expect(JSON.stringify(notes)).to.include('og_title').and.not.include('twitter_title')
    const file = objectFrom(records, `file ${site}/content/images/2024/01/tram.jpg`)
    expect(file.attributes).to.deep.equal({
      title: 'A tram',
      filename: 'tram.jpg',
      description: 'By night & day',
    })
    expect(file.upload).to.deep.equal({ address: `${site}/content/images/2024/01/tram.jpg`, type: null })
  })

  it('reads tags and authors', async () => {
    const records = await recordsOf(exportOf(tables))
    expect(objectFrom(records, 'tag t1').attributes).to.deep.equal({
      last_name_or_title: '#no-feed',
      urlname: 'hash-no-feed',
      type: 'default',
      state: 'internal',
    })
    expect(objectFrom(records, 'tag t2').attributes).to.include({
      state: 'approved',
      description: 'On rails',
    })
    expect(objectFrom(records, 'tag t1').earlier_paths).to.deep.equal([])
    expect(objectFrom(records, 'tag t2').earlier_paths).to.deep.equal(['/tag/trams/'])
    expect(objectFrom(records, 'author u1').earlier_paths).to.deep.equal(['/author/ann/'])
    expect(objectFrom(records, 'author u1').attributes).to.deep.equal({
      last_name_or_title: 'Ann Boat',
      urlname: 'ann',
      type: 'person',
      description: 'Writes',
      fb_username: 'annboat',
      twitter_username: 'annboat',
      feature_image_uuid: derivedUuid(site, 'file', `${site}/content/images/ann.png`),
    })
  })

  it('reads comments with the names of their authors, and replies', async () => {
    const records = await recordsOf(exportOf(tables))
    expect(objectFrom(records, 'comment c1').attributes).to.deep.equal({
      parent_type: 'content',
      parent_uuid: postUuid(site, 'p1'),
      comment: 'Is "it"?',
      creator: 'Mira',
      state: 'published',
      created: '2024-01-04T00:00:00.000Z',
    })
    expect(objectFrom(records, 'comment c2').attributes).to.include({
      parent_type: 'comment',
      parent_uuid: objectFrom(records, 'comment c1').id,
      state: 'draft',
    })
  })

  it('makes sections of the first public tags', async () => {
    const records = await recordsOf(exportOf(tables), { sections: 'primary-tag' })
    expect(sources(records)[0]).to.equal('section t2')
    const { attributes, earlier_paths: paths } = objectFrom(records, 'post p1')
    expect(attributes).to.include({ section_uuid: sectionUuid(site, 't2') })
    expect(paths).to.deep.equal(['/the-last-tram/'])
    expect(objectFrom(records, 'page p2').attributes).to.not.have.property('section_uuid')
  })

  it('publishes only what everybody could read', async () => {
    const stateOf = async (post: JsonObject, memberPosts: 'draft' | 'published' = 'draft') => {
      const records = await recordsOf(exportOf({ posts: [{ id: 1, ...post }] }), { memberPosts })
      return objectFrom(records, 'post 1').attributes['state']
    }
    expect(await stateOf({ status: 'published' })).to.equal('published')
    expect(await stateOf({ status: 'scheduled', visibility: 'public' })).to.equal('published')
    expect(await stateOf({ status: 'sent', visibility: 'public' })).to.equal('draft')
    expect(await stateOf({ status: 'published', visibility: 'public', email_only: true })).to.equal('draft')
    expect(await stateOf({ status: 'published', visibility: 'paid' })).to.equal('draft')
    expect(await stateOf({ status: 'published', visibility: 'members' }, 'published')).to.equal('published')
    expect(await stateOf({ status: 'draft' }, 'published')).to.equal('draft')
    expect(await stateOf({ status: 'unknown' })).to.equal('draft')
  })

  it('reads redirects of both forms', async () => {
    const rulesOf = async (redirects: unknown) =>
      (await recordsOf(exportOf({ posts: [] }), { redirects })).map(({ object }) => {
        const { pattern = null, template = null, permanent = null } = object?.attributes ?? {}
        return [pattern, template, permanent]
      })
    expect(
      await rulesOf([
        { from: '^/old/(.*)$', to: '/new/$1', permanent: true },
        { from: '/a.html', to: 'https://example.com/' },
        { from: '^\\/b\\/?$', to: '/c/' },
        { from: '/(a|b)', to: '/c/' },
        { from: 1 },
      ]),
    ).to.deep.equal([
      ['/old/**', '/new/\\1', true],
      ['/a.html', 'https://example.com/', false],
      ['/b/', '/c/', false],
      [null, null, null],
    ])
    expect(await rulesOf({ 301: { '/a': '/b' }, 302: { '/c': '/d' } })).to.deep.equal([
      ['/a', '/b', true],
      ['/c', '/d', false],
    ])
  })

  it('reads exports of old versions', async () => {
    const old = {
      meta: { version: '004' },
      data: {
        posts: [
          {
            id: 7,
            title: 'Old',
            slug: 'old',
            markdown: 'A *b*',
            html: null,
            image: '/content/images/a.jpg',
            page: 1,
            author_id: 2,
            status: 'published',
            published_at: 1_388_318_311_015,
          },
        ],
        users: [{ id: 2, name: 'Bob', image: '' }],
      },
    }
    const records = await recordsOf(old, { site: `${site}/` })
    expect(sources(records)).to.deep.equal(['author 2', `file ${site}/content/images/a.jpg`, 'page 7'])
    expect(objectFrom(records, 'page 7').attributes).to.include({
      content: '<p>A <em>b</em></p>',
      issued: '2013-12-29T11:58:31.015Z',
    })
  })

  it('names the place of each fault', () => {
    const faultsOf = (value: unknown): readonly string[] => {
      const read = readGhost(value, options)
      return E.isLeft(read) ? read.left.map(({ path }) => path) : []
    }
    expect(faultsOf(null)).to.deep.equal([''])
    expect(faultsOf([])).to.deep.equal([''])
    expect(faultsOf({ db: [] })).to.deep.equal([''])
    expect(faultsOf({ db: [{ data: 1 }] })).to.deep.equal(['db[0].data'])
    expect(faultsOf({ data: { trains: [] } })).to.deep.equal(['data'])
    expect(faultsOf(exportOf({ posts: {} }))).to.deep.equal(['db[0].data'])
    const wrong = { id: 'p', title: { a: 1 }, featured: 'yes', published_at: 'soon' }
    expect(
      faultsOf(exportOf({ posts: [{ id: 'ok' }, wrong, 5, { title: 'no id' }], tags: 'x' })),
    ).to.have.members([
      'db[0].data.posts[1].title',
      'db[0].data.posts[1].featured',
      'db[0].data.posts[1].published_at',
      'db[0].data.posts[2]',
      'db[0].data.posts[3].id',
      'db[0].data.tags',
    ])
  })

  it('imports linked files and videos of the website, and says that the body leads to where they were', async () => {
    const html =
      '<p><a href="/content/files/2024/a%20b.pdf">Plan</a></p><video src="/content/media/v.mp4"></video>'
    const records = await recordsOf(exportOf({ posts: [{ id: 1, html }] }))
    expect(sources(records)).to.have.members([
      `file ${site}/content/files/2024/a%20b.pdf`,
      `file ${site}/content/media/v.mp4`,
      'post 1',
    ])
    expect(records[0]?.object?.attributes).to.include({ filename: 'a b.pdf' })
    expect((await postOf({ html })).notes.filter(({ kind }) => kind === 'address')).to.have.lengthOf(2)
  })
})
