/** docs/behaviour/body.md: what is stored unchanged, and what is rejected with its line and column. */
import { expect } from 'chai'
import fc from 'fast-check'
import { after, before, describe, it } from 'mocha'
import { bodySchema } from '@publishing-service/domain/markup'
import { legalMarkup } from '@publishing-service/domain/testing/arbitraries'
import { expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const id = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const slot = `<slot id="${id}"/>`

const accepted: readonly string[] = [
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
  'bare text',
  'bare text, <b>bold</b><br/>and a <p>block</p>',
  '<h1>a</h1><h2>b</h2><h3>c</h3><h5>d</h5><h6>e</h6>',
  '<div><section><article><aside>a<p>b</p></aside></article></section></div>',
  '<header><p>a</p></header><footer>b<ul><li>c</li></ul></footer>',
  '<blockquote>a<div>b</div><cite>c</cite></blockquote>',
  '<ul><li>a<p>b</p><ol><li>c</li></ol></li></ul>',
  '<dl><dt>a</dt><dd>b<p>c</p></dd></dl>',
  '<figure><img src="/a.png" alt="x" width="10" height="20" loading="lazy" srcset="/a.png 1x, /b.png 2x" sizes="50vw"/><figcaption>a</figcaption></figure>',
  '<table><caption>a</caption><thead><tr><th scope="col" colspan="2">b</th></tr></thead><tbody><tr><td rowspan="2" headers="x">c<p>d</p></td></tr></tbody><tfoot><tr><td/></tr></tfoot></table>',
  '<details open="open"><summary>a</summary><p>b</p></details>',
  '<address>a<br/>b</address>',
  '<p><abbr>a</abbr><b>b</b><bdi>c</bdi><bdo dir="rtl">d</bdo><code>e</code><data value="1">f</data><del cite="/x" datetime="2024-01-01">g</del><dfn>h</dfn><i>i</i><ins>j</ins><kbd>k</kbd><samp>l</samp><span>m</span><time datetime="2024">n</time><var>o</var></p>',
  '<p class="a b" id="c" lang="de" dir="ltr" title="d" data-e="f" data-g-h="{&quot;i&quot;:1}">x</p>',
  '<p><a href="#x" rel="nofollow" target="_blank" hreflang="de" download="x.pdf">x</a></p>',
  '<ol start="5" reversed="reversed" type="a"><li value="7">x</li></ol>',
  '<blockquote cite="https://example.org/">x</blockquote><p><q cite="/x">y</q></p>',
  '<p>a<!-- b & <c> -->d</p><!----><table><!-- e --><tr/></table>',
  `<p>${slot}</p>`,
  `<div><p> ${slot}\n</p><blockquote><slot id="00000000-0000-4000-8000-00000000000a"/></blockquote></div>`,
  `<slot class="x" relevance="aside" id="${id}" title="y"/>`,
]

/** A body, and the line and column of its fault. */
const rejected: readonly (readonly [body: string, line: number, column: number, found: RegExp])[] = [
  ['<ul>\n  text</ul>', 2, 3, /text/],
  ['<p>x<main/></p>', 1, 5, /<main/],
  ['<p>a&nosuch;b</p>', 1, 5, /&nosuch;/],
  ['<p>a & b</p>', 1, 6, /&/],
  ['<p>x</p>\r\n<!--> c -->', 2, 1, /<!--/],
  ['<p>x<!-- c -- d --></p>', 1, 12, /--/],
  ['<!--[if IE]><p>x</p><![endif]-->', 1, 1, /conditional comment/],
  ['<?pi?>', 1, 1, /<\?/],
  ['<p><![CDATA[x]]></p>', 1, 4, /CDATA/],
  ['<!DOCTYPE p><p/>', 1, 1, /DOCTYPE/i],
  ['<p>x', 1, 5, /end/],
  ['<p>x</h4>', 1, 5, /<\/h4>/],
  ['<P>x</P>', 1, 1, /<P>/],
  ['<font>x</font>', 1, 1, /<font>/],
  ['<script>x</script>', 1, 1, /<script> \(a script/],
  ['<p><style>x</style></p>', 1, 4, /<style> \(a style sheet/],
  ['<div><iframe src="/"/></div>', 1, 6, /<iframe> \(another document/],
  ['<object/>', 1, 1, /<object> \(another document/],
  ['<embed/>', 1, 1, /<embed> \(another document/],
  ['<form/>', 1, 1, /<form> \(a form/],
  ['<p><input/></p>', 1, 4, /<input> \(a form control/],
  ['<link/>', 1, 1, /<link> \(a style sheet/],
  ['<meta/>', 1, 1, /<meta> \(an instruction/],
  ['<svg/>', 1, 1, /<svg> \(.*scripts/],
  ['<math/>', 1, 1, /<math> \(.*scripts/],
  ['<p><p>x</p></p>', 1, 4, /<p>/],
  ['<p><div>x</div></p>', 1, 4, /<div>/],
  ['<b><p>x</p></b>', 1, 4, /<p>/],
  ['<a href="/x"><b><a href="/y">z</a></b></a>', 1, 17, /<a>/],
  ['<header><div><footer/></div></header>', 1, 14, /<footer>/],
  ['<ul>x</ul>', 1, 5, /x|text/],
  ['<ul><p>x</p></ul>', 1, 5, /<p>/],
  ['<li>x</li>', 1, 1, /<li>/],
  ['<table>x</table>', 1, 8, /x|text/],
  ['<table><tr><p/></tr></table>', 1, 12, /<p>/],
  ['<hr>x</hr>', 1, 5, /x|text/],
  [`<p>x${slot}</p>`, 1, 5, /<slot/],
  [`<p>${slot}x</p>`, 1, 53, /text/],
  [`<h1>${slot}</h1>`, 1, 5, /<slot/],
  [`<slot id="${id}" onclick="x"/>`, 1, 49, /onclick \(an event handler/],
  [`<slot id="${id}" style="x"/>`, 1, 49, /style \(an inline style/],
  [`<slot id="${id}" x="javascript:x"/>`, 1, 52, /a script in an address/],
  ['<p onclick="x">x</p>', 1, 4, /onclick \(an event handler.* of <p>/],
  ['<p style="x">x</p>', 1, 4, /style \(an inline style.* of <p>/],
  ['<p align="left">x</p>', 1, 4, /align of <p>/],
  ['<img src="/x" loading="never"/>', 1, 24, /loading="never"/],
  ['<img src="/x" srcset="/y 2x, data:image/png,x 3x"/>', 1, 23, /srcset/],
  ['<img src="data:image/png,x"/>', 1, 11, /a document in an address/],
  ['<q cite="javascript:x"/>', 1, 10, /a script in an address/],
  ['<p>x</p>\n<p>😀<a>x</a></p>', 2, 5, /<a>/],
  ['<p><a href="javascript:alert(1)">x</a></p>', 1, 13, /javascript/],
  ['<p><a href="JAVASCRIPT:alert(1)">x</a></p>', 1, 13, /javascript/i],
  ['<p><a href="&#106;avascript:alert(1)">x</a></p>', 1, 13, /javascript/],
  ['<p><a href="data:text/html,x">x</a></p>', 1, 13, /data/],
  ['<p><a href="ftp://example.org">x</a></p>', 1, 13, /ftp/],
]

describe('the body', () => {
  let service: TestService
  let home: Publication
  let story: string
  before(async () => {
    service = await startTestService()
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

  for (const text of accepted)
    it(`accepts and returns unchanged ${JSON.stringify(text).slice(0, 70)}`, async () => {
      expectOk(await home.editor.patch(`/content/${story}`, { content: text }))
      expect(await body()).to.equal(text)
    })

  // docs/behaviour/body.md#verbatim
  it('accepts and returns unchanged whatever its schema allows', async () => {
    await fc.assert(
      fc.asyncProperty(legalMarkup(bodySchema), async (text) => {
        expectOk(await home.editor.patch(`/content/${story}`, { content: text }))
        expect(await body()).to.equal(text)
      }),
      { numRuns: 100 },
    )
  })

  for (const [text, line, column, found] of rejected)
    // docs/behaviour/body.md#well-formed
    // docs/behaviour/body.md#forbidden, docs/behaviour/body.md#addresses-in-markup
    it(`rejects ${JSON.stringify(text).slice(0, 60)} at line ${line}, column ${column}`, async () => {
      const before_ = await body()
      const message =
        expectFaults(await home.editor.patch(`/content/${story}`, { content: text }), 'content')['content'] ??
        ''
      expect(message)
        .to.match(new RegExp(`line ${line}, column ${column}\\b`))
        .and.match(found)
      expect(await body()).to.equal(before_)
    })

  // docs/behaviour/body.md#messages
  it('states what is allowed at the place of a fault', async () => {
    const messageOf = async (text: string) =>
      expectFaults(await home.editor.patch(`/content/${story}`, { content: text }), 'content')['content']
    expect(await messageOf('<main/>')).to.match(
      /allowed here: text, inline elements \(a abbr b .*wbr\), block elements \(p h1 .*slot\)$/,
    )
    expect(await messageOf('<ul><b/></ul>')).to.match(/allowed here: <li>, <\/ul>$/)
    expect(await messageOf('<p align="x"/>')).to.match(
      /allowed here: class, id, .*data-\*, the end of the tag$/,
    )
  })

  // docs/behaviour/body.md#messages
  it('names all faults of a text, each on a line, up to twenty', async () => {
    const linesOf = async (content: string) => {
      const info = expectFaults(await home.editor.patch(`/content/${story}`, { content }), 'content')
      return (info['content'] ?? '').split('\n').map((line) => line.replace(/, allowed here.*/, ''))
    }
    expect(await linesOf('<p>x<br>y&nosuch;</p>\n<center>z</center>\n<script>a && b</script>')).to.deep.equal(
      [
        'line 1, column 9: found the text "y"',
        'line 1, column 10: found &nosuch;',
        'line 2, column 1: found <center>',
        'line 3, column 1: found <script> (a script: never accepted)',
      ],
    )
    const many = await linesOf('<main/>'.repeat(21))
    expect(many).to.have.lengthOf(21)
    expect(many.at(-1)).to.equal('There are more faults.')
  })

  // docs/behaviour/body.md#slot-tags
  it('requires a UUID as the id of a slot, each once per body', async () => {
    for (const text of [
      '<slot/>',
      '<slot id=""/>',
      '<slot id="x"/>',
      `<slot class="x"/>`,
      `<slot ID="${id}"/>`,
      `<slot id="${id}">x</slot>`,
      `${slot}${slot}`,
      `${slot}<slot id="${id.toUpperCase()}"/>`,
    ])
      expectFaults(await home.editor.patch(`/content/${story}`, { content: text }), 'content')
  })

  it('places a slot where its tag is, not by a comment', async () => {
    const [b, c] = ['00000000-0000-4000-8000-00000000000b', '00000000-0000-4000-8000-00000000000c']
    const text = `<!-- <slot id="${c}"/> --><div><p>${slot}</p></div><ul><li><slot class="x" id="${b}"/></li></ul>`
    expectOk(await home.editor.patch(`/content/${story}`, { content: text }))
    const slots = objectsOf(await home.reader.get(`/content/${story}/slots`))
    expect(slots.map(({ uuid }) => uuid)).to.deep.equal([id, b])
    expectFaults(await home.editor.put(`/content/${story}/slots/${c}`, {}), 'slot_uuid')
  })

  // docs/behaviour/body.md#where
  it('validates media content and roundup texts by the same schema without slot', async () => {
    const medium = { type: 'embed', embed_code: 'x' }
    expectOk(
      await home.editor.put(`/content/${story}/media`, {
        items: [
          { ...medium, content: '<p>Caption, <em>credited</em></p><table><tr><td>x</td></tr></table>' },
        ],
      }),
    )
    const info = expectFaults(
      await home.editor.post(`/content/${story}/media`, { ...medium, content: slot }),
      'content',
    )
    expect(info['content']).to.match(/line 1, column 1/)
  })
})
