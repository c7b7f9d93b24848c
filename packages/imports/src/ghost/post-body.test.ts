import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { derivedUuid } from '../derived-uuid.js'
import { lexicalOf, mobiledocOf, postOf, site } from './post-export.test-data.js'

const picture = '__GHOST_URL__/content/images/2024/01/tram.jpg'
const sound = '__GHOST_URL__/content/media/2024/01/bell.mp3'
const fileUuid = (path: string): string => derivedUuid(site, 'file', `${site}${path}`)
const pictureUuid = fileUuid('/content/images/2024/01/tram.jpg')

type Expected = {
  readonly card: string
  readonly fields: JsonObject
  /** The body, with `<slot/>` for a slot. */
  readonly body: string
  readonly media?: readonly JsonObject[]
  /** Whether a note names the card. */
  readonly isNoted?: true
}

/** Each card with the body that is made of it. */
const cards: readonly Expected[] = [
  {
    card: 'image',
    fields: { src: picture, alt: 'A tram', caption: 'On <b>its</b> way', width: 40, height: 30 },
    body: '<slot/>',
    media: [{ type: 'file', image_uuid: pictureUuid, content: 'On <b>its</b> way' }],
  },
  {
    card: 'image',
    fields: { src: 'https://pictures.example.com/a.jpg', href: 'https://example.com/shop' },
    body: '<figure><img src="https://pictures.example.com/a.jpg" alt=""/></figure>',
    isNoted: true,
  },
  {
    card: 'gallery',
    fields: { images: [{ src: picture }, { src: `${picture}?v=2`, alt: 'Two' }], caption: 'Both' },
    body: '<slot/>',
    media: [
      { type: 'file', image_uuid: pictureUuid, content: 'Both' },
      { type: 'file', image_uuid: fileUuid('/content/images/2024/01/tram.jpg?v=2') },
    ],
  },
  {
    card: 'before-after',
    fields: { beforeImage: { src: picture }, afterImage: { src: picture }, caption: 'Then and now' },
    body: '<slot/>',
    media: [
      { type: 'file', image_uuid: pictureUuid, content: 'Then and now' },
      { type: 'file', image_uuid: pictureUuid },
    ],
  },
  {
    card: 'bookmark',
    fields: {
      url: 'https://example.com/page',
      metadata: { title: 'Trams & <cats>', description: 'About both', publisher: 'A paper', author: 'Ann' },
      caption: 'Read <i>this</i>',
    },
    body:
      '<p><a href="https://example.com/page">Trams &amp; &lt;cats&gt;</a><br/>About both<br/>A paper • Ann</p>\n' +
      '<p>Read <i>this</i></p>',
  },
  {
    card: 'embed',
    fields: {
      url: 'https://youtu.be/x',
      html: '<iframe src="https://www.youtube.com/embed/x"></iframe>',
      caption: 'The launch',
    },
    body: '<slot/>',
    media: [
      {
        type: 'external',
        url_type: 'video_host_1',
        url: 'https://www.youtube.com/embed/x',
        content: 'The launch',
      },
    ],
  },
  {
    card: 'embed',
    fields: { url: 'https://example.com/x', html: '', metadata: { title: 'A page' } },
    body: '<p><a href="https://example.com/x">A page</a></p>',
  },
  {
    card: 'embed',
    fields: {
      type: 'nft',
      embedType: 'nft',
      url: 'https://example.com/n',
      metadata: { title: 'A cat', author_name: 'Ann', description: 'Drawn' },
    },
    body: '<p><a href="https://example.com/n">A cat</a><br/>Created by Ann<br/>Drawn</p>',
  },
  { card: 'html', fields: { html: '<center>Text<script>x()</script></center>' }, body: '<p>Text</p>' },
  {
    card: 'markdown',
    fields: { markdown: 'A *b*\nc ==d==[^1]\n\n[^1]: e' },
    body:
      '<p>A <em>b</em><br/>c <mark>d</mark><sup><a href="#fn1" id="fnref1">[1]</a></sup></p>\n<hr/>\n' +
      '<ol><li id="fn1">e <a href="#fnref1">↩︎</a></li></ol>',
  },
  {
    card: 'code',
    fields: { code: '  if (a < b)\n', caption: 'Compare' },
    body: '<figure><pre><code>  if (a &lt; b)\n</code></pre><figcaption>Compare</figcaption></figure>',
  },
  {
    card: 'callout',
    fields: { calloutEmoji: '💡', calloutText: 'An <b>idea</b>' },
    body: '<aside><p>💡 An <b>idea</b></p></aside>',
  },
  {
    card: 'toggle',
    fields: { heading: 'Why', content: '<p>Because</p>' },
    body: '<details><summary>Why</summary><p>Because</p></details>',
  },
  {
    card: 'button',
    fields: { buttonText: 'Go', buttonUrl: '__GHOST_URL__/b/' },
    body: `<p><a href="${site}/b/">Go</a></p>`,
  },
  {
    card: 'product',
    fields: {
      productTitle: 'Heron',
      productDescription: '<p>A kettle</p>',
      productRatingEnabled: true,
      productStarRating: 4,
      productButtonEnabled: true,
      productButton: 'Buy',
      productUrl: 'https://shop.example.com/',
    },
    body: '<h4>Heron</h4>\n<p>★★★★☆</p>\n<p>A kettle</p>\n<p><a href="https://shop.example.com/">Buy</a></p>',
  },
  {
    card: 'header',
    fields: { header: 'Hello', subheader: 'You', buttonEnabled: false, buttonText: 'No' },
    body: '<h2>Hello</h2>\n<p>You</p>',
  },
  {
    card: 'audio',
    fields: { src: sound, title: 'The bell', duration: 9 },
    body: '<slot/>',
    media: [{ type: 'file', file_uuid: fileUuid('/content/media/2024/01/bell.mp3'), content: 'The bell' }],
  },
  {
    card: 'video',
    fields: { src: '__GHOST_URL__/content/media/2024/01/tram.mp4', caption: 'Moving' },
    body: '<slot/>',
    media: [
      {
        type: 'external',
        url_type: 'video',
        urls: [{ url: `${site}/content/media/2024/01/tram.mp4` }],
        content: 'Moving',
      },
    ],
  },
  {
    card: 'file',
    fields: {
      src: '__GHOST_URL__/content/files/2024/01/a.pdf',
      fileTitle: 'Plan',
      fileCaption: 'Of lines',
      fileName: 'a.pdf',
    },
    body: `<p><a href="${site}/content/files/2024/01/a.pdf">Plan</a><br/>Of lines<br/>a.pdf</p>`,
  },
  {
    card: 'signup',
    fields: { header: 'Join', disclaimer: 'Free' },
    body: '<h2>Join</h2>\n<p>Free</p>',
    isNoted: true,
  },
  {
    card: 'call-to-action',
    fields: {
      textValue: '<p>Come</p>',
      showButton: true,
      buttonText: 'Now',
      buttonUrl: 'https://example.com/',
    },
    body: '<p>Come</p>\n<p><a href="https://example.com/">Now</a></p>',
  },
  { card: 'email', fields: { html: '<p>Dear reader</p>' }, body: '', isNoted: true },
  { card: 'email-cta', fields: { html: '<p>Pay</p>' }, body: '', isNoted: true },
  { card: 'paywall', fields: {}, body: '', isNoted: true },
  { card: 'transistor', fields: {}, body: '', isNoted: true },
  { card: 'hr', fields: {}, body: '<hr/>' },
]

/** Names of nodes of Lexical that Mobiledoc has another name for. */
const nodeNames: Readonly<Record<string, string>> = { code: 'codeblock', hr: 'horizontalrule' }

const paragraph = (...children: readonly JsonObject[]): JsonObject => ({ type: 'paragraph', children })
const text = (content: string, format = 0): JsonObject => ({ type: 'extended-text', text: content, format })

const bodyIn = async (post: JsonObject) => {
  const { object, notes } = await postOf(post)
  const body = String(object?.attributes['content'] ?? '')
  return {
    body: body.replaceAll(/<slot id="[^"]*"\/>/g, '<slot/>'),
    media: object?.slots.flatMap((slot) => slot.media) ?? [],
    notes,
    state: object?.attributes['state'],
  }
}

describe('the body of a post of Ghost', () => {
  for (const [index, { card, fields, body, media = [], isNoted = false }] of cards.entries())
    it(`has the card ${card} (${index})`, async () => {
      const forms = [
        { lexical: lexicalOf([{ ...fields, type: nodeNames[card] ?? card, version: 1 }]) },
        { mobiledoc: mobiledocOf({ cards: [[card, fields]], sections: [[10, 0]] }) },
      ]
      for (const form of forms) {
        const found = await bodyIn({ ...form, html: '<p>Not this</p>' })
        expect(found.body).to.equal(body)
        expect(found.media).to.deep.equal(media)
        expect(found.notes.some((note) => note.kind === 'card')).to.equal(isNoted)
      }
    })

  it('has the text of Lexical', async () => {
    const item = (...children: readonly JsonObject[]): JsonObject => ({ type: 'listitem', children })
    const { body, notes } = await bodyIn({
      lexical: lexicalOf([
        { type: 'extended-heading', tag: 'h2', children: [text('Trams, again')] },
        { type: 'heading', tag: 'h2', children: [text('Trams again')] },
        paragraph(
          text('a '),
          text('b', 1),
          text('c', 3),
          { type: 'linebreak' },
          { type: 'link', url: '#trams-again', children: [text('d<')] },
          text('e', 16),
        ),
        {
          type: 'list',
          listType: 'number',
          start: 3,
          children: [
            item(text('one')),
            item({ type: 'list', listType: 'bullet', children: [item(text('within'))] }),
            item(text('two')),
          ],
        },
        { type: 'aside', children: [text('said')] },
        paragraph(),
      ]),
    })
    expect(body).to.equal(
      '<h2 id="trams-again">Trams, again</h2>\n<h2 id="trams-again-1">Trams again</h2>\n' +
        '<p>a <strong>b<em>c</em></strong><br/><a href="#trams-again">d&lt;</a><code>e</code></p>\n' +
        '<ol start="3"><li>one<ul><li>within</li></ul></li><li>two</li></ol>\n' +
        '<blockquote><p>said</p></blockquote>',
    )
    expect(notes).to.deep.equal([])
  })

  it('has the text of Mobiledoc', async () => {
    const { body, notes } = await bodyIn({
      mobiledoc: mobiledocOf({
        atoms: [['soft-return', '', {}]],
        markups: [['strong'], ['em'], ['a', ['href', '/b/', 'rel', 'x']]],
        sections: [
          [1, 'h3', [[0, [], 0, 'Trams']]],
          [
            1,
            'p',
            [
              [0, [0], 0, 'a'],
              [0, [1], 2, 'b'],
              [1, [], 0, 0],
              [0, [2], 1, 'c & d'],
            ],
          ],
          [3, 'ul', [[[0, [], 0, 'one']], [[0, [0], 0, 'two']]]],
          [1, 'blockquote', [[0, [], 0, 'said']]],
          [2, 'https://pictures.example.com/a.jpg'],
        ],
      }),
    })
    expect(body).to.equal(
      '<h3 id="trams">Trams</h3>\n' +
        `<p><strong>a<em>b</em></strong><br/><a href="${site}/b/">c &amp; d</a></p>\n` +
        '<ul><li>one</li><li><strong>two</strong></li></ul>\n<blockquote><p>said</p></blockquote>\n' +
        '<figure><img src="https://pictures.example.com/a.jpg" alt=""/></figure>',
    )
    expect(notes).to.deep.equal([])
  })

  it('is made of the HTML where a card is unknown, and else of its texts', async () => {
    const lexical = lexicalOf([
      paragraph(text('One')),
      { type: 'poll', question: 'Which of these?', colour: 'red' },
    ])
    const withHtml = await bodyIn({ lexical, html: '<p>One</p><div>Which of these?</div><p>This one</p>' })
    expect(withHtml.body).to.equal('<p>One</p>\n<p>Which of these?</p>\n<p>This one</p>')
    expect(withHtml.notes[0]?.text).to.include('poll')
    const without = await bodyIn({ lexical })
    expect(without.body).to.equal('<p>One</p>\n<p>Which of these?</p>')
    expect(without.notes[0]?.text).to.include('poll')
  })

  it('is made of the HTML, or of Markdown, where nothing else can be read', async () => {
    expect(
      (await bodyIn({ lexical: '{', mobiledoc: '{"version":"0.2.0"}', html: '<p>A</p>' })).body,
    ).to.equal('<p>A</p>')
    expect((await bodyIn({ markdown: '# A' })).body).to.equal('<h1>A</h1>')
  })

  it('leaves nothing open for what follows', async () => {
    const html = (source: string): JsonObject => ({ type: 'html', html: source })
    const { body } = await bodyIn({
      lexical: lexicalOf([html('<b>A<!--'), html('<textarea>'), html('<style>'), paragraph(text('B'))]),
    })
    expect(body).to.match(/<p>B<\/p>$/)
  })

  it('makes a draft of a post with parts for members', async () => {
    const card = { type: 'html', html: '<p>Only for you</p>' }
    const webOf = (nonMember: boolean, memberSegment: string): JsonObject => ({
      visibility: { web: { nonMember, memberSegment }, email: { memberSegment: '' } },
    })
    const published = { status: 'published' }
    const open = await bodyIn({
      ...published,
      lexical: lexicalOf([{ ...card, ...webOf(true, 'status:free') }]),
    })
    expect(open).to.include({ state: 'published', body: '<p>Only for you</p>' })
    const gated = await bodyIn({
      ...published,
      lexical: lexicalOf([{ ...card, ...webOf(false, 'status:free') }]),
    })
    expect(gated).to.include({ state: 'draft', body: '<p>Only for you</p>' })
    const ofMails = await bodyIn({ ...published, lexical: lexicalOf([{ ...card, ...webOf(false, '') }]) })
    expect(ofMails).to.include({ state: 'published', body: '' })
    const html = '<!--kg-gated-block:begin nonMember:false memberSegment:"status:free" --><p>A</p>'
    expect(await bodyIn({ ...published, html })).to.include({ state: 'draft', body: '<p>A</p>' })
  })
})
