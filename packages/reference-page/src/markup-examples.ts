/** Examples for the page on markup: of each element, each kind of fault, and addresses. */
import type { MarkupFaultKind } from '@publishing-service/domain/markup'

const slot = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

/** A valid text with many elements. */
export const completeExample = [
  '<p>The <em>third</em> attempt began <a href="/culture/sunset/" title="At sunset">at sunset</a>.</p>',
  `<slot id="${slot}"/>`,
  '<h4>What to bring</h4>',
  '<ul>',
  '  <li>A lamp</li>',
  '  <li>Something warm</li>',
  '</ul>',
  '<blockquote><p>The wind was a surprise.</p></blockquote>',
].join('\n')

const table = [
  '<table>',
  '  <caption>Departures</caption>',
  '  <thead><tr><th scope="col">Time</th><th scope="col">To</th></tr></thead>',
  '  <tbody><tr><td>05:12</td><td>Harbour</td></tr></tbody>',
  '  <tfoot><tr><td colspan="2">Weekdays only</td></tr></tfoot>',
  '</table>',
].join('\n')

const figure = [
  '<figure>',
  '  <img src="/images/pier.jpg" alt="The pier at dawn" width="640" height="480" loading="lazy" srcset="/images/pier-2.jpg 2x"/>',
  '  <figcaption>The pier, shortly <em>before</em> sunrise</figcaption>',
  '</figure>',
].join('\n')

const terms = '<dl>\n  <dt>Dawn</dt>\n  <dd>The first light</dd>\n</dl>'
const details =
  '<details open="open">\n  <summary>Directions</summary>\n  <p>Follow the river.</p>\n</details>'
const heading = (level: number): readonly string[] => [`<h${level}>What to bring</h${level}>`]

/** Valid texts by element. */
export const elementExamples: Readonly<Record<string, readonly string[]>> = {
  p: [
    '<p>A paragraph, with <strong>inline</strong> elements &amp; entities.</p>',
    `<p><slot id="${slot}"/></p>`,
  ],
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  hr: ['<p>Before.</p>\n<hr/>\n<p>After.</p>'],
  pre: ['<pre>05:12  first light\n05:47  sunrise</pre>'],
  blockquote: ['<blockquote cite="/culture/sunset/">\n  <p>The wind was a surprise.</p>\n</blockquote>'],
  ul: ['<ul>\n  <li>A lamp</li>\n  <li>Something warm</li>\n</ul>'],
  ol: ['<ol start="3" reversed="reversed" type="A">\n  <li>Wake up</li>\n  <li>Walk east</li>\n</ol>'],
  li: [
    '<ul><li>An item with <em>inline</em> elements<p>and blocks</p></li></ul>',
    '<ol><li value="7">Seven</li></ol>',
  ],
  dl: [terms],
  dt: [terms],
  dd: [terms],
  figure: [figure],
  figcaption: [figure],
  table: [table],
  caption: [table],
  thead: [table],
  tbody: [table],
  tfoot: [table],
  tr: [table],
  th: [table],
  td: [table],
  div: ['<div class="box">\n  <p>A group of blocks</p>\n</div>'],
  section: ['<section>\n  <h2>What to bring</h2>\n  <p>A lamp.</p>\n</section>'],
  article: ['<article>\n  <h2>A letter</h2>\n  <p>Dear editors …</p>\n</article>'],
  aside: ['<aside><p>Trams run from five.</p></aside>'],
  header: ['<article><header><h2>A letter</h2></header><p>Dear editors …</p></article>'],
  footer: ['<article><p>Dear editors …</p><footer>A reader</footer></article>'],
  details: [details],
  summary: [details],
  address: ['<address>Pier 4<br/>1020 Vienna</address>'],
  slot: [`<slot id="${slot}"/>`],
  a: [
    '<p><a href="https://example.org/?a=1&amp;b=2" title="An example" rel="nofollow" target="_blank">elsewhere</a></p>',
  ],
  abbr: ['<p><abbr title="Central European Time">CET</abbr></p>'],
  b: ['<p><b>Trams</b> run from five.</p>'],
  bdi: ['<p><bdi>إيان</bdi>: 3 posts</p>'],
  bdo: ['<p><bdo dir="rtl">From right to left</bdo></p>'],
  br: ['<p>One line<br/>and another</p>'],
  cite: ['<p>As <cite>From the Earth to the Moon</cite> has it</p>'],
  code: ['<p>Call <code>sunrise()</code>.</p>'],
  data: ['<p><data value="547">Five forty-seven</data></p>'],
  del: ['<p>At <del datetime="2024-05-01">six</del> <ins>seven</ins></p>'],
  dfn: ['<p><dfn>Dawn</dfn> is the first light.</p>'],
  em: ['<p>That was <em>not</em> the plan.</p>'],
  i: ['<p><i lang="fr">Déjà vu</i></p>'],
  img: ['<img src="/images/pier.jpg" alt="The pier at dawn" width="640" height="480"/>'],
  ins: ['<p>At <ins cite="/corrections/" datetime="2024-05-01">seven</ins></p>'],
  kbd: ['<p>Press <kbd>Escape</kbd>.</p>'],
  mark: ['<p>The <mark>wind</mark> is what counts.</p>'],
  q: ['<p>She said <q>later</q> and left.</p>'],
  s: ['<p><s>Fridays</s> Saturdays at eight</p>'],
  samp: ['<p>It says <samp>not found</samp>.</p>'],
  small: ['<p><small>Photograph: NASA</small></p>'],
  span: ['<p><span class="lead" data-size="2">The first words</span> of a story</p>'],
  strong: ['<p><strong>Mind the step.</strong></p>'],
  sub: ['<p>H<sub>2</sub>O</p>'],
  sup: ['<p>The 3<sup>rd</sup> attempt</p>'],
  time: ['<p><time datetime="2024-05-01T05:47">sunrise</time></p>'],
  u: ['<p>The word <u>recieve</u> is misspelt.</p>'],
  var: ['<p>It takes <var>n</var> minutes.</p>'],
  wbr: ['<p>Donaudampf<wbr/>schiffahrt</p>'],
}

/** Valid and invalid addresses, as in `href`. */
export const linkExamples: readonly string[] = [
  'https://example.org/a?b=c#d',
  'mailto:name@example.org',
  'tel:+43123456',
  '/culture/sunset/',
  'sunset',
  '?page=2',
  '#top',
  '',
  'javascript:alert(1)',
  'data:text/html,x',
  '//example.org/',
  'https:/example.org',
  'mailto:',
  'two words',
  'chapter:one',
]

/** Titles of the kinds of faults. */
export const faultTitles: Readonly<Record<MarkupFaultKind, string>> = {
  text: 'Text where none is accepted',
  element: 'An element that is not accepted there or anywhere',
  depth: 'Nested too deep',
  attribute: 'An attribute that the element does not have',
  'repeated attribute': 'A duplicate attribute',
  'missing attribute': 'A required attribute is missing',
  link: 'An address that is not accepted',
  value: 'A value that the attribute does not accept',
  'slot id': 'The id of a slot is not a UUID',
  'repeated slot': 'A duplicate slot',
  character: 'A character that XML forbids',
  comment: 'Comments that HTML parsers read differently',
  declaration: 'Declarations, processing instructions and CDATA',
  reference: 'References',
  syntax: 'Tags that are not well-formed',
  'end tag': 'End tags of elements that are not open',
  'end of text': 'Texts that end too early',
}

/** Texts with a fault, at least one of each kind. */
export const faultExamples: Readonly<Record<MarkupFaultKind, readonly [string, ...(readonly string[])]>> = {
  text: ['<ul>A lamp</ul>', '<table>A cell</table>', '<hr> </hr>', `<p><slot id="${slot}"/>Words</p>`],
  element: [
    '<p>One line<p>another</p></p>',
    '<font>x</font>',
    '<P>x</P>',
    '<ol><p>x</p></ol>',
    '<script>alert(1)</script>',
    '<iframe src="/"></iframe>',
    `<p>Words <slot id="${slot}"/></p>`,
    '<p><a href="/x"><em><a href="/y">A link in a link</a></em></a></p>',
  ],
  depth: [`<p>${'<em>'.repeat(32)}`],
  attribute: [
    '<p align="left">x</p>',
    '<p><a href="/x" onclick="alert(1)">x</a></p>',
    '<p style="color: red">x</p>',
    '<p Class="lead">x</p>',
  ],
  'repeated attribute': ['<p><a href="/x" href="/y">x</a></p>'],
  'missing attribute': ['<p><a title="Nowhere">x</a></p>', '<img alt="x"/>', '<slot/>'],
  link: [
    '<p><a href="javascript:alert(1)">x</a></p>',
    '<img src="data:image/png;base64,AA=="/>',
    '<img src="/x.jpg" srcset="/x.jpg 1x, //example.org/y.jpg 2x"/>',
  ],
  value: ['<p dir="up">x</p>', '<img src="/x.jpg" width="3em"/>'],
  'slot id': ['<slot id="gallery-1"/>'],
  'repeated slot': [`<slot id="${slot}"/>\n<slot id="${slot}"/>`],
  character: ['<p>a\u000bb</p>'],
  comment: [
    '<p>x</p><!-- a -- b -->',
    '<!--> x -->',
    '<!--[if IE]><p>x</p><![endif]-->',
    '<p>x</p><!-- later',
  ],
  declaration: [
    '<!DOCTYPE html><p>x</p>',
    '<?xml version="1.0"?><p>x</p>',
    '<?php x?>',
    '<p><![CDATA[x]]></p>',
    '<!ENTITY x "y">',
  ],
  reference: ['<p>a&nosuch;b</p>', '<p>Salt & pepper</p>', '<p>&#0;</p>'],
  syntax: [
    '<p>a < b</p>',
    '<p>a]]>b</p>',
    '<p<b>x</b>',
    '<p / >',
    '<p "x">y</p>',
    '<p><a href>x</a></p>',
    '<p><a href=/x>x</a></p>',
    '<p><a href="/x"title="y">x</a></p>',
    '<p><a href="<">x</a></p>',
    '<p>x</p y>',
  ],
  'end tag': ['<p><em>x</p></em>', '<p>x</P>', '<p>x</p></p>'],
  'end of text': ['<p>x', '<p>x</p'],
}
