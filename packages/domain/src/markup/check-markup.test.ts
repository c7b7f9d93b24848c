/**
 * The body's schema by example: each element, and each way to get it wrong.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { checkMarkup } from './check-markup.js'
import type { MarkupFault } from './markup-fault.js'

const one = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const other = '00000000-0000-0000-0000-000000000000'

const faultOf = (text: string, slots = true): MarkupFault => {
  const result = checkMarkup(text, { slots })
  if (E.isRight(result)) throw new Error(`legal: ${text}`)
  return result.left
}
const slotsOf = (text: string): readonly string[] => {
  const result = checkMarkup(text, { slots: true })
  if (E.isLeft(result)) throw new Error(result.left.message)
  return result.right.slots
}

const inline = ['u', 'strong', 'em', 'sub', 'sup', 'cite', 'mark', 's', 'small', 'q']
const within = (name: string): string =>
  `text, <u>, <strong>, <em>, <sub>, <sup>, <cite>, <mark>, <s>, <small>, <q>, <wbr>, <a>, </${name}>`
const top = '<p>, <h4>, <hr>, <pre>, <blockquote>, <ul>, <ol>, <slot>'
const references = '&amp;, &lt;, &gt;, &quot;, &apos;, a number such as &#160;'
const noSafeAddress = 'an address that starts with http:, https:, mailto:, tel:, or a path'
const noPlainAddress =
  'an address without white space, control characters and backslashes (a blank is written %20)'

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
    '<blockquote>\n<p>x</p><pre>y</pre><ul/><ol/>\n</blockquote><blockquote/>',
    '<ul>\n <li>one</li>\n <li/>\n</ul>',
    '<ol><li>one <em>two</em></li></ol>',
    ...inline.map((name) => `<p>a<${name}>b<wbr/>c</${name}>d</p>`),
    ...['p', 'h4', 'pre'].map((block) => `<${block}><u><strong><em>x</em></strong></u></${block}>`),
    '<p><a href="https://example.org/?a=1&amp;b=2" title="it&apos;s > &#10; it">x</a></p>',
    "<p><a title='x' href = '/path'><strong>x</strong></a> <a href=\"#y\">y</a></p>",
    '<p>&amp;&lt;&gt;&quot;&apos;&#160;&#xA0;&#x1F600;&#13;&#9;</p>',
    '<p>ünï 😀 \u007f\u0085\u2028\ufeff</p>',
    '<p>]] > ]>></p>',
    `<p>${'<em>'.repeat(31)}deep${'</em>'.repeat(31)}</p>`,
  ]) {
    it(JSON.stringify(text.slice(0, 80)), () => expect(slotsOf(text)).to.deep.equal([]))
  }

  it('gives the ids of its slots in their order, in lower case', () => {
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
    ['text', 1, 1, 'the text "text"', top],
    ['<p>x</p>\n  text <p/>', 2, 3, 'the text "text"', top],
    ['\ufeff<p/>', 1, 1, 'the text "U+FEFF"', top],
    ['&#32;', 1, 1, 'the text "&#32;"', top],
    ['<p>a</p>\r\n\r\n<p>b<br/></p>', 3, 5, '<br>', within('p')],
    ['<p>a</p>\r<p>b<br/></p>', 2, 5, '<br>', within('p')],
    ['<p>😀<br/></p>', 1, 5, '<br>', within('p')],
    ['<P>x</P>', 1, 1, '<P>', top],
    ['<div/>', 1, 1, '<div>', top],
    ['<h1/>', 1, 1, '<h1>', top],
    ['<strong>x</strong>', 1, 1, '<strong>', top],
    ['<li/>', 1, 1, '<li>', top],
    ['<script>alert(1)</script>', 1, 1, '<script>', top],
    ['<constructor/>', 1, 1, '<constructor>', top],
    ['<__proto__/>', 1, 1, '<__proto__>', top],
    ['<x:p xmlns:x="urn:x"/>', 1, 1, '<x:p>', top],
    [`<${'long'.repeat(20)}/>`, 1, 1, `<${'long'.repeat(10)}…>`, top],
    ['<p><p/></p>', 1, 4, '<p>', within('p')],
    ['<h4><ul/></h4>', 1, 5, '<ul>', within('h4')],
    ['<blockquote>x</blockquote>', 1, 13, 'the text "x"', '<p>, <pre>, <ul>, <ol>, </blockquote>'],
    ['<blockquote><h4/></blockquote>', 1, 13, '<h4>', '<p>, <pre>, <ul>, <ol>, </blockquote>'],
    ['<ul> x </ul>', 1, 6, 'the text "x"', '<li>, </ul>'],
    ['<ul><p/></ul>', 1, 5, '<p>', '<li>, </ul>'],
    ['<ul>x]]></ul>', 1, 5, 'the text "x]]>"', '<li>, </ul>'],
    ['<ol><li><ul/></li></ol>', 1, 9, '<ul>', within('li')],
    ['<ol><li><p/></li></ol>', 1, 9, '<p>', within('li')],
    ['<hr>x</hr>', 1, 5, 'the text "x"', '</hr>'],
    ['<hr> </hr>', 1, 5, 'white space', '</hr>'],
    ['<hr><p/></hr>', 1, 5, '<p>', '</hr>'],
    ['<p><wbr>x</wbr></p>', 1, 9, 'the text "x"', '</wbr>'],
    [`<p>${'<em>'.repeat(32)}`, 1, 128, '<em> nested more than 32 deep', 'text, </em>'],
    ['<p><a href="/x"><em><a href="/y">z</a></em></a></p>', 1, 21, '<a>', within('em').replace('<a>, ', '')],
    // attributes
    ['<p class="x"/>', 1, 4, 'the attribute class', 'the end of the tag'],
    ['<p xmlns="urn:x"/>', 1, 4, 'the attribute xmlns', 'the end of the tag'],
    ['<p xml:lang="de"/>', 1, 4, 'the attribute xml:lang', 'the end of the tag'],
    ['<p constructor="x"/>', 1, 4, 'the attribute constructor', 'the end of the tag'],
    ['<p><a\n  href="/"\n  onclick="x"/></p>', 3, 3, 'the attribute onclick', 'title, the end of the tag'],
    ['<p><a HREF="/"/></p>', 1, 7, 'the attribute HREF', 'href, title, the end of the tag'],
    [
      '<p><a href="/" title="" href="/"/></p>',
      1,
      25,
      'the attribute href a second time',
      'the end of the tag',
    ],
    ['<p><a title="x">y</a></p>', 1, 4, '<a> without the attribute href', '<a href="…">'],
    ['<p><a href="javascript:x">y</a></p>', 1, 13, 'href="javascript:x"', noSafeAddress],
    ["<p><a href =\n 'data:x'>y</a></p>", 2, 3, 'href="data:x"', noSafeAddress],
    ['<p><a href="&#106;avascript:x">y</a></p>', 1, 13, 'href="javascript:x"', noSafeAddress],
    ['<p><a href="java\nscript:x">y</a></p>', 1, 13, 'href="java script:x"', noPlainAddress],
    ['<p><a href="java&#9;script:x">y</a></p>', 1, 13, 'href="javaU+0009script:x"', noPlainAddress],
    ['<p><a href="&#x20;javascript:x">y</a></p>', 1, 13, 'href=" javascript:x"', noPlainAddress],
    // slots
    ['<slot/>', 1, 1, '<slot> without the attribute id', '<slot id="…">'],
    ['<slot id="x"/>', 1, 11, 'id="x"', `a UUID such as ${one}`],
    [`<slot id=" ${one}"/>`, 1, 11, `id=" ${one}"`, `a UUID such as ${one}`],
    [`<slot id="${one}" class="x"/>`, 1, 49, 'the attribute class', 'the end of the tag'],
    [`<slot id="${one}"> </slot>`, 1, 49, 'white space', '</slot>'],
    [`<p><slot id="${one}"/></p>`, 1, 4, '<slot>', within('p')],
    [
      `<slot id="${one}"/>\n<slot id="${one.toUpperCase()}"/>`,
      2,
      11,
      `id="${one.toUpperCase()}"`,
      'the id of a slot that has no other tag in this text',
    ],
    // what no body holds
    ['<!DOCTYPE p><p/>', 1, 1, 'a document type declaration (<!DOCTYPE)', top],
    ['<!ENTITY x "y">', 1, 1, 'a declaration (<!)', top],
    ['<?xml version="1.1"?><p/>', 1, 1, 'an XML declaration (<?xml)', top],
    ['<?xml-stylesheet x?>', 1, 1, 'a processing instruction (<?)', top],
    ['<p><?php x?></p>', 1, 4, 'a processing instruction (<?)', within('p')],
    ['<p><!-- x --></p>', 1, 4, 'a comment (<!--)', within('p')],
    ['<p><!-- x', 1, 4, 'a comment (<!--)', within('p')],
    ['<p><![CDATA[x]]></p>', 1, 4, 'a CDATA section (<![CDATA[)', within('p')],
    ['<p <!-- x --> />', 1, 4, 'a comment (<!--)', 'the rest of the tag <p <!-- x --> />'],
    ['<ul>x<!-- y --></ul>', 1, 5, 'the text "x"', '<li>, </ul>'],
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
    ['<p/>&nbsp;', 1, 5, '&nbsp;', top],
    ['<p>a\u0000b</p>', 1, 5, 'the character U+0000', 'a character that XML 1.0 allows'],
    ['<p>\u000b</p>', 1, 4, 'the character U+000B', 'a character that XML 1.0 allows'],
    ['<p>\ufffe</p>', 1, 4, 'the character U+FFFE', 'a character that XML 1.0 allows'],
    ['<p>\udc00</p>', 1, 4, 'the character U+DC00', 'a character that XML 1.0 allows'],
    // the parser alone would take the half and the < for one character of text
    ['<p>\ud83d<script>x</p>', 1, 4, 'the character U+D83D', 'a character that XML 1.0 allows'],
    // tags that are not well-formed
    ['</x><x>', 1, 1, '</x>', top],
    ['<p></p></p>', 1, 8, '</p>', top],
    ['</>', 1, 1, '</>', top],
    ['<p><em>x</p>', 1, 9, '</p>', within('em')],
    ['<p>x</P>', 1, 5, '</P>', within('p')],
    ['<p>x</p\ufeff>', 1, 5, '</pU+FEFF>', within('p')],
    ['<p>', 1, 4, 'the end of the text before </p>', within('p')],
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
    ['<p x>', 1, 5, '>', '= and a value in quotes'],
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

  it('gives the offset in UTF-16 units and the column in characters', () => {
    expect(faultOf('<p>\n😀<br/></p>')).to.include({ line: 2, column: 2, offset: 6 })
  })

  it('is a slot where slots may not stand', () => {
    expect(faultOf(`<slot id="${one}"/>`, false)).to.include({ found: '<slot>', offset: 0 })
    expect(faultOf('x', false).allowed).not.to.include('<slot>')
  })
})
