/**
 * The schema of bodies by example: each element, and each fault.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { checkMarkup } from '../value/markup.js'
import type { MarkupFault } from './markup-fault.js'

const one = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const other = '00000000-0000-0000-0000-000000000000'

const faultsOf = (text: string, slots = true): readonly MarkupFault[] => {
  const result = checkMarkup(text, { slots })
  return E.isRight(result) ? [] : result.left
}
const faultOf = (text: string, slots = true): MarkupFault => {
  const [fault] = faultsOf(text, slots)
  if (fault === undefined) throw new Error(`legal: ${text}`)
  return fault
}
/** The places and the beginnings of what was found: `1:4 <main>`. */
const briefly = (text: string): readonly string[] =>
  faultsOf(text).map(({ line, column, found }) => `${line}:${column} ${found.split(' (')[0] ?? ''}`)
const slotsOf = (text: string): readonly string[] => {
  const result = checkMarkup(text, { slots: true })
  if (E.isLeft(result)) throw new Error(result.left.map(({ message }) => message).join('\n'))
  return result.right.slots
}

const inlineNames =
  'a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr'
const blockNames =
  'p h1 h2 h3 h4 h5 h6 hr pre blockquote ul ol dl figure table div section article aside header footer details address slot'
const inline = inlineNames.split(' ').filter((name) => !['a', 'br', 'img', 'wbr'].includes(name))
const inlines = `inline elements (${inlineNames})`
const top = `text, ${inlines}, block elements (${blockNames})`
const within = (name: string): string => `text, ${inlines}, </${name}>`
const inParagraph = `text, ${inlines}, <slot> alone, </p>`
const globals = 'class, id, lang, dir, title, data-*, the end of the tag'
const references = '&amp;, &lt;, &gt;, &quot;, &apos;, a number such as &#160;'
const noSafeAddress = 'an address that starts with http:, https:, mailto:, tel:, or a path'
const noPlainAddress =
  'an address without white space, control characters and backslashes (a space is written %20)'
const comment = 'a comment such as <!-- text -->, without -- inside'
const script = 'a script in an address: never accepted'

describe('a legal body', () => {
  for (const text of [
    '',
    ' \t\r\n',
    '<p/>',
    '<p></p >',
    '<p>text</p>\n\n<p>more</p>',
    '<h4>heading</h4>',
    '<hr/><hr></hr>',
    '<pre>  kept\n  as is</pre>',
    'text',
    'text &amp; <em>inline</em> <p>block</p> text',
    '<strong>x</strong><br/><img src="/x.png" alt=""/>',
    '<blockquote>x<h4/></blockquote>',
    '<ol><li><ul/><p/>text</li></ol>',
    ...'div section article aside header footer blockquote figure details'
      .split(' ')
      .map((name) => `<${name}>text<em>x</em><p>y</p><table/><div/></${name}>`),
    '<figure><img src="/x.png"/><figcaption>x<p>y</p></figcaption></figure>',
    '<details open="open"><summary>x <em>y</em></summary><p>z</p></details><details open=""/>',
    '<dl><dt>x</dt>\n<dd>y<p>z</p></dd></dl>',
    '<table><caption>x</caption><thead><tr><th scope="col">x</th></tr></thead><tbody><tr><td colspan="2" rowspan="0">y<p>z</p></td></tr></tbody><tfoot/></table>',
    '<table>\n<tr><td headers="a b"><table/></td></tr></table>',
    '<address>x<br/>y</address>',
    '<p class="a b" id="c" lang="de" dir="auto" title="t" data-x="1" data-front-end="{&quot;a&quot;: 1}">x</p>',
    '<p><a href="/x" rel="noopener" target="_blank" hreflang="de" download="">x</a></p>',
    '<img src="/x.png" alt="x" width="640" height="50%" loading="lazy" srcset="/x.png 2x, /y.png 3x" sizes="(min-width: 9em) 50vw, 100vw"/>',
    '<ol start="-3" reversed="reversed" type="A"><li value="7">x</li></ol>',
    '<p><time datetime="2024-01-01">x</time> <data value="7">y</data></p>',
    '<blockquote cite="https://example.org/"/><p><q cite="/x">x</q><del cite="#a" datetime="2024">y</del><ins>z</ins></p>',
    '<!-- x --><p>a<!-- b & c <d> &nbsp; - -->e</p><!----><ul><!-- x --><li/></ul>',
    '<table><!-- x --><tr><!-- y --><td/></tr></table>',
    '<blockquote>\n<p>x</p><pre>y</pre><ul/><ol/>\n</blockquote><blockquote/>',
    '<ul>\n <li>one</li>\n <li/>\n</ul>',
    '<ol><li>one <em>two</em></li></ol>',
    ...inline.map((name) => `<p>a<${name}>b<wbr/>c</${name}>d</p>`),
    ...['p', 'h1', 'h6', 'pre', 'address'].map(
      (block) => `<${block}><u><strong><em>x</em></strong></u></${block}>`,
    ),
    '<p><a href="https://example.org/?a=1&amp;b=2" title="it&apos;s > &#10; it">x</a></p>',
    "<p><a title='x' href = '/path'><strong>x</strong></a> <a href=\"#y\">y</a></p>",
    '<p>&amp;&lt;&gt;&quot;&apos;&#160;&#xA0;&#x1F600;&#13;&#9;</p>',
    '<p>ünï 😀 \u007f\u0085\u2028\ufeff</p>',
    '<p>]] > ]>></p>',
    `<p>${'<em>'.repeat(31)}deep${'</em>'.repeat(31)}</p>`,
  ]) {
    it(JSON.stringify(text.slice(0, 80)), () => expect(slotsOf(text)).to.deep.equal([]))
  }

  for (const text of [
    `<p><slot id="${one}"/></p>`,
    `<p>\n <!-- x --> <slot id="${one}"></slot>\t<!-- y --></p>`,
    ...'div section article aside header footer blockquote figure figcaption details'
      .split(' ')
      .map((name) => (name === 'figcaption' ? ['figure', name] : [name]))
      .map((names) =>
        names.reduceRight((inner, name) => `<${name}>x${inner}</${name}>`, `<slot id="${one}"/>`),
      ),
    `<ul><li>x<slot id="${one}"/></li></ul>`,
    `<dl><dd><slot id="${one}"/></dd></dl>`,
    `<table><tr><td><slot id="${one}"/></td></tr></table>`,
    `<slot class="x" align="left" name="x" title="y" data-x="z" é="1" id="${one}"/>`,
    `<!-- <slot id="${other}"/> --><slot id="${one}"/>`,
  ])
    it(`places a slot: ${text.slice(0, 80)}`, () => expect(slotsOf(text)).to.deep.equal([one]))

  it('returns the ids of its slots in order, in lower case', () => {
    expect(slotsOf(`<slot id="${one.toUpperCase()}"/>\n<p>x</p><slot id='${other}'></slot>`)).to.deep.equal([
      one,
      other,
    ])
  })
})

describe('a fault of a body', () => {
  const faults: readonly (readonly [
    text: string,
    line: number,
    column: number,
    found: string,
    allowed: string,
  ])[] = [
    // text and elements out of place
    ['<ul>x</ul>\n', 1, 5, 'the text "x"', '<li>, </ul>'],
    ['<p>x</p>\n  <ul> text</ul>', 2, 8, 'the text "text"', '<li>, </ul>'],
    ['<ul>\ufeff</ul>', 1, 5, 'the text "U+FEFF"', '<li>, </ul>'],
    ['<ul>&#32;</ul>', 1, 5, 'the text "&#32;"', '<li>, </ul>'],
    ['<p>a</p>\r\n\r\n<p>b<main/></p>', 3, 5, '<main>', within('p')],
    ['<p>a</p>\r<p>b<main/></p>', 2, 5, '<main>', within('p')],
    ['<p>😀<main/></p>', 1, 5, '<main>', within('p')],
    ['<P>x</P>', 1, 1, '<P> (names are written in lower case)', top],
    ['<main/>', 1, 1, '<main>', top],
    ['<li/>', 1, 1, '<li>', top],
    ['<constructor/>', 1, 1, '<constructor>', top],
    ['<__proto__/>', 1, 1, '<__proto__>', top],
    ['<x:p/>', 1, 1, '<x:p>', top],
    [`<${'long'.repeat(20)}/>`, 1, 1, `<${'long'.repeat(10)}…>`, top],
    ['<p><p/></p>', 1, 4, '<p>', inParagraph],
    ['<p><div/></p>', 1, 4, '<div>', inParagraph],
    ['<h4><ul/></h4>', 1, 5, '<ul>', within('h4')],
    ['<h1><h2/></h1>', 1, 5, '<h2>', within('h1')],
    ['<em><p/></em>', 1, 5, '<p>', within('em')],
    ['<ul> x </ul>', 1, 6, 'the text "x"', '<li>, </ul>'],
    ['<ul><p/></ul>', 1, 5, '<p>', '<li>, </ul>'],
    ['<ul><em/></ul>', 1, 5, '<em>', '<li>, </ul>'],
    ['<ul>x]]></ul>', 1, 5, 'the text "x]]>"', '<li>, </ul>'],
    ['<dl><li/></dl>', 1, 5, '<li>', '<dt>, <dd>, </dl>'],
    ['<dl><dt><p/></dt></dl>', 1, 9, '<p>', within('dt')],
    ['<table>x</table>', 1, 8, 'the text "x"', '<caption>, <thead>, <tbody>, <tfoot>, <tr>, </table>'],
    ['<table><td/></table>', 1, 8, '<td>', '<caption>, <thead>, <tbody>, <tfoot>, <tr>, </table>'],
    ['<table><tbody>x</tbody></table>', 1, 15, 'the text "x"', '<tr>, </tbody>'],
    ['<table><tr><p/></tr></table>', 1, 12, '<p>', '<th>, <td>, </tr>'],
    ['<table><caption><p/></caption></table>', 1, 17, '<p>', within('caption')],
    ['<div><li/></div>', 1, 6, '<li>', `${top}, </div>`],
    ['<div><figcaption/></div>', 1, 6, '<figcaption>', `${top}, </div>`],
    ['<figure><summary/></figure>', 1, 9, '<summary>', `${top}, <figcaption>, </figure>`],
    ['<details><summary><p/></summary></details>', 1, 19, '<p>', within('summary')],
    ['<address><p/></address>', 1, 10, '<p>', within('address')],
    [
      '<header><div><footer/></div></header>',
      1,
      14,
      '<footer>',
      `${top.replace('header footer ', '')}, </div>`,
    ],
    ['<footer><header/></footer>', 1, 9, '<header>', `${top.replace('header footer ', '')}, </footer>`],
    ['<dfn><b><dfn/></b></dfn>', 1, 9, '<dfn>', within('b').replace('dfn ', '')],
    ['<hr>x</hr>', 1, 5, 'the text "x"', '</hr>'],
    ['<hr> </hr>', 1, 5, 'white space', '</hr>'],
    ['<hr><p/></hr>', 1, 5, '<p>', '</hr>'],
    ['<hr><!-- x --></hr>', 1, 5, 'a comment (<!--)', '</hr>'],
    ['<p><wbr>x</wbr></p>', 1, 9, 'the text "x"', '</wbr>'],
    ['<br>x</br>', 1, 5, 'the text "x"', '</br>'],
    [`<p>${'<em>'.repeat(32)}`, 1, 128, '<em> nested more than 32 deep', 'text, </em>'],
    ['<p><a href="/x"><em><a href="/y">z</a></em></a></p>', 1, 21, '<a>', within('em').replace('(a ', '(')],
    // dangerous elements
    ['<script>alert(1)</script>', 1, 1, '<script> (a script: never accepted)', top],
    ['<p><SCRIPT/></p>', 1, 4, '<SCRIPT> (a script: never accepted)', inParagraph],
    ['<svg:script/>', 1, 1, '<svg:script> (a script: never accepted)', top],
    ['<ul><style/></ul>', 1, 5, '<style> (a style sheet: never accepted)', '<li>, </ul>'],
    ['<iframe/>', 1, 1, '<iframe> (another document inside the page: never accepted)', top],
    ['<object/>', 1, 1, '<object> (another document inside the page: never accepted)', top],
    ['<embed/>', 1, 1, '<embed> (another document inside the page: never accepted)', top],
    ['<form/>', 1, 1, '<form> (a form: never accepted)', top],
    ['<input/>', 1, 1, '<input> (a form control: never accepted)', top],
    ['<link/>', 1, 1, '<link> (a style sheet or another resource of the page: never accepted)', top],
    ['<meta/>', 1, 1, '<meta> (an instruction to the browser: never accepted)', top],
    ['<svg/>', 1, 1, '<svg> (a drawing that can contain scripts: never accepted)', top],
    ['<math/>', 1, 1, '<math> (a formula that can contain scripts: never accepted)', top],
    // attributes
    ['<p align="x"/>', 1, 4, 'the attribute align of <p>', globals],
    ['<p Class="x"/>', 1, 4, 'the attribute Class (names are written in lower case) of <p>', globals],
    ['<p data-="x"/>', 1, 4, 'the attribute data- of <p>', globals],
    ['<p data-X="x"/>', 1, 4, 'the attribute data-X of <p>', globals],
    ['<p data-*="x"/>', 1, 9, '*', 'the name of an attribute, =, >, />'],
    ['<p xmlns="urn:x"/>', 1, 4, 'the attribute xmlns (a namespace: never accepted) of <p>', globals],
    ['<p xml:lang="de"/>', 1, 4, 'the attribute xml:lang (a namespace: never accepted) of <p>', globals],
    ['<p constructor="x"/>', 1, 4, 'the attribute constructor of <p>', globals],
    [
      '<p><a\n  href="/"\n  onclick="x"/></p>',
      3,
      3,
      'the attribute onclick (an event handler, which is a script: never accepted) of <a>',
      `rel, target, hreflang, download, ${globals}`,
    ],
    ['<p style="x"/>', 1, 4, 'the attribute style (an inline style: never accepted) of <p>', globals],
    [
      '<p><a href="/" title="" href="/"/></p>',
      1,
      25,
      'the attribute href of <a> a second time',
      'rel, target, hreflang, download, class, id, lang, dir, data-*, the end of the tag',
    ],
    ['<p data-x="" data-x=""/>', 1, 14, 'the attribute data-x of <p> a second time', globals],
    ['<p><a title="x">y</a></p>', 1, 4, '<a> without the attribute href', '<a href="…">'],
    ['<img alt="x"/>', 1, 1, '<img> without the attribute src', '<img src="…">'],
    // values
    ['<p><a href="javascript:x">y</a></p>', 1, 13, `href="javascript:x" (${script})`, noSafeAddress],
    [
      "<p><a href =\n 'data:x'>y</a></p>",
      2,
      3,
      'href="data:x" (a document in an address: never accepted)',
      noSafeAddress,
    ],
    ['<p><a href="&#106;avascript:x">y</a></p>', 1, 13, `href="javascript:x" (${script})`, noSafeAddress],
    ['<p><a href="java\nscript:x">y</a></p>', 1, 13, `href="java script:x" (${script})`, noPlainAddress],
    [
      '<p><a href="java&#9;script:x">y</a></p>',
      1,
      13,
      `href="javaU+0009script:x" (${script})`,
      noPlainAddress,
    ],
    ['<p><a href="&#x20;javascript:x">y</a></p>', 1, 13, `href=" javascript:x" (${script})`, noPlainAddress],
    ['<p><a href="ftp:x">y</a></p>', 1, 13, 'href="ftp:x"', noSafeAddress],
    ['<img src="javascript:x"/>', 1, 11, `src="javascript:x" (${script})`, noSafeAddress],
    ['<q cite="javascript:x"/>', 1, 10, `cite="javascript:x" (${script})`, noSafeAddress],
    ['<img src="/" srcset="/x 2x, ftp:x"/>', 1, 22, 'srcset="/x 2x, ftp:x"', noSafeAddress],
    ['<p dir="up"/>', 1, 9, 'dir="up"', '"ltr", "rtl", "auto"'],
    ['<details open="x"/>', 1, 16, 'open="x"', '"open", ""'],
    ['<img src="/" width="3px"/>', 1, 21, 'width="3px"', 'an integer from 0 to 100000, or a percentage'],
    ['<img src="/" width="-1"/>', 1, 21, 'width="-1"', 'an integer from 0 to 100000, or a percentage'],
    ['<table><tr><td colspan="0"/></tr></table>', 1, 25, 'colspan="0"', 'an integer from 1 to 1000'],
    ['<table><tr><td colspan="50%"/></tr></table>', 1, 25, 'colspan="50%"', 'an integer from 1 to 1000'],
    // slots
    ['<slot/>', 1, 1, '<slot> without the attribute id', '<slot id="…">'],
    ['<slot id="x"/>', 1, 11, 'id="x"', `a UUID such as ${one}`],
    [`<slot id=" ${one}"/>`, 1, 11, `id=" ${one}"`, `a UUID such as ${one}`],
    [`<slot id="${one}"> </slot>`, 1, 49, 'white space', '</slot>'],
    [
      `<slot id="${one}" onx="x"/>`,
      1,
      49,
      'the attribute onx (an event handler, which is a script: never accepted) of <slot>',
      'any other name in lower case, class, lang, dir, title, data-*, the end of the tag',
    ],
    [
      `<slot ID="${other}" id="${one}"/>`,
      1,
      7,
      'the attribute ID (names are written in lower case) of <slot>',
      'id, any other name in lower case, class, lang, dir, title, data-*, the end of the tag',
    ],
    [
      `<slot id="${one}" x="jAva&#10;script:x"/>`,
      1,
      52,
      `x="jAvaU+000Ascript:x" (${script})`,
      'a value without this scheme',
    ],
    [`<p>x<slot id="${one}"/></p>`, 1, 5, '<slot>', within('p')],
    [`<p><slot id="${one}"/>x</p>`, 1, 53, 'the text "x"', '</p>'],
    [`<p><slot id="${one}"/><em/></p>`, 1, 53, '<em>', '</p>'],
    [`<p><slot id="${one}"/><slot id="${other}"/></p>`, 1, 53, '<slot>', '</p>'],
    [`<p><em/><slot id="${one}"/></p>`, 1, 9, '<slot>', within('p')],
    [`<p>&#32;<slot id="${one}"/></p>`, 1, 9, '<slot>', within('p')],
    [`<h4><slot id="${one}"/></h4>`, 1, 5, '<slot>', within('h4')],
    [`<em><slot id="${one}"/></em>`, 1, 5, '<slot>', within('em')],
    [
      `<slot id="${one}"/>\n<slot id="${one.toUpperCase()}"/>`,
      2,
      11,
      `id="${one.toUpperCase()}"`,
      'the id of a slot that has no other tag in this text',
    ],
    // what markup never contains
    ['<!DOCTYPE p><p/>', 1, 1, 'a document type declaration (<!DOCTYPE)', top],
    ['<!ENTITY x "y">', 1, 1, 'a declaration (<!)', top],
    ['<?xml version="1.1"?><p/>', 1, 1, 'an XML declaration (<?xml)', top],
    ['<?xml-stylesheet x?>', 1, 1, 'a processing instruction (<?)', top],
    ['<p><?php x?></p>', 1, 4, 'a processing instruction (<?)', inParagraph],
    ['<p><![CDATA[x]]></p>', 1, 4, 'a CDATA section (<![CDATA[)', inParagraph],
    ['<p><!-- x', 1, 4, 'a comment without its end', comment],
    ['<p><!-- x --', 1, 4, 'a comment without its end', comment],
    ['<p>\n<!-- x -- y --></p>', 2, 8, '-- inside a comment', comment],
    ['<!-- x --!> y -->', 1, 8, '-- inside a comment', comment],
    ['<!-- x --->', 1, 8, '-- inside a comment', comment],
    ['<!-- <!-- -->', 1, 8, '-- inside a comment', comment],
    ['<!--> x -->', 1, 1, 'a comment that starts with <!--> x ', comment],
    ['<!---> x -->', 1, 1, 'a comment that starts with <!---> x ', comment],
    ['<!--[if IE]><p/><![endif]-->', 1, 1, 'a conditional comment (<!--[if)', comment],
    ['<!--[if !IE]> --><p/>', 1, 1, 'a conditional comment (<!--[if)', comment],
    ['<![if IE]><p/>', 1, 1, 'a declaration (<!)', top],
    ['<!-- a\u0001 -->', 1, 7, 'the character U+0001', 'a character that XML 1.0 allows'],
    ['<p <!-- x --> />', 1, 4, '<', 'the name of an attribute, =, >, />'],
    ['<p title="<!-- x -->"/>', 1, 11, '<', '&lt; in place of <'],
    ['<ul>x<!-- y --></ul>', 1, 5, 'the text "x"', '<li>, </ul>'],
    ['<ul><!-- y -->x</ul>', 1, 15, 'the text "x"', '<li>, </ul>'],
    ['<p>a&nbsp;b</p>', 1, 5, '&nbsp;', references],
    ['<p>a & b</p>', 1, 6, 'an & that starts no reference', references],
    ['<p>a&amp b</p>', 1, 5, 'an & that starts no reference', references],
    ['<p>a&;b</p>', 1, 5, 'an & that starts no reference', references],
    ['<p>a&AMP;b</p>', 1, 5, '&AMP;', references],
    ['<p>&#X41;</p>', 1, 4, '&#X41;', references],
    ['<p>&#0;</p>', 1, 4, '&#0;', references],
    ['<p>&#xD800;</p>', 1, 4, '&#xD800;', references],
    ['<p>&#xFFFE;</p>', 1, 4, '&#xFFFE;', references],
    ['<p>&#x110000;</p>', 1, 4, '&#x110000;', references],
    ['<p>&#11;</p>', 1, 4, '&#11;', references],
    ['<p><a href="/?a&nbsp;">x</a></p>', 1, 16, '&nbsp;', references],
    ['<p/>&nbsp;', 1, 5, '&nbsp;', references],
    ['<ul/><ul>&nbsp;</ul>', 1, 10, '&nbsp;', '<li>, </ul>'],
    ['<p>a\u0000b</p>', 1, 5, 'the character U+0000', 'a character that XML 1.0 allows'],
    ['<p>\u000b</p>', 1, 4, 'the character U+000B', 'a character that XML 1.0 allows'],
    ['<p>\ufffe</p>', 1, 4, 'the character U+FFFE', 'a character that XML 1.0 allows'],
    ['<p>\udc00</p>', 1, 4, 'the character U+DC00', 'a character that XML 1.0 allows'],
    // the parser alone would read the half and the < as one character of text
    ['<p>\ud83d<script>x</p>', 1, 4, 'the character U+D83D', 'a character that XML 1.0 allows'],
    // tags that are not well-formed
    ['</x><x>', 1, 1, '</x>', top],
    ['<p></p></p>', 1, 8, '</p>', top],
    ['</>', 1, 1, '</>', top],
    ['<p><em>x</p>', 1, 9, '</p>', within('em')],
    ['<p>x</P>', 1, 5, '</P>', within('p')],
    ['<p>x</p\ufeff>', 1, 5, '</pU+FEFF>', within('p')],
    ['<p>', 1, 4, 'the end of the text before </p>', inParagraph],
    ['<p>x\n</p', 2, 4, 'the end of the text within a tag', 'the rest of the tag </p'],
    ['<p>x<', 1, 6, 'the end of the text within a tag', 'the rest of the tag <'],
    ['<ul>x', 1, 5, 'the text "x"', '<li>, </ul>'],
    ['<p>a < b</p>', 1, 6, 'a < that starts no tag', `&lt; in place of <, ${within('p')}`],
    ['<p>a <3</p>', 1, 6, 'a < that starts no tag', `&lt; in place of <, ${within('p')}`],
    ['<p>a]]>b</p>', 1, 5, ']]>', ']]&gt; in place of ]]>'],
    ['<p<b>', 1, 3, '<', 'white space and an attribute, >, />'],
    ['<p\u00a0/>', 1, 3, 'U+00A0', 'white space and an attribute, >, />'],
    ['<p / >', 1, 5, 'white space', '>'],
    ['<p "x"/>', 1, 4, '"', 'the name of an attribute, =, >, />'],
    ['<p title>', 1, 9, '>', '= and a value in quotes'],
    ['<p><a href=/x>y</a></p>', 1, 12, '/', 'a value in quotes'],
    ['<p><a href="/"title="x">y</a></p>', 1, 15, 't', 'white space and an attribute, >, />'],
    ['<p><a href="<">y</a></p>', 1, 13, '<', '&lt; in place of <'],
    ['<p>x</p y>', 1, 9, 'y', '>'],
  ]
  for (const [text, line, column, found, allowed] of faults) {
    it(JSON.stringify(text.slice(0, 80)), () => {
      const message = `line ${line}, column ${column}: found ${found}, allowed here: ${allowed}`
      const fault = faultOf(text)
      expect(fault.message).to.equal(message)
      expect(fault).to.include({ line, column, found })
      expect(fault.allowed.join(', ')).to.equal(allowed)
    })
  }

  // After a fault the rest is read, without what follows from it.
  const series: readonly (readonly [text: string, ...found: readonly string[]])[] = [
    ['<main>a</main><center>b</center>', '1:1 <main>', '1:15 <center>'],
    ['<p><font>a<main>b</main></font><em>c</em></p>', '1:4 <font>', '1:11 <main>'],
    ['<p align="x" style="y">a</p>', '1:4 the attribute align of <p>', '1:14 the attribute style'],
    ['<p><a name="x" href="ftp:y">a</a></p>', '1:7 the attribute name of <a>', '1:22 href="ftp:y"'],
    [
      '<p><a name="x">a</a><img/></p>',
      '1:4 <a> without the attribute href',
      '1:7 the attribute name of <a>',
      '1:21 <img> without the attribute src',
    ],
    // content
    ['<ul>a<p>b</p>c</ul>', '1:5 the text "a"', '1:6 <p>', '1:14 the text "c"'],
    ['<ul>a < b ]]> &nbsp;</ul>', '1:5 the text "a"', '1:15 &nbsp;'],
    ['<p>a<div><p>b</p><ul><li>c</li></ul></div></p>', '1:5 <div>'],
    ['<p>a<p>b', '1:5 <p>', '1:9 the end of the text before </p>'],
    ['<table><p>a</p><tr><td>b</td></tr></table>', '1:8 <p>'],
    ['<table><td>a</td><tr>b</tr></table>', '1:8 <td>', '1:22 the text "b"'],
    [
      `<p>a<slot id="${one}"/>b</p><p><slot id="${one}"/>c</p>`,
      '1:5 <slot>',
      `1:72 id="${one}"`,
      '1:111 the text "c"',
    ],
    [
      `<p>${'<em>'.repeat(33)}x${'</em>'.repeat(33)}<main/></p><main/>`,
      '1:128 <em> nested more than 32 deep',
      '1:302 <main>',
      '1:313 <main>',
    ],
    // elements of HTML without an end
    ['<p>a<br>b<br>c</p><p>d</p>', '1:9 the text "b"', '1:14 the text "c"'],
    ['<p>a<br></p><p>b<wbr><em>c</em></p>', '1:9 </p>', '1:22 <em>'],
    ['<p><img src="/x" alt=""></p><hr> <hr>a</hr>', '1:25 </p>', '1:33 white space', '1:38 the text "a"'],
    ['<hr>a</hr><hr><!-- b --></hr><p>c</p>', '1:5 the text "a"', '1:15 a comment'],
    ['<link rel="x"><p>a<main/></p>', '1:1 <link>', '1:19 <main>', '1:30 the end of the text before </link>'],
    // what is never accepted, with all that is in it
    ['<script>if (a < b && c) d = "<p>"</script><p>e<main/></p>', '1:1 <script>', '1:47 <main>'],
    ['<p><style>a > b { x: y }</style></p>&nbsp;', '1:4 <style>', '1:37 &nbsp;'],
    ['<svg><svg/><path d="x"/><svg>a</svg></svg><main/>', '1:1 <svg>', '1:43 <main>'],
    ['<p><object><param name="x"></p><main/>', '1:4 <object>', '1:32 <main>'],
    ['<script/><iframe src="x"></iframe>', '1:1 <script>', '1:10 <iframe>'],
    ['<script>a<b', '1:1 <script>'],
    // end tags
    ['</x><p>a</p></p><p>b</p>', '1:1 </x>', '1:13 </p>'],
    ['<div><p>a</x>b<main/></p></div>', '1:10 </x>', '1:15 <main>'],
    ['<p><em><b>a</p><p>b</em></p>', '1:12 </p>', '1:20 </em>'],
    ['<p><b><i>a</b>c</i></p>', '1:11 </b>', '1:16 </i>'],
    ['<p>a</></p>', '1:5 </>'],
    ['<p>a</p x y><main/>', '1:9 x', '1:13 <main>'],
    // tags that are not well-formed
    [
      '<td width=5 nowrap>a</td><main/>',
      '1:1 <td>',
      '1:5 the attribute width of <td>',
      '1:11 5',
      '1:13 the attribute nowrap of <td>',
      '1:19 >',
      '1:26 <main>',
    ],
    ['<p dir=up lang title = "a"class=b>c</p>', '1:8 u', '1:16 t', '1:27 c', '1:33 b'],
    ['<p "a" b c=d><main/></p>', '1:4 "', '1:14 <main>'],
    ['<ol reversed start="a"><li>b</li></ol>', '1:14 s', '1:21 start="a"'],
    ['<p title="a<b">c</p>', '1:12 <'],
    ['<p>a < b <c> d</p>', '1:6 a < that starts no tag', '1:10 <c>', '1:15 </p>'],
    ['<ul>x<li a=b>c</li></ul>', '1:5 the text "x"', '1:10 the attribute a of <li>', '1:12 b'],
    ['<p>a <- b <= c</p>', '1:6 a < that starts no tag', '1:11 a < that starts no tag'],
    ['<p>a', '1:5 the end of the text before </p>'],
    ['<p title="a><p>b</p>', '1:13 <', '1:17 <', '1:21 the end of the text within a tag'],
    // what markup never contains
    ['a&nbsp;b & c &x; d', '1:2 &nbsp;', '1:10 an & that starts no reference', '1:14 &x;'],
    ['<a href="/?a&nbsp;b=1&c=2">d</a>', '1:13 &nbsp;', '1:22 an & that starts no reference'],
    [
      '<?xml version="1.0"?><!DOCTYPE p><p>a<![CDATA[b < c]]></p><main/>',
      '1:1 an XML declaration',
      '1:22 a document type declaration',
      '1:38 a CDATA section',
      '1:59 <main>',
    ],
    ['<p>a<!-- b -- c --><main/></p>', '1:12 -- inside a comment', '1:20 <main>'],
    [
      '<ul><!--> --><li>a<!--[if b]><main/><![endif]--></li></ul>',
      '1:5 a comment that starts with <!--> ',
      '1:11 the text "-->"',
      '1:19 a conditional comment',
    ],
    ['<p>a<!-- b', '1:5 a comment without its end'],
    ['<p>a\u0000b\ud800<main/></p>', '1:5 the character U+0000', '1:7 the character U+D800', '1:8 <main>'],
    ['<p <?x?> title="a">b</p>', '1:4 a processing instruction'],
  ]
  for (const [text, ...found] of series)
    it(`is each of those in ${JSON.stringify(text.slice(0, 80))}`, () =>
      expect(briefly(text)).to.deep.equal(found))

  it('is named up to twenty times', () => {
    expect(faultsOf('<main/>'.repeat(20))).to.have.lengthOf(20)
    expect(faultsOf('<main/>'.repeat(1000))).to.have.lengthOf(21)
  })

  it('has the offset in UTF-16 units and the column in characters', () => {
    expect(faultOf('<p>\n😀<main/></p>')).to.include({ line: 2, column: 2, offset: 6 })
  })

  it('is a slot in markup without slots', () => {
    for (const text of [`<slot id="${one}"/>`, `<p><slot id="${one}"/></p>`]) {
      const fault = faultOf(text, false)
      expect(fault.found).to.equal('<slot>')
      expect(fault.allowed.join(' ')).not.to.match(/\bslot\b/)
    }
  })
})
