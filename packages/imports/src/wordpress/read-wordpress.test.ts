import { resourceOf } from '@publishing-service/domain'
import { draftAttributes } from '@publishing-service/domain/engine'
import { E } from '@publishing-service/domain/fp'
import type { ImportedObject, ImportRecord } from '@publishing-service/domain/imports'
import { defaultStreamingHosts } from '@publishing-service/domain/declare'
import { checkMarkup } from '@publishing-service/domain/markup'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { UnreadableSource } from '../unreadable-source.js'
import { readWordpress, type WordpressOptions } from './read-wordpress.js'
import { categoryText, wxrText, type TestItem } from './wxr.test-data.js'

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 997) yield text.slice(at, at + 997)
}

const readText = async (text: string, options?: WordpressOptions): Promise<readonly ImportRecord[]> => {
  const { total, records } = await readWordpress(() => piecesOf(text), options)
  const found: ImportRecord[] = []
  for await (const record of records()) found.push(record)
  expect(total).to.equal(found.length)
  return found
}

const read = (items: readonly TestItem[], before?: string): Promise<readonly ImportRecord[]> =>
  readText(wxrText(items, before))

const objectsOf = (records: readonly ImportRecord[], collection: string): readonly ImportedObject[] =>
  records.flatMap(({ object }) => (object?.collection === collection ? [object] : []))

const recordOf = (records: readonly ImportRecord[], source: string): ImportRecord => {
  const found = records.find(
    ({ origin, object }) => origin.source === source && object?.collection !== 'sections',
  )
  if (found === undefined) throw new Error(`no ${source}`)
  return found
}

const objectOf = (records: readonly ImportRecord[], source: string): ImportedObject => {
  const { object } = recordOf(records, source)
  if (object === null) throw new Error(`no object ${source}`)
  return object
}

const pathOf = (records: readonly ImportRecord[], { attributes }: ImportedObject): string => {
  const parent = attributes['section_uuid'] ?? attributes['parent_uuid'] ?? null
  const section = records.find(({ object }) => object?.id === parent)?.object
  return `${section === undefined || section === null ? '/' : pathOf(records, section)}${String(attributes['urlname'])}/`
}

const wordsOf = (markup: string): readonly string[] =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|apos|amp);/g, ' ')
    .split(/\s+/)
    .filter((each) => each !== '')

const refusal = async (text: string): Promise<UnreadableSource> => {
  try {
    await readText(text)
  } catch (error) {
    if (error instanceof UnreadableSource) return error
    throw error
  }
  throw new Error('it was read')
}

const picture = (id: number, name: string): TestItem => ({
  id,
  type: 'attachment',
  status: 'inherit',
  title: name,
  excerpt: `Caption of ${name}`,
  attachment: `https://example.org/wp-content/uploads/2020/01/${name}.jpg`,
  meta: { _wp_attachment_image_alt: `Alt of ${name}` },
})

describe('readWordpress', () => {
  it('has objects that are accepted, each after those that it refers to', async () => {
    const records = await read(
      [
        picture(9, 'pier'),
        {
          id: 1,
          content: '<img src="/wp-content/uploads/2020/01/pier-300x200.jpg">',
          terms: ['category quays Quays', 'post_tag fog Fog'],
          meta: { _thumbnail_id: '9' },
          comments: [{ id: 2, parent: 1 }, { id: 1 }],
        },
        { id: 5, type: 'page', slug: 'about', link: 'https://example.org/about/' },
        { id: 6, type: 'page', slug: 'team', parent: 5, link: 'https://example.org/about/team/' },
      ],
      categoryText('quays', 'Quays'),
    )
    const seen = new Set<string>()
    for (const object of records.flatMap(({ object: each }) => (each === null ? [] : [each]))) {
      expect(seen.has(object.id)).to.equal(false)
      const references = [
        ...Object.entries(object.attributes).flatMap(([name, value]) =>
          name.endsWith('_uuid') && value !== null ? [value] : [],
        ),
        ...object.slots.flatMap(({ media }) => media.flatMap(({ image_uuid: id }) => id ?? [])),
        ...object.tags.map(({ tag }) => tag),
      ]
      for (const id of references)
        expect(seen.has(String(id)), `${object.collection} ${String(id)}`).to.equal(true)
      seen.add(object.id)
      const resource = resourceOf(object.collection)
      if (resource === undefined) throw new Error(object.collection)
      const context = { zone: 'Europe/Vienna', streamingHosts: defaultStreamingHosts, strict: true }
      const { faults } = draftAttributes(resource, {
        mode: 'put',
        input: object.attributes,
        previous: null,
        context,
      })
      expect(faults).to.deep.equal([])
    }
    expect(objectsOf(records, 'content').length).to.equal(3)
  })

  it('says the same when it is read again, with other pieces', async () => {
    const text = wxrText([picture(9, 'pier'), { id: 1, content: '[gallery ids="9"]', comments: [{ id: 3 }] }])
    const { records } = await readWordpress(async function* () {
      yield* text
    })
    const again: ImportRecord[] = []
    for await (const record of records()) again.push(record)
    expect(again).to.deep.equal(await readText(text))
  })

  describe('paths', () => {
    it('are those of categories and slugs, with the permalinks and old slugs as earlier paths', async () => {
      const records = await read(
        [
          {
            id: 1,
            slug: 'fog',
            link: 'https://example.org/2020/01/fog/',
            terms: ['category port Port', 'category quays Quays', 'category news News'],
            meta: { _wp_old_slug: 'mist' },
          },
        ],
        categoryText('quays', 'Quays', 'port') + categoryText('port', 'Port') + categoryText('news', 'News'),
      )
      const post = objectOf(records, 'post 1')
      expect(pathOf(records, post)).to.equal('/port/quays/fog/')
      expect(post.earlier_paths).to.deep.equal(['/2020/01/fog/', '/2020/01/mist/'])
      expect(objectOf(records, 'category news').attributes['last_name_or_title']).to.equal('News')
      const section = objectsOf(records, 'sections').find(
        ({ attributes }) => attributes['urlname'] === 'quays',
      )
      expect(section?.earlier_paths).to.deep.equal(['/category/port/quays/'])
      expect(post.tags.map(({ predicate }) => predicate)).to.deep.equal(['authored', 'describes'])
    })

    it('of pages are their permalinks: a page with pages below it is a section that shows it', async () => {
      const page = { type: 'page', terms: [] }
      const records = await read([
        { ...page, id: 3, slug: 'team', parent: 2, link: 'https://example.org/about/team/' },
        { ...page, id: 2, slug: 'about', link: 'https://example.org/about/' },
        { ...page, id: 4, slug: 'legal', link: 'https://example.org/legal/' },
      ])
      expect(pathOf(records, objectOf(records, 'page 3'))).to.equal('/about/team/')
      expect(pathOf(records, objectOf(records, 'page 4'))).to.equal('/legal/')
      const [about] = objectsOf(records, 'sections')
      expect(about?.later).to.deep.equal({ content_uuid: objectOf(records, 'page 2').id })
      for (const id of [2, 3, 4]) expect(objectOf(records, `page ${id}`).earlier_paths).to.deep.equal([])
    })

    it('are of letters of ASCII, and never of two objects', async () => {
      const records = await read(
        [
          { id: 1, slug: '%d0%bf%d0%be%d1%80%d1%82', link: 'https://example.org/%d0%bf%d0%be%d1%80%d1%82/' },
          { id: 2, slug: '', title: 'A title', link: '' },
          { id: 3, slug: 'a-title', link: '' },
          { id: 4, type: 'page', slug: 'quays', link: 'https://example.org/quays/' },
        ],
        categoryText('quays', 'Quays'),
      )
      expect(objectOf(records, 'post 1').attributes['urlname']).to.equal('port')
      expect(objectOf(records, 'post 1').earlier_paths).to.deep.equal(['/порт/'])
      const names = ['post 2', 'post 3', 'page 4'].map(
        (source) => objectOf(records, source).attributes['urlname'],
      )
      expect(names).to.deep.equal(['a-title', 'a-title-2', 'quays'])
      expect(objectsOf(records, 'sections')[0]?.attributes['urlname']).to.equal('quays-2')
      expect(recordOf(records, 'post 3').notes.map(({ kind }) => kind)).to.include('urlname')
    })

    it('with a query are redirects, if they are not below the homepage', async () => {
      const records = await read([
        { id: 1, link: 'https://example.org/blog/?p=1' },
        { id: 2, link: 'https://example.org/?p=2' },
      ])
      const [redirect, ...others] = objectsOf(records, 'redirects')
      expect(redirect?.attributes).to.include({ pattern: '/blog/?p=1', template: '/title-1/' })
      expect(others).to.deep.equal([])
      expect(recordOf(records, 'post 2').notes.map(({ kind }) => kind)).to.include('permalink')
    })

    it('of the plug-in for redirects are redirects', async () => {
      const rule = (id: number, from: string, to: string, status: string, isPattern = '0'): TestItem => ({
        id,
        type: 'redirect_rule',
        meta: {
          _redirect_rule_from: from,
          _redirect_rule_to: to,
          _redirect_rule_status_code: status,
          _redirect_rule_from_regex: isPattern,
        },
      })
      const records = await read([
        rule(1, '/old/*', 'https://example.org/new/*', '301'),
        rule(2, '/gone', 'https://example.com/', '302'),
        rule(3, '/(a|b)', '/c', '301', '1'),
        rule(4, '/lost', '', '410'),
      ])
      expect(objectsOf(records, 'redirects').map(({ attributes }) => attributes)).to.deep.equal([
        { pattern: '/old/**', template: '/new/\\1', ord: 10, permanent: true },
        { pattern: '/gone', template: 'https://example.com/', ord: 20, permanent: false },
      ])
      for (const id of [3, 4]) expect(recordOf(records, `redirect_rule ${id}`).object).to.equal(null)
    })

    it('end where pages are above themselves, and in the deepest section', async () => {
      const page = (id: number, parent: number): TestItem => ({
        id,
        type: 'page',
        slug: `p${id}`,
        parent,
        link: '',
      })
      const ring = await read([page(1, 2), page(2, 1)])
      expect(objectsOf(ring, 'content').length).to.equal(2)
      const chain = await read(Array.from({ length: 30 }, (_, index) => page(index + 1, index)))
      const depths = objectsOf(chain, 'content').map((each) => pathOf(chain, each).split('/').length - 2)
      expect(Math.max(...depths)).to.equal(21)
    })
  })

  describe('states and dates', () => {
    it('are those of WordPress; what is not public is a draft', async () => {
      const items: readonly TestItem[] = [
        { id: 1, gmt: '2020-01-01 10:00:00' },
        { id: 2, status: 'future', gmt: '2120-01-01 10:00:00' },
        { id: 3, status: 'draft', gmt: '0000-00-00 00:00:00' },
        { id: 4, status: 'private' },
        { id: 5, password: 'secret-word' },
        { id: 6, status: 'pending' },
        { id: 7, status: 'trash' },
        { id: 8, status: 'auto-draft' },
        { id: 9, type: 'nav_menu_item' },
        { id: 10, type: 'portfolio' },
      ]
      const records = await read(items)
      const attributesOf = (id: number) => objectOf(records, `post ${id}`).attributes
      expect(attributesOf(1)).to.include({ state: 'published', issued: '2020-01-01T10:00:00Z' })
      expect(attributesOf(2)).to.include({ state: 'published', issued: '2120-01-01T10:00:00Z' })
      expect(attributesOf(3)).to.include({ state: 'draft', created: '2020-01-01T11:00:00' })
      for (const id of [4, 5, 6]) {
        expect(attributesOf(id)).to.include({ state: 'draft' }).and.not.have.property('issued')
        expect(recordOf(records, `post ${id}`).notes.map(({ kind }) => kind)).to.include('state')
      }
      for (const source of ['post 7', 'post', 'nav_menu_item', 'portfolio'])
        expect(recordOf(records, source).object, source).to.equal(null)
      expect(JSON.stringify(records)).to.not.include('secret-word')
      const taken = await readText(wxrText(items), { types: ['portfolio'] })
      expect(objectOf(taken, 'portfolio 10').attributes['title']).to.equal('Title 10')
    })
  })

  describe('media', () => {
    const fileOf = (records: readonly ImportRecord[], id: number) => objectOf(records, `attachment ${id}`)

    it('are files: in any size, from any host, of shortcodes and blocks, with captions', async () => {
      const address = 'https://i0.wp.com/example.org/wp-content/uploads/2020/01/pier-1024x768.jpg?ssl=1'
      const records = await read([
        picture(9, 'pier'),
        picture(10, 'gull'),
        {
          id: 1,
          content: `[caption id="attachment_9" width="300"]<a href="/x"><img src="${address}"></a> On the <em>pier</em>[/caption]

[gallery columns="2" ids="9,10"]`,
        },
        {
          id: 2,
          content: `<!-- wp:gallery {"linkTo":"none"} --><figure class="wp-block-gallery"><!-- wp:image {"id":10} -->
<figure><img src="http://www.example.org/wp-content/uploads/2020/01/gull-scaled.jpg"/></figure><!-- /wp:image --></figure><!-- /wp:gallery -->
<p>Other <img src="https://example.com/wp-content/uploads/far.jpg"> <img class="emoji" alt="🙂" src="https://s.w.org/x.png"></p>`,
        },
        { id: 3, content: '<img src="/wp-content/uploads/2020/02/loose-150x150.jpg" alt="Loose">' },
      ])
      const [pier, gull] = [fileOf(records, 9), fileOf(records, 10)]
      expect(pier.attributes).to.include({
        title: 'Alt of pier',
        filename: 'pier.jpg',
        description: 'Caption of pier',
      })
      expect(pier.upload?.address).to.equal('https://example.org/wp-content/uploads/2020/01/pier.jpg')
      const slotsOf = (source: string) => objectOf(records, source).slots.map(({ media }) => media)
      expect(slotsOf('post 1')).to.deep.equal([
        [{ type: 'file', image_uuid: pier.id, content: 'On the <em>pier</em>' }],
        [
          { type: 'file', image_uuid: pier.id, content: 'Caption of pier' },
          { type: 'file', image_uuid: gull.id, content: 'Caption of gull' },
        ],
      ])
      expect(slotsOf('post 2')).to.deep.equal([[{ type: 'file', image_uuid: gull.id }]])
      const body = String(objectOf(records, 'post 2').attributes['content'])
      expect(body).to.include('https://example.com/wp-content/uploads/far.jpg').and.include('🙂')
      const loose = objectsOf(records, 'files').find(({ id }) => id !== pier.id && id !== gull.id)
      expect(loose?.attributes['title']).to.equal('Loose')
      expect(slotsOf('post 3')).to.deep.equal([[{ type: 'file', image_uuid: loose?.id }]])
      expect(recordOf(records, 'post 1').notes.map(({ kind }) => kind)).to.include('link')
    })

    it('of hosts of videos are external, and addresses of other pages are links', async () => {
      const records = await read([
        {
          id: 1,
          content:
            'One\n\nhttps://youtu.be/x\n\n[embed]https://vimeo.com/7[/embed]\n\nhttps://example.com/note/',
        },
        {
          id: 2,
          content:
            '<!-- wp:embed --><figure><div class="wp-block-embed__wrapper">\nhttps://youtu.be/y\n</div><figcaption>Why</figcaption></figure><!-- /wp:embed -->',
        },
      ])
      const mediaOf = (source: string) => objectOf(records, source).slots.flatMap(({ media }) => media)
      expect(mediaOf('post 1')).to.deep.equal([
        { type: 'external', url_type: 'video_host_1', url: 'https://youtu.be/x' },
        { type: 'external', url_type: 'video_host_2', url: 'https://vimeo.com/7' },
      ])
      expect(mediaOf('post 2')).to.deep.equal([
        { type: 'external', url_type: 'video_host_1', url: 'https://youtu.be/y', content: 'Why' },
      ])
      const body = objectOf(records, 'post 1').attributes['content']
      expect(body).to.include('<a href="https://example.com/note/">https://example.com/note/</a>')
    })

    it('of the post without ids are those that were uploaded for it', async () => {
      const records = await read([
        { ...picture(9, 'pier'), parent: 1 },
        {
          id: 8,
          type: 'attachment',
          status: 'inherit',
          parent: 1,
          attachment: 'https://example.org/wp-content/uploads/horn.mp3',
        },
        { id: 1, content: '[gallery][audio][audio src="https://example.com/bell.ogg"]' },
      ])
      expect(objectOf(records, 'post 1').slots.flatMap(({ media }) => media)).to.deep.equal([
        { type: 'file', image_uuid: fileOf(records, 9).id, content: 'Caption of pier' },
        { type: 'file', file_uuid: fileOf(records, 8).id },
        { type: 'external', url_type: 'audio', urls: [{ url: 'https://example.com/bell.ogg' }] },
      ])
    })
  })

  describe('texts', () => {
    const bodyOf = async (content: string, more: Partial<TestItem> = {}) => {
      const records = await read([{ id: 1, content, ...more }])
      const { notes } = recordOf(records, 'post 1')
      return { body: String(objectOf(records, 'post 1').attributes['content']), notes }
    }

    it('without blocks have paragraphs at empty lines', async () => {
      expect((await bodyOf('One\ntwo\n\nthree')).body).to.equal('<p>One<br/>two</p>\n<p>three</p>')
    })

    it('have what shortcodes of plug-ins contain, and shortcodes of others as they are', async () => {
      const { body, notes } = await bodyOf(
        '[vc_row el="x"]One[/vc_row] [[gallery]] [sic] [myplugin id="7"] [contact-form-7 id="1"]',
      )
      expect(body).to.equal('<p>One [gallery] [sic] [myplugin id=&quot;7&quot;]</p>')
      expect(notes.filter(({ kind }) => kind === 'shortcode').length).to.equal(2)
    })

    it('have footnotes, and blocks that several posts show', async () => {
      const { body } = await bodyOf(
        '<!-- wp:paragraph --><p>A<sup><a id="n1-link" href="#n1">1</a></sup></p><!-- /wp:paragraph --><!-- wp:footnotes /-->',
        {
          meta: { footnotes: JSON.stringify([{ id: 'n1', content: 'The note' }]) },
        },
      )
      expect(body).to.include('<li id="n1">The note')
      const records = await read([
        { id: 4, type: 'wp_block', content: '<p>Shared</p><!-- wp:block {"ref":4} /-->' },
        { id: 1, content: '<!-- wp:block {"ref":4} /-->' },
      ])
      expect(objectOf(records, 'post 1').attributes['content']).to.include('<p>Shared</p>')
    })

    it('have a title of the text, if they have none', async () => {
      const records = await read([
        { id: 1, title: '', content: '<p>The boat is late.</p>' },
        { id: 2, title: 'A &amp; <em>B</em>' },
      ])
      expect(objectOf(records, 'post 1').attributes['title']).to.equal('The boat is late.')
      expect(objectOf(records, 'post 2').attributes['title']).to.equal('A & B')
    })

    it('have fields of plug-ins for search engines', async () => {
      const meta = {
        _yoast_wpseo_title: '%%title%% %%sep%% %%sitename%%',
        rank_math_description: '%title% by %customfield(x)%',
        _yoast_wpseo_canonical: 'https://example.com/original/',
      }
      const records = await read([{ id: 1, title: 'Fog', meta }])
      const { attributes } = objectOf(records, 'post 1')
      expect(attributes).to.include({
        meta_title: 'Fog – The Harbour',
        canonical_url: 'https://example.com/original/',
      })
      expect(attributes).to.not.have.property('meta_description')
      expect(recordOf(records, 'post 1').notes.map(({ kind }) => kind)).to.include('search engines')
    })

    it('keep their words, whatever they contain', async () => {
      const piece = fc.constantFrom(
        'word',
        'käse',
        '<p>',
        '</p>',
        '<!--',
        '-->',
        '[',
        ']',
        '[gallery',
        '[caption]',
        '[/caption]',
        '[vc_row a="',
        '"',
        '\n\n',
        '<!-- wp:x -->',
        '&amp;',
        '<b>',
        ']]>',
        '<pre>',
        'https://youtu.be/x',
      )
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.nat(), async (pieces, number) => {
          const { body } = await bodyOf(`<p>first${number}</p>\n${pieces.join(' ')}`)
          expect(E.isRight(checkMarkup(body, { slots: true }))).to.equal(true)
          expect(wordsOf(body)[0]).to.equal(`first${number}`)
        }),
        { numRuns: 60 },
      )
      const word = fc.stringMatching(/^[\p{L}\p{N}.,;!?'-]{1,12}$/u)
      await fc.assert(
        fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 20 }), async (words) => {
          const { body } = await bodyOf(`<p>${words.join(' ')}</p>`)
          expect(wordsOf(body)).to.deep.equal(words)
        }),
        { numRuns: 60 },
      )
    })
  })

  describe('comments', () => {
    it('have their threads and states, without spam and links from elsewhere', async () => {
      const records = await read([
        {
          id: 1,
          comments: [
            { id: 4, parent: 3 },
            { id: 3, parent: 2, approved: 'spam' },
            { id: 2, approved: '0', text: 'One <a href="https://example.com/">two</a>\nthree' },
            { id: 5, type: 'pingback' },
          ],
        },
      ])
      const [first, second, ...others] = objectsOf(records, 'comments')
      expect(others).to.deep.equal([])
      expect(first?.attributes).to.include({
        parent_type: 'content',
        state: 'draft',
        comment: 'One two\nthree',
      })
      expect(second?.attributes).to.include({
        parent_type: 'comment',
        parent_uuid: first?.id,
        state: 'published',
      })
      expect(JSON.stringify(records)).to.not.include('192.0.2.7')
    })

    it('are at most as deep as comments can be, also in long threads and those that return to themselves', async () => {
      const comments = Array.from({ length: 3000 }, (_, index) => ({ id: index + 1, parent: index }))
      const records = await read([{ id: 1, comments }])
      const depths = new Map<unknown, number>()
      for (const { id, attributes } of objectsOf(records, 'comments')) {
        const parent = attributes['parent_uuid']
        expect(attributes['parent_type'] === 'content' || depths.has(parent)).to.equal(true)
        depths.set(id, (depths.get(parent) ?? 0) + 1)
      }
      expect(depths.size).to.equal(3000)
      expect(Math.max(...depths.values())).to.equal(32)
      const ring = await read([
        {
          id: 1,
          comments: [
            { id: 1, parent: 2 },
            { id: 2, parent: 1 },
          ],
        },
      ])
      expect(objectsOf(ring, 'comments').length).to.equal(2)
    })
  })

  describe('authors', () => {
    it('are persons, those of Co-Authors Plus too, without their addresses', async () => {
      const guest = {
        id: 7,
        type: 'guest-author',
        meta: { 'cap-user_login': 'olaf', 'cap-display_name': 'Olaf' },
      }
      const records = await read([guest, { id: 1, terms: ['author cap-olaf olaf', 'author cap-ida ida'] }])
      const persons = objectsOf(records, 'tags')
      expect(persons.map(({ attributes }) => attributes)).to.deep.equal([
        { type: 'person', first_name: 'Ida', last_name_or_title: 'Holm', urlname: 'ida-holm' },
        { type: 'person', last_name_or_title: 'Olaf', urlname: 'olaf' },
      ])
      expect(objectOf(records, 'post 1').tags.length).to.equal(2)
    })
  })

  describe('a file', () => {
    it('may have control characters and names of characters that XML does not have', async () => {
      const text = wxrText([{ id: 1, content: 'One\u0008 \u0000two' }]).replace(
        'The Harbour',
        'The&nbsp;Harbour',
      )
      const records = await readText(text)
      expect(objectOf(records, 'post 1').attributes['content']).to.equal('<p>One two</p>')
      expect(records[0]?.notes.map(({ kind }) => kind)).to.deep.equal(['character', 'character'])
    })

    it('is refused with the place, if it is cut off, damaged or another one', async () => {
      const text = wxrText([{ id: 1, content: 'One' }])
      const cut = await refusal(text.slice(0, text.indexOf('<wp:post_id>') + 5))
      expect(cut.place?.line).to.be.greaterThan(5)
      expect((await refusal(text.replace('</title>', '</titel>'))).place?.line).to.equal(5)
      expect((await refusal('<html></html>')).place).to.not.equal(null)
      await refusal('')
      await refusal('{"db": []}')
      await refusal(text.replace(/<link>.*?<\/link>/g, ''))
    })

    it('is refused, if it declares entities or has too many elements within each other', async () => {
      const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
      await refusal(wxrText([{ id: 1 }]).replace('<rss', `${bomb}<rss`))
      const deep = `<a>`.repeat(100_000)
      await refusal(`<rss><channel>${deep}`)
    })

    it('may have everything that an attacker repeats, in a short time', async () => {
      const start = Date.now()
      for (const repeated of [
        '[caption]',
        '<!-- wp:a {',
        '<a href="',
        '[a b="',
        '<img ',
        '[x]',
        '[[',
        '&lt;',
        '<!--',
      ])
        await read([{ id: 1, content: repeated.repeat(20_000) }])
      expect(Date.now() - start).to.be.lessThan(60_000)
    }).timeout(120_000)
  })
})
