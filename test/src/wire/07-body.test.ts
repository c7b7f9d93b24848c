/** §7 of the decisions, The body: what is taken to the letter, and what is refused with its line and column. */
import { expect } from 'chai'
import fc from 'fast-check'
import { after, before, describe, it } from 'mocha'
import { expectFaults, expectOk, uuidOf } from '../harness/expect-answer.js'
import { bodyMarkup } from '../harness/markup-arbitrary.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const id = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const slot = `<slot id="${id}"/>`

const taken: readonly string[] = [
  '',
  ' \n\t ',
  '<p>x</p>',
  '<p/>',
  '<p>x</p>\n\n<h4>y</h4> <hr/><pre>  z\n</pre>',
  '<blockquote><p>x</p><pre>y</pre><ul><li>z</li></ul><ol><li/></ol></blockquote>',
  '<ul><li>x</li> <li>y</li></ul><ol>\n<li>x</li>\n</ol>',
  '<p><u>a</u><strong>b</strong><em>c</em><sub>d</sub><sup>e</sup><cite>f</cite><mark>g</mark><s>h</s><small>i</small><q>j</q><wbr/></p>',
  '<p><strong><em><u>deep</u></em></strong></p>',
  '<h4><em>x</em></h4><pre><em>x</em></pre><ul><li><em>x</em></li></ul>',
  '<p><a href="https://example.org/?a=1&amp;b=2" title="T &quot;x&quot;">x</a></p>',
  '<p><a href="http://example.org">x</a><a href="mailto:a@example.org">x</a><a href="tel:+431">x</a><a href="/path">x</a></p>',
  '<p>&amp;&lt;&gt;&quot;&apos;&#160;&#xA0;&#x1F600; ü 😀</p>',
  `<p>x</p>${slot}<p>y</p><slot id="00000000-0000-4000-8000-00000000000a"></slot>`,
  `<slot id='${id}' />`,
  '<p\n>x</p\n>',
]

/** A body, and the line and column that its fault is told at. */
const refused: readonly (readonly [body: string, line: number, column: number, found: RegExp])[] = [
  ['x', 1, 1, /text|«x»|x/],
  ['<p>x</p>\n  text', 2, 3, /text/],
  ['<p>x<br/></p>', 1, 5, /<br/],
  ['<p>a&nbsp;b</p>', 1, 5, /&nbsp;/],
  ['<p>a & b</p>', 1, 6, /&/],
  ['<p>x</p>\r\n<!-- c -->', 2, 1, /<!--/],
  ['<?pi?>', 1, 1, /<\?/],
  ['<p><![CDATA[x]]></p>', 1, 4, /CDATA/],
  ['<!DOCTYPE p><p/>', 1, 1, /DOCTYPE/i],
  ['<p>x', 1, 5, /end/],
  ['<p>x</h4>', 1, 5, /<\/h4>/],
  ['<P>x</P>', 1, 1, /<P>/],
  ['<div>x</div>', 1, 1, /<div>/],
  ['<script>x</script>', 1, 1, /<script>/],
  ['<em>x</em>', 1, 1, /<em>/],
  ['<p><p>x</p></p>', 1, 4, /<p>/],
  ['<ul>x</ul>', 1, 5, /x|text/],
  ['<ul><p>x</p></ul>', 1, 5, /<p>/],
  ['<blockquote>x</blockquote>', 1, 13, /x|text/],
  ['<hr>x</hr>', 1, 5, /x|text/],
  [`<p>${slot}</p>`, 1, 4, /<slot/],
  ['<p onclick="x">x</p>', 1, 4, /onclick/],
  ['<p style="x">x</p>', 1, 4, /style/],
  ['<p>x</p>\n<p>😀<a>x</a></p>', 2, 5, /<a>/],
  ['<p><a href="javascript:alert(1)">x</a></p>', 1, 13, /javascript/],
  ['<p><a href="JAVASCRIPT:alert(1)">x</a></p>', 1, 13, /javascript/i],
  ['<p><a href="&#106;avascript:alert(1)">x</a></p>', 1, 13, /javascript/],
  ['<p><a href="data:text/html,x">x</a></p>', 1, 13, /data/],
  ['<p><a href="ftp://example.org">x</a></p>', 1, 13, /ftp/],
]

describe('§7 the body', () => {
  let service: TestService
  let home: Publication
  let story: string
  before(async () => {
    service = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
    home = await createPublication(service)
    story = uuidOf(
      await home.editor.post('/content', {
        content_type: 'article',
        title: 'x',
        urlname: 'x',
        content: '<p>before</p>',
      }),
    )
  })
  after(() => service.stop())

  const body = async (): Promise<unknown> =>
    expectOk(await home.editor.get(`/content/${story}`)).object['content']

  for (const text of taken)
    it(`takes and returns to the letter ${JSON.stringify(text).slice(0, 70)}`, async () => {
      expectOk(await home.editor.patch(`/content/${story}`, { content: text }))
      expect(await body()).to.equal(text)
    })

  it('takes and returns to the letter whatever its schema allows', async () => {
    await fc.assert(
      fc.asyncProperty(bodyMarkup, async (text) => {
        expectOk(await home.editor.patch(`/content/${story}`, { content: text }))
        expect(await body()).to.equal(text)
      }),
      { numRuns: 100 },
    )
  })

  for (const [text, line, column, found] of refused)
    it(`refuses ${JSON.stringify(text).slice(0, 60)} at line ${line}, column ${column}`, async () => {
      const before_ = await body()
      const message =
        expectFaults(await home.editor.patch(`/content/${story}`, { content: text }), 'content')['content'] ??
        ''
      expect(message)
        .to.match(new RegExp(`line ${line}, column ${column}\\b`))
        .and.match(found)
      expect(await body()).to.equal(before_)
    })

  it('says what is allowed at the place', async () => {
    const messageOf = async (text: string) =>
      expectFaults(await home.editor.patch(`/content/${story}`, { content: text }), 'content')['content']
    expect(await messageOf('<b/>')).to.match(
      /allowed here: <p>, <h4>, <hr>, <pre>, <blockquote>, <ul>, <ol>, <slot>/,
    )
    expect(await messageOf('<ul><b/></ul>')).to.match(/allowed here: <li>/)
  })

  it('a slot has exactly the attribute id, a UUID, each once per body', async () => {
    for (const text of [
      '<slot/>',
      '<slot id=""/>',
      '<slot id="x"/>',
      `<slot id="${id}" class="x"/>`,
      `<slot class="x" id="${id}"/>`,
      `<slot ID="${id}"/>`,
      `<slot id="${id}">x</slot>`,
      `${slot}${slot}`,
      `${slot}<slot id="${id.toUpperCase()}"/>`,
    ])
      expectFaults(await home.editor.patch(`/content/${story}`, { content: text }), 'content')
  })

  it('media content and roundup texts follow the same schema without slot', async () => {
    const medium = { type: 'embed', embed_code: 'x' }
    expectOk(
      await home.editor.put(`/content/${story}/media`, {
        items: [{ ...medium, content: '<p>Caption, <em>credited</em></p>' }],
      }),
    )
    const info = expectFaults(
      await home.editor.post(`/content/${story}/media`, { ...medium, content: slot }),
      'content',
    )
    expect(info['content']).to.match(/line 1, column 1/)
  })
})
