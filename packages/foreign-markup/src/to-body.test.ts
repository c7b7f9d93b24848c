/** Bodies as other programs write them. */
import { E } from '@publishing-service/domain/fp'
import { checkMarkup } from '@publishing-service/domain/markup'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { toBody, type BodyOptions } from './to-body.js'
import { wordsOf } from './words.test-data.js'

type Fixture = {
  readonly title: string
  readonly options?: BodyOptions
  readonly html: string
  readonly markup: string
}

const fixtures: readonly Fixture[] = [
  {
    title: 'WordPress, classic',
    options: { hasTextLines: true, base: 'https://harbour.example/2019/05/quay/' },
    html: [
      'The quay is open.',
      '',
      'It was closed',
      'for a year. <!--more-->',
      '',
      '<h1 class="has-text-align-center">Prices</h1>',
      '<img class="alignleft size-medium wp-image-12" src="/wp-content/uploads/crane.jpg" alt="A crane" width="300" height="200" />',
      '<ul>',
      '\t<li>Adults: <strong>4 €</strong></li>',
      '\t<li>Children: free',
      '<ul>',
      '\t<li>with a pass</li>',
      '</ul>',
      '</li>',
      '</ul>',
      '<blockquote>Ships <cite>The harbour master</cite></blockquote>',
      '<a name="end"></a>[gallery ids="1,2"]',
    ].join('\n'),
    markup: [
      '<p>The quay is open.</p>',
      '<p>It was closed<br/>for a year.</p>',
      '<h1>Prices</h1>',
      '<p><img src="https://harbour.example/wp-content/uploads/crane.jpg" alt="A crane" width="300" height="200"/></p>',
      '<ul><li>Adults: <strong>4 €</strong></li><li>Children: free<ul><li>with a pass</li></ul></li></ul>',
      '<blockquote><p>Ships <cite>The harbour master</cite></p></blockquote>',
      '<p>[gallery ids=&quot;1,2&quot;]</p>',
    ].join('\n'),
  },
  {
    title: 'WordPress, blocks',
    html: [
      '<!-- wp:paragraph {"align":"center"} -->',
      '<p class="has-text-align-center">A <em>block</em>.</p>',
      '<!-- /wp:paragraph -->',
      '',
      '<!-- wp:image {"id":7} -->',
      '<figure class="wp-block-image size-large"><a href="https://harbour.example/full.jpg"><img src="https://harbour.example/a.jpg" alt="Boats" class="wp-image-7" srcset="https://harbour.example/a.jpg 1024w, https://harbour.example/b.jpg 300w"/></a><figcaption class="wp-element-caption">Boats at <strong>noon</strong></figcaption></figure>',
      '<!-- /wp:image -->',
      '<!-- wp:columns --><div class="wp-block-columns"><div class="wp-block-column"><!-- wp:heading {"level":6} --><h6>Left</h6></div><div class="wp-block-column"><p>Right</p></div></div>',
      '<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>Day</th><th>Ships</th></tr></thead><tbody><tr><td>Monday</td><td>3</td></tr></tbody></table><figcaption>Last week</figcaption></figure>',
      '<figure class="wp-block-embed is-type-video"><div class="wp-block-embed__wrapper">',
      'https://www.youtube.com/watch?v=abc',
      '</div></figure>',
      '<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link">Book</a></div></div><details class="wp-block-details"><summary>More</summary><p>Hidden</p></details><hr class="wp-block-separator"/><pre class="wp-block-verse">One',
      '  two</pre>',
    ].join('\n'),
    markup: [
      '<p>A <em>block</em>.</p>',
      '<figure><a href="https://harbour.example/full.jpg"><img src="https://harbour.example/a.jpg" alt="Boats"/></a><figcaption>Boats at <strong>noon</strong></figcaption></figure>',
      '<h6>Left</h6>',
      '<p>Right</p>',
      '<figure><table><thead><tr><th>Day</th><th>Ships</th></tr></thead><tbody><tr><td>Monday</td><td>3</td></tr></tbody></table><figcaption>Last week</figcaption></figure>',
      '<p>https://www.youtube.com/watch?v=abc</p>',
      '<p>Book</p>',
      '<details><summary>More</summary><p>Hidden</p></details>',
      '<hr/>',
      '<pre>One',
      '  two</pre>',
    ].join('\n'),
  },
  {
    title: 'WordPress, a picture that is loaded late',
    html: '<p><img class="lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" data-src="https://harbour.example/late.jpg" alt="Late"/><noscript><img src="https://harbour.example/late.jpg" alt="Late"/></noscript></p>',
    markup: '<p><img src="https://harbour.example/late.jpg" alt="Late"/></p>',
  },
  {
    title: 'Ghost, Lexical',
    html: '<p>Hello, <a href="https://harbour.example/?ref=ghost" rel="noreferrer">harbour</a>.</p><h2 id="a-title">A title</h2><figure class="kg-card kg-image-card kg-card-hascaption"><img src="https://harbour.example/content/images/a.jpg" class="kg-image" alt="A" loading="lazy" width="2000" height="1333" sizes="(min-width: 720px) 720px"><figcaption><span style="white-space: pre-wrap;">By the </span><b><strong style="white-space: pre-wrap;">crew</strong></b></figcaption></figure><blockquote class="kg-blockquote-alt">Loud</blockquote><div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">!</div><div class="kg-callout-text">Mind the gap</div></div><div class="kg-card kg-toggle-card" data-kg-toggle-state="close"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">Why?</h4><button class="kg-toggle-card-icon"><svg viewBox="0 0 24 24"><path d="M23"/></svg></button></div><div class="kg-toggle-content"><p>Because.</p></div></div>',
    markup: [
      '<p>Hello, <a href="https://harbour.example/?ref=ghost" rel="noreferrer">harbour</a>.</p>',
      '<h2 id="a-title">A title</h2>',
      '<figure><img src="https://harbour.example/content/images/a.jpg" alt="A" loading="lazy" width="2000" height="1333" sizes="(min-width: 720px) 720px"/><figcaption>By the <b>crew</b></figcaption></figure>',
      '<blockquote><p>Loud</p></blockquote>',
      '<p>!</p>',
      '<p>Mind the gap</p>',
      '<h4>Why?</h4>',
      '<p>Because.</p>',
    ].join('\n'),
  },
  {
    title: 'Ghost, Mobiledoc and cards',
    html: [
      '<!--kg-card-begin: markdown--><p>Text<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup></p>',
      '<section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>Note <a href="#fnref1" class="footnote-backref">back</a></p></li></ol></section><!--kg-card-end: markdown--><figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://sea.example/x"><div class="kg-bookmark-content"><div class="kg-bookmark-title">The sea</div><div class="kg-bookmark-description">About it</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="https://sea.example/i.ico"><span class="kg-bookmark-author">Sea</span></div></div></a></figure><figure class="kg-card kg-gallery-card"><div class="kg-gallery-container"><div class="kg-gallery-row"><div class="kg-gallery-image"><img src="https://harbour.example/1.jpg" alt=""></div><div class="kg-gallery-image"><img src="https://harbour.example/2.jpg" alt=""></div></div></div><figcaption>Two</figcaption></figure><figure class="kg-card kg-embed-card"><iframe width="200" height="113" src="https://player.vimeo.com/video/1" title="A film" allowfullscreen></iframe></figure><!--kg-card-begin: html--><center><font size="2">Old</font></center><script>x()</script><!--kg-card-end: html-->',
    ].join('\n'),
    markup: [
      '<p>Text<sup><a href="#fn1" id="fnref1">[1]</a></sup></p>',
      '<ol><li id="fn1">Note <a href="#fnref1">back</a></li></ol>',
      '<p><a href="https://sea.example/x">The sea</a></p>',
      '<p><a href="https://sea.example/x">About it</a></p>',
      '<p><a href="https://sea.example/x"><img src="https://sea.example/i.ico"/>Sea</a></p>',
      '<figure><img src="https://harbour.example/1.jpg" alt=""/><img src="https://harbour.example/2.jpg" alt=""/><figcaption>Two</figcaption></figure>',
      '<p>Old</p>',
    ].join('\n'),
  },
  {
    title: 'Drupal',
    options: { base: 'https://harbour.example/' },
    html: [
      '<div class="field field--name-body"><p>Text<br>',
      'line two</p><drupal-media data-entity-uuid="x" data-align="left">&nbsp;</drupal-media><img alt="Crane" data-entity-type="file" data-entity-uuid="y" src="/sites/default/files/inline-images/crane.jpg" class="align-left"><p><a href="/node/7" data-entity-substitution="canonical">Node</a></p><ol type="i"><li>one<li>two</ol></div>',
    ].join('\n'),
    markup: [
      '<p>Text<br/>line two</p>',
      '<p><img src="https://harbour.example/sites/default/files/inline-images/crane.jpg" alt="Crane"/></p>',
      '<p><a href="https://harbour.example/node/7">Node</a></p>',
      '<ol type="i"><li>one</li><li>two</li></ol>',
    ].join('\n'),
  },
  {
    title: 'Joomla',
    options: { base: 'https://harbour.example/' },
    html: [
      '<p style="text-align: justify;"><span style="font-size: 12pt;"><strong>Notice:</strong> the <span style="text-decoration: underline;">ferry</span></span></p>',
      '<p><img style="float: left;" src="images/ferry.jpg" border="0" alt="Ferry" width="120px" /></p>',
      '<hr id="system-readmore" />',
      '<table border="1" cellpadding="3" style="width:100%"><tbody><tr><td valign="top" width="50%">A</td><td>B<br></td></tr></tbody></table>{loadposition x}<p>&nbsp;</p>',
    ].join('\n'),
    markup: [
      '<p><strong>Notice:</strong> the <u>ferry</u></p>',
      '<p><img src="https://harbour.example/images/ferry.jpg" alt="Ferry" width="120"/></p>',
      '<hr id="system-readmore"/>',
      '<table><tbody><tr><td>A</td><td>B</td></tr></tbody></table>',
      '<p>{loadposition x}</p>',
    ].join('\n'),
  },
  {
    title: 'Word, saved as a page',
    html: "<html><head><meta charset=windows-1252><title>Document1</title><style>p.MsoNormal{margin:0}</style></head><body lang=EN-GB><div class=WordSection1><h1>Report<o:p></o:p></h1><p class=MsoNormal><b><span lang=EN-GB style='font-size:12.0pt'>Bold</span></b> and <i>slanted</i><o:p></o:p></p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span></span><![endif]>First</p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span><![endif]>Within</p><p class=MsoNormal>Noted<a style='mso-footnote-id:ftn1' href=\"#_ftn1\" name=\"_ftnref1\" title=\"\"><span class=MsoFootnoteReference>[1]</span></a></p></div><div style='mso-element:footnote-list'><hr align=left size=1 width=\"33%\"><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a href=\"#_ftnref1\" name=\"_ftn1\">[1]</a> The note</p></div></div></body></html>",
    markup: [
      '<h1>Report</h1>',
      '<p><b><span lang="EN-GB">Bold</span></b> and <i>slanted</i></p>',
      '<ul><li>First<ul><li>Within</li></ul></li></ul>',
      '<p>Noted<a href="#_ftn1" title="" id="_ftnref1">[1]</a></p>',
      '<hr/>',
      '<p><a href="#_ftnref1" id="_ftn1">[1]</a> The note</p>',
    ].join('\n'),
  },
  {
    title: 'Google Docs, as a page',
    html: '<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type"><style type="text/css">ol{margin:0}</style></head><body class="c5 doc-content"><h2 class="c3" id="h.abc"><span class="c2">Plan</span></h2><p class="c1"><span>We </span><span style="font-weight:700">must</span><span> </span><span class="c6"><a class="c7" href="https://www.google.com/url?q=https://harbour.example/&amp;sa=D">go</a></span></p><ul class="c8 lst-kix-0"><li class="c1"><span>One</span></li></ul><ul class="c8 lst-kix-1"><li class="c1"><span>Deeper</span></li></ul><p class="c1"><span style="overflow:hidden;display:inline-block"><img alt="" src="images/image1.png" style="width:600px" title=""></span></p></body></html>',
    markup: [
      '<h2 id="h.abc">Plan</h2>',
      '<p>We <strong>must</strong> <a href="https://www.google.com/url?q=https://harbour.example/&amp;sa=D">go</a></p>',
      '<ul><li>One</li></ul>',
      '<ul><li>Deeper</li></ul>',
      '<p><img src="images/image1.png" alt="" title=""/></p>',
    ].join('\n'),
  },
  {
    title: 'Pages',
    html: '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><html><head><meta http-equiv="Content-Style-Type" content="text/css"><meta name="Generator" content="Cocoa HTML Writer"></head><body><p class="p1"><span class="s1"><b>Harbour</b></span></p><p class="p2"><span class="s2"></span><br></p><p class="p3"><span class="Apple-converted-space">  </span>Text with a <span class="Apple-tab-span">\t</span>tab</p><ul class="ul1"><li class="li1"><span class="s3"></span>Item</li></ul></body></html>',
    markup: ['<p><b>Harbour</b></p>', '<p>Text with a tab</p>', '<ul><li>Item</li></ul>'].join('\n'),
  },
  {
    title: 'Outlook',
    html: '<div class="WordSection1"><p class="MsoNormal">Dear crew,<o:p></o:p></p><table class="MsoNormalTable" border="0" cellspacing="0" cellpadding="0" role="presentation"><tr><td style="padding:0cm"><p class="MsoNormal">Left</p></td><td><p class="MsoNormal"><a href="mailto:crew@harbour.example">crew@harbour.example</a></p></td></tr></table><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> Master<br><b>Subject:</b> Tides</p></div><img width="1" height="1" src="cid:image001.png@01D5"></div>',
    markup: [
      '<p>Dear crew,</p>',
      '<p>Left</p>',
      '<p><a href="mailto:crew@harbour.example">crew@harbour.example</a></p>',
      '<p><b>From:</b> Master<br/><b>Subject:</b> Tides</p>',
    ].join('\n'),
  },
  {
    title: 'Gmail',
    html: '<div dir="ltr">Hello<div><br></div><div>The <b>ferry</b> is late.</div><div><ul><li>one</li><li style="margin-left:15px">two</li></ul></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex"><div>On Monday you wrote:<br></div></blockquote><div class="gmail_signature" data-smartmail="gmail_signature">-- <br>Crew</div></div>',
    markup: [
      '<p>Hello</p>',
      '<p>The <b>ferry</b> is late.</p>',
      '<ul><li>one</li><li>two</li></ul>',
      '<blockquote><p>On Monday you wrote:</p></blockquote>',
      '<p>-- <br/>Crew</p>',
    ].join('\n'),
  },
  {
    title: 'Medium',
    html: '<section name="a1" class="section"><div class="section-content"><div class="section-inner"><h3 name="b2" id="b2" class="graf graf--h3 graf--title">Title</h3><figure name="c3" id="c3" class="graf graf--figure"><img class="graf-image" data-image-id="1*x.jpeg" data-width="800" src="https://cdn-images-1.medium.com/max/800/x.jpeg"><figcaption class="imageCaption">Seen <em class="markup--em">from</em> afar</figcaption></figure><p name="d4" class="graf graf--p">Text with <code class="markup--code">code</code>.</p><pre class="graf graf--pre">line<br>two</pre><blockquote class="graf graf--pullquote">Quote</blockquote></div></div></section>',
    markup: [
      '<h3 id="b2">Title</h3>',
      '<figure id="c3"><img src="https://cdn-images-1.medium.com/max/800/x.jpeg"/><figcaption>Seen <em>from</em> afar</figcaption></figure>',
      '<p>Text with <code>code</code>.</p>',
      '<pre>line<br/>two</pre>',
      '<blockquote><p>Quote</p></blockquote>',
    ].join('\n'),
  },
]

const withoutList = (html: string): string => html.replaceAll(/<!\[if !supportLists\]>.*?<!\[endif\]>/g, '')

describe('a body of', () => {
  for (const { title, options = {}, html, markup } of fixtures)
    it(title, () => {
      const body = toBody(html, options)
      expect(body.markup).to.equal(markup)
      expect(E.isRight(checkMarkup(markup, { slots: true }))).to.equal(true)
      expect(wordsOf(markup)).to.deep.equal(wordsOf(withoutList(html)))
    })
})

const listed = (html: string, options?: BodyOptions): readonly string[] =>
  toBody(html, options).changes.map(({ kind, line, column, text }) => `${line}:${column} ${kind}: ${text}`)

describe('what is changed', () => {
  it('is listed with its place', () => {
    const html =
      '<p class="x" align=left>a<font size=1>b</font>\n<strike>c</strike><a href="javascript:d()">e</a></p>\n<script>f()</script><!-- g --><iframe src="https://h.example/"></iframe>&#1;'
    expect(listed(html)).to.deep.equal([
      '1:1 attribute: class, align of <p>',
      '1:26 element: <font> with size, but not its text',
      '2:1 element: <s> in place of <strike>',
      '2:19 attribute: href of <a>',
      '2:19 address: a link to javascript:d(), but not its text',
      '3:1 code: <script>',
      '3:21 comment: g',
      '3:31 medium: frame https://h.example/',
      '3:31 character: 1 characters that markup does not have',
    ])
  })

  it('is nothing of a text that says only what bodies say', () => {
    expect(
      listed('<h2 id="a">b</h2><p>c <em>d</em><br>e</p><ul><li>f</ul><table><tr><td>g<td>h</table>'),
    ).to.deep.equal([])
  })

  it('is the hidden text of a copied document', () => {
    const html =
      '<p>a<span style="display:none">b</span><span class="msoDel">c</span></p><div style="mso-element:comment">d</div>'
    expect(toBody(html, { isCopied: true }).markup).to.equal('<p>a</p>')
    expect(listed(html, { isCopied: true }).map((each) => each.split(' ').slice(1).join(' '))).to.deep.equal([
      'hidden text: b',
      'hidden text: c',
      'hidden text: d',
    ])
    expect(toBody(html).markup).to.equal('<p>abc</p>\n<p>d</p>')
  })
})

describe('media', () => {
  const html =
    '<p>a<img src="/b.jpg" alt="c" width="10px"></p><figure><img src="d.jpg"><figure><video><source src="e.mp4"><source src="f.webm">g</video><figcaption>h <b>i</b></figcaption></figure><figcaption>j</figcaption></figure><iframe src="//www.youtube.com/embed/k"></iframe>'
  const base = 'https://l.example/m/'

  it('are found with their addresses, captions and places', () => {
    const { markup, media } = toBody(html, { base })
    expect(markup).to.equal(
      '<p>a<img src="https://l.example/b.jpg" alt="c" width="10"/></p>\n<figure><img src="https://l.example/m/d.jpg"/><figure><p>g</p><figcaption>h <b>i</b></figcaption></figure><figcaption>j</figcaption></figure>',
    )
    expect(
      media.map(({ kind, address, versions, caption, host, index }) => [
        kind,
        address,
        versions.length,
        caption,
        host,
        markup.slice(index, index + 4),
      ]),
    ).to.deep.equal([
      ['picture', 'https://l.example/b.jpg', 0, '', null, '<img'],
      ['picture', 'https://l.example/m/d.jpg', 0, 'j', null, '<img'],
      ['video', 'https://l.example/m/e.mp4', 1, 'h <b>i</b>', null, 'g</p'],
      ['frame', 'https://www.youtube.com/embed/k', 0, '', 'video_host_1', ''],
    ])
  })

  it('are placed in slots, with those of a figure in one', () => {
    const ids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
    const groups: (readonly string[])[] = []
    const { markup, media } = toBody(html, {
      base,
      placeMedia: (group) => ({
        slot: ids[groups.push(group.map(({ kind }) => kind)) - 1] ?? '',
        hasCaption: true,
      }),
    })
    expect(groups).to.deep.equal([['picture'], ['picture', 'video'], ['frame']])
    expect(markup).to.equal(
      `<p>a</p>\n<slot id="${ids[0]}"/>\n<slot id="${ids[1]}"/>\n<p>g</p>\n<slot id="${ids[2]}"/>`,
    )
    expect(media.map(({ caption }) => caption)).to.deep.equal(['', 'j', 'h <b>i</b>', ''])
    expect(E.isRight(checkMarkup(markup, { slots: true }))).to.equal(true)
  })
})

describe('elements that links lead to', () => {
  it('may be empty, also within another element that they could not be in', () => {
    const { markup } = toBody('<p><dfn>a <b><dfn id="b"></dfn></b></dfn><em id="c"></em></p>')
    expect(markup).to.equal('<p><dfn>a <b><span id="b"></span></b></dfn><em id="c"></em></p>')
    expect(E.isRight(checkMarkup(markup, { slots: false }))).to.equal(true)
  })
})
