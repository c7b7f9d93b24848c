/** Pasting from Google Docs and Word, with markup as their clipboards have it. */
import { checkMarkup } from '@publishing-service/domain/markup'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { parse } from './editor-state.test-data.js'
import { markupOf } from '../markup/element-tree.js'
import { pastedMarkup, type EmbeddedPicture } from './pasted-markup.js'

const paste = (html: string, hasSlots = true) => {
  const pictures: EmbeddedPicture[] = []
  const slotFor = (added: readonly EmbeddedPicture[]) => (hasSlots ? `slot-${pictures.push(...added)}` : null)
  const { nodes, missing } = pastedMarkup(html, slotFor, parse)
  // As the editor reads it.
  const markup = markupOf(nodes).replace(/<div data-markup-bare="">(.*?)<\/div>/gs, '$1')
  return { markup, missing, pictures }
}

const textStyle = (more: string): string =>
  `font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;${more}font-variant:normal;vertical-align:baseline;white-space:pre;white-space:pre-wrap;`
const plain = 'font-weight:400;font-style:normal;text-decoration:none;'
const docsSpan = (text: string, more = plain): string => `<span style="${textStyle(more)}">${text}</span>`
const docsParagraph = (content: string): string =>
  `<p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${content}</p>`
const docsItem = (content: string): string =>
  `<li dir="ltr" style="list-style-type:disc;${textStyle(plain)}" aria-level="1"><p dir="ltr" style="line-height:1.38;" role="presentation">${content}</p></li>`
const fromDocs = (content: string): string =>
  `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5f2c1a07-7fff-8a9e-2c44-6a4cbb0f3d11">${content}</b><br class="Apple-interchange-newline">`

describe('markup pasted from Google Docs', () => {
  it('says with elements what styles say, and is not bold as a whole', () => {
    const line = [
      docsSpan('Ordinary, '),
      docsSpan('bold', 'font-weight:700;font-style:normal;text-decoration:none;'),
      docsSpan(', ', plain),
      docsSpan('both', 'font-weight:700;font-style:italic;text-decoration:none;'),
      docsSpan(' and '),
      docsSpan('struck', 'font-weight:400;font-style:normal;text-decoration:line-through;'),
      docsSpan(', 10 m'),
      `<span style="font-size:0.6em;font-weight:400;vertical-align:super;">2</span>`,
      docsSpan('.'),
    ].join('')
    expect(paste(fromDocs(docsParagraph(line))).markup).to.equal(
      '<p>Ordinary, <strong>bold</strong>, <strong><em>both</em></strong> and <s>struck</s>, 10 m<sup>2</sup>.</p>',
    )
  })

  it('has links without the style of links, lists in their items, and headings that the editor has', () => {
    const link = `<a href="https://example.org/brief" style="text-decoration:none;">${docsSpan('the brief', 'color:#1155cc;font-weight:400;font-style:normal;text-decoration:underline;')}</a>`
    const html = fromDocs(
      `<h1 dir="ltr" style="line-height:1.38;">${docsSpan('Harbour')}</h1>${docsParagraph(docsSpan('See ') + link + docsSpan('.'))}<br /><ul style="margin-top:0;padding-inline-start:48px;">${docsItem(docsSpan('One'))}<ul>${docsItem(docsSpan('Within'))}</ul>${docsItem(docsSpan('Two'))}</ul><h5 dir="ltr">${docsSpan('Small')}</h5>`,
    )
    expect(paste(html).markup).to.equal(
      '<h2>Harbour</h2><p>See <a href="https://example.org/brief">the brief</a>.</p><ul><li>One<ul><li>Within</li></ul></li><li>Two</li></ul><h4>Small</h4>',
    )
  })

  it('keeps tables, and the direction of texts from right to left', () => {
    const cell = (text: string) =>
      `<td style="border:solid 1pt;" colspan="1">${docsParagraph(docsSpan(text))}</td>`
    const html = fromDocs(
      `<div dir="ltr" align="left"><table style="border:none;"><colgroup><col width="301"></colgroup><tbody><tr style="height:0pt">${cell('A')}${cell('')}</tr></tbody></table></div><p dir="rtl">${docsSpan('שלום')}</p>`,
    )
    expect(paste(html).markup).to.equal(
      '<table><tbody><tr><td colspan="1">A</td><td colspan="1"></td></tr></tbody></table><p dir="rtl">שלום</p>',
    )
  })

  it('leaves a few words without a paragraph, so that they become part of a sentence', () => {
    expect(paste(fromDocs(docsSpan('few words', 'font-weight:700;'))).markup).to.equal(
      '<strong>few words</strong>',
    )
  })

  it('counts pictures that only Google can load', () => {
    const picture = `<span style="border:none;display:inline-block;overflow:hidden;width:256px;"><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nXe" width="256" height="170" style="margin-left:0px;" /></span>`
    const { markup, missing } = paste(fromDocs(docsParagraph(docsSpan('Before')) + docsParagraph(picture)))
    expect(markup).to.equal('<p>Before</p>')
    expect(missing).to.deep.equal({ pictures: 1, others: 0 })
  })
})

const fromWord = (content: string): string => `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word"
xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->
<style>
<!--
 /* Style Definitions */
 p.MsoNormal, li.MsoNormal {margin:0cm;}
-->
</style>
</head>
<body lang=EN-GB style='tab-interval:36.0pt;word-wrap:break-word'>
<!--StartFragment-->
${content}
<!--EndFragment-->
</body>
</html>`

const wordItem = (text: string, marker: string, list: string, position = 'CxSpMiddle') =>
  `<p class=MsoListParagraph${position} style='text-indent:-18.0pt;mso-list:
${list}'><![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span
style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;
</span></span></span><![endif]>${text}<o:p></o:p></p>\n\n`

describe('markup pasted from Word', () => {
  it('has lists in place of paragraphs with bullets and numbers', () => {
    const html = fromWord(
      `<p class=MsoNormal>Before<o:p></o:p></p>\n` +
        wordItem('First', '·', 'l0 level1 lfo1', 'CxSpFirst') +
        wordItem('<b>Within</b> it', 'o', 'l0 level2 lfo1') +
        wordItem('Deep', '§', 'l0 level3 lfo1') +
        wordItem('Second', '·', 'l0 level1 lfo1') +
        wordItem('Three', '3.', 'l1 level1 lfo2') +
        wordItem('A letter', 'a)', 'l1 level2 lfo2') +
        wordItem('Four', '4.', 'l1 level1 lfo2', 'CxSpLast') +
        `<p class=MsoNormal>After</p>`,
    )
    expect(paste(html).markup).to.equal(
      '<p>Before</p><ul><li>First<ul><li><strong>Within</strong> it<ul><li>Deep</li></ul></li></ul></li><li>Second</li></ul><ol start="3"><li>Three<ol><li>A letter</li></ol></li><li>Four</li></ol><p>After</p>',
    )
  })

  it('has lists also where a browser has removed the mark of the bullet', () => {
    const html = `<p class="MsoListParagraph" style="text-indent:-18pt;mso-list:l0 level1 lfo1"><!--[if !supportLists]--><span lang="EN-US">1.<span style="font-size: 7pt;">&nbsp;&nbsp;&nbsp; </span></span><!--[endif]--><span lang="EN-US">One<o:p></o:p></span></p>`
    expect(paste(html).markup).to.equal('<ol><li>One</li></ol>')
  })

  it('has lists where only the text of bullets and numbers is left', () => {
    const item = (marker: string, text: string, margin: string) =>
      `<p class="MsoListParagraph" style="margin-left:${margin};text-indent:-18.0pt"><span style="font-family:Symbol">${marker}<span style="font:7.0pt 'Times New Roman'">&nbsp;&nbsp;&nbsp; </span></span>${text}</p>`
    const html =
      item('·', 'First', '36.0pt') +
      item('o', 'Within', '1.0in') +
      item('·', '<b>Second</b>', '36.0pt') +
      item('3.', 'Three', '36.0pt') +
      '<p>1. Not an item</p>'
    expect(paste(html).markup).to.equal(
      '<ul><li>First<ul><li>Within</li></ul></li><li><strong>Second</strong></li></ul><ol start="3"><li>Three</li></ol><p>1. Not an item</p>',
    )
  })

  it('leaves out empty paragraphs, namespaced elements, footnote links and comments, and keeps the text', () => {
    const note = (target: string, name: string) =>
      `<a style='mso-footnote-id:ftn1' href="#${target}" name="${name}" title=""><span class=MsoFootnoteReference><span style='mso-special-character:footnote'><![if !supportFootnotes]><span class=MsoFootnoteReference>[1]</span><![endif]></span></span></a>`
    const html = fromWord(
      `<div class=WordSection1><h1><a name="_Toc1"></a><span style='font-family:"Calibri Light"'>Report</span><o:p></o:p></h1>
<p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>&nbsp;</p>
<p class=MsoNormal style='text-align:justify'><b style='mso-bidi-font-weight:normal'>The
quay</b> in <st1:City w:st="on">Bristol</st1:City>${note('_ftn1', '_ftnref1')}<span class=MsoCommentReference><a class=msocomanchor href="#_msocom_1">[JD1]</a></span>.<span style='mso-spacerun:yes'>  </span>End<span lang=DE><o:p></o:p></span></p></div>
<div style='mso-element:footnote-list'><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText>${note('_ftnref1', '_ftn1')} The note</p></div></div>
<div style='mso-element:comment-list'><div style='mso-element:comment'><p class=MsoCommentText>Check this!</p></div></div>`,
    )
    expect(paste(html).markup).to.equal(
      '<h2>Report</h2><p><strong>The quay</strong> in Bristol[1]. End</p><p>[1] The note</p>',
    )
  })

  const data = 'data:image/png;base64,iVBORw0KGgo='

  it('places pictures with their data after their paragraph, and counts those on the disk of the author', () => {
    const html = fromWord(
      `<p class=MsoNormal>One <img width=200 src="${data}" alt="A crane"></p><ul><li>Two<img src="${data}"></li></ul><p class=MsoNormal><span style='mso-no-proof:yes'><!--[if gte vml 1]><v:shape id="p1"><v:imagedata src="file:///C:\\clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=200 src="file:///C:/Users/x/clip_image002.jpg" v:shapes="p1"><![endif]></span></p>`,
    )
    const { markup, missing, pictures } = paste(html)
    expect(markup).to.equal(
      '<p>One</p><div data-slot="slot-1"></div><ul><li>Two</li></ul><div data-slot="slot-2"></div>',
    )
    expect(pictures.map(({ mimetype, title }) => [mimetype, title])).to.deep.equal([
      ['image/png', 'A crane'],
      ['image/png', ''],
    ])
    expect(missing).to.deep.equal({ pictures: 1, others: 0 })
    expect(paste(html, false)).to.deep.include({ missing: { pictures: 3, others: 0 } })
  })
})

describe('pasted markup', () => {
  it('keeps pictures of the web, and counts embedded pages', () => {
    expect(
      paste(
        '<figure><img src="https://example.org/a.jpg" alt="A" class="x"><figcaption>Caption</figcaption></figure><iframe src="https://example.org/"></iframe>',
      ),
    ).to.deep.include({
      markup:
        '<figure><img src="https://example.org/a.jpg" alt="A"/><figcaption>Caption</figcaption></figure>',
      missing: { pictures: 0, others: 1 },
    })
  })

  it('keeps all text, also the caption of a picture that is uploaded', () => {
    const { markup } = paste(
      '<noscript>a</noscript><svg><text>b</text></svg><iframe>c</iframe><template>d</template><select><option>e</select><figure><img src="data:image/png;base64,iVBORw0KGgo="><figcaption>f</figcaption></figure>',
    )
    expect(markup).to.equal('<p>a</p><p>b</p><p>cd</p><p>e</p><div data-slot="slot-1"></div><p>f</p>')
  })

  it('is accepted by the service', () => {
    const html = `<div onclick="x()"><p>a<blockquote><font color=red>b <a href="javascript:x()">c</a></font></blockquote><dl><dt>d</dt><dd>e</dd></dl><pre>f\n  g</pre><table><tr><th>h<ul><li><p>i</p><p>j</p></li></ul></table>k<br><br><details><summary>l</summary>m</details><x-y>n</x-y><hr></div>`
    const { markup } = paste(html)
    expect(checkMarkup(markup, { slots: true })).to.have.property('_tag', 'Right')
    for (const letter of 'abcdefghijklmn') expect(markup).to.include(letter)
  })
})
