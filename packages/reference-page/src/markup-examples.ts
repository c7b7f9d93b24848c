/** Examples for the page on the body’s markup: of each element, of each kind of fault, of addresses. */
import type { MarkupFaultKind } from '@publishing-service/domain'

const slot = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

/** A legal text with much of what there is. */
export const wholeExample = [
  '<p>The <em>third</em> attempt began <a href="/culture/sunset/" title="At sunset">at sunset</a>.</p>',
  `<slot id="${slot}"/>`,
  '<h4>What to bring</h4>',
  '<ul>',
  '  <li>A lamp</li>',
  '  <li>Something warm</li>',
  '</ul>',
  '<blockquote><p>Nobody had told us about the wind.</p></blockquote>',
].join('\n')

/** Legal texts by element. */
export const elementExamples: Readonly<Record<string, readonly string[]>> = {
  p: ['<p>A paragraph, with <strong>inline</strong> elements &amp; entities.</p>'],
  h4: ['<h4>What to bring</h4>'],
  hr: ['<p>Before.</p>\n<hr/>\n<p>After.</p>'],
  pre: ['<pre>05:12  first light\n05:47  sunrise</pre>'],
  blockquote: ['<blockquote>\n  <p>Nobody had told us about the wind.</p>\n</blockquote>'],
  ul: ['<ul>\n  <li>A lamp</li>\n  <li>Something warm</li>\n</ul>'],
  ol: ['<ol>\n  <li>Wake up</li>\n  <li>Walk east</li>\n</ol>'],
  li: ['<ul><li>An item with <em>inline</em> elements</li></ul>'],
  u: ['<p>The word <u>recieve</u> is misspelt.</p>'],
  strong: ['<p><strong>Mind the step.</strong></p>'],
  em: ['<p>That was <em>not</em> the plan.</p>'],
  sub: ['<p>H<sub>2</sub>O</p>'],
  sup: ['<p>The 3<sup>rd</sup> attempt</p>'],
  cite: ['<p>As <cite>From the Earth to the Moon</cite> has it</p>'],
  mark: ['<p>The <mark>wind</mark> is what counts.</p>'],
  s: ['<p><s>Fridays</s> Saturdays at eight</p>'],
  small: ['<p><small>Photograph: NASA</small></p>'],
  q: ['<p>She said <q>later</q> and left.</p>'],
  wbr: ['<p>Donaudampf<wbr/>schiffahrt</p>'],
  a: ['<p><a href="https://example.org/?a=1&amp;b=2" title="An example">elsewhere</a></p>'],
  slot: [`<slot id="${slot}"/>`],
}

/** Addresses, right and wrong, as they stand in `href`. */
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
  text: 'Text where none may stand',
  element: 'An element that may not stand there, or nowhere',
  depth: 'Nested too deep',
  attribute: 'An attribute that the element doesn’t have',
  'repeated attribute': 'An attribute twice',
  'missing attribute': 'A required attribute is missing',
  link: 'An address that isn’t right',
  'slot id': 'A slot’s id that is no UUID',
  'repeated slot': 'A slot that stands there already',
  character: 'A character that XML forbids',
  declaration: 'Comments, declarations and the like',
  reference: 'References',
  syntax: 'Tags that are not well-formed',
  'end tag': 'Tags that end what isn’t open',
  'end of text': 'Texts that end too early',
}

/** Texts with a fault, by its kind: at least one of each. */
export const faultExamples: Readonly<Record<MarkupFaultKind, readonly [string, ...(readonly string[])]>> = {
  text: ['Only words.', '<ul>A lamp</ul>', '<hr> </hr>'],
  element: [
    '<p>One line<br/>another</p>',
    '<div>x</div>',
    '<h1>Title</h1>',
    '<strong>At the top</strong>',
    '<ol><li><p>x</p></li></ol>',
    '<p><a href="/x"><em><a href="/y">A link in a link</a></em></a></p>',
  ],
  depth: [`<p>${'<em>'.repeat(32)}`],
  attribute: ['<p class="lead">x</p>', '<p><a href="/x" target="_blank">x</a></p>'],
  'repeated attribute': ['<p><a href="/x" href="/y">x</a></p>'],
  'missing attribute': ['<p><a title="Nowhere">x</a></p>', '<slot/>'],
  link: ['<p><a href="javascript:alert(1)">x</a></p>'],
  'slot id': ['<slot id="gallery-1"/>'],
  'repeated slot': [`<slot id="${slot}"/>\n<slot id="${slot}"/>`],
  character: ['<p>a\u000bb</p>'],
  declaration: [
    '<p>x</p><!-- later -->',
    '<!DOCTYPE html><p>x</p>',
    '<?xml version="1.0"?><p>x</p>',
    '<?php x?>',
    '<p><![CDATA[x]]></p>',
    '<!ENTITY x "y">',
  ],
  reference: ['<p>a&nbsp;b</p>', '<p>Salt & pepper</p>', '<p>&#0;</p>'],
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
