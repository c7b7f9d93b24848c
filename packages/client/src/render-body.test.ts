import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { renderBody, type PageMedium } from './render-body.js'

const slot = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const image = {
  uuid: 'u',
  url: 'http://service.test/1/files/u/download/7',
  mimetype: 'image/png',
  width: 400,
  height: 300,
  alt: 'A "cat"',
  caption: null,
  credits: 'Ann & Bo',
  focal_point: null,
  placeholder: null,
  srcset: [{ width: 320, url: 'http://service.test/1/files/u/download/7?w=320&format=auto' }],
}
const thumb = { thumb_uuid: null, thumb_url: 'http://service.test/t', thumb_mimetype: null }
const illustrated = {
  image_uuid: 'u',
  image_url: image.url,
  image_mimetype: 'image/png',
  file: image,
}
const medium = { title: null, content: null, slot_uuid: slot, ...thumb }
const photograph: PageMedium = {
  ...medium,
  ...illustrated,
  type: 'file',
  title: 'On <its> pad',
  content: '<em>At</em> dawn',
  file_uuid: null,
  file_url: null,
  file_mimetype: null,
  file_byte_size: null,
}
const external: PageMedium = {
  ...medium,
  ...illustrated,
  type: 'external',
  file: null,
  url_type: 'video_host_1',
  url: 'https://video.example.org/w?a=1&b=2',
  urls: null,
}
const embedOf = (markup: string): PageMedium => ({ ...medium, type: 'embed', embed_code: markup })

const html = (content: string, ...media: readonly PageMedium[]): string =>
  renderBody(content, media.length === 0 ? {} : { [slot]: media })

describe('renderBody', () => {
  it('returns the elements and attributes of bodies', () => {
    const body =
      '<h2 id="a">A &amp; B</h2><p class="lead" data-x="1">“x”<br/><a href="/a?b=1&amp;c=2">y</a></p><ol start="3"><li value="4">z</li></ol>'
    expect(html(body)).to.equal(body)
    expect(html("<p lang='de'>it&apos;s &#233;&#xe9;</p><p/>")).to.equal(
      '<p lang="de">it&#39;s éé</p><p></p>',
    )
    expect(renderBody(null, {})).to.equal('')
  })

  it('leaves out every other element and attribute, and retains the text', () => {
    expect(html('<script>alert(1)</script><P>x</P>')).to.equal('alert(1)x')
    expect(html('<p onclick="a()" style="x" data-a"b="c" __proto__="1" constructor="2">x</p>')).to.equal(
      '<p>x</p>',
    )
    expect(html('a<!-- <b> -->b<!DOCTYPE x>c<?php x ?>d<![CDATA[e]]>f')).to.equal('abcdf')
    expect(html('1 < 2 & 3 > 2 &toString; &#0; &#x110000; &#1.5;')).to.equal(
      '1 &lt; 2 &amp; 3 &gt; 2 &amp;toString; &amp;#0; &amp;#x110000; &amp;#1.5;',
    )
  })

  it('closes what is open, and no more', () => {
    expect(html('</p><p><em>x</p></em><b>y')).to.equal('<p><em>x</em></p><b>y</b>')
    expect(html('<p>x<a href="y')).to.equal('<p>x</p>')
    expect(html('<b>'.repeat(100_000))).to.equal('<b>'.repeat(32) + '</b>'.repeat(32))
  })

  it('has no address that runs a script', () => {
    const addresses = [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java&#10;script:alert(1)',
      'java&#x9;script&#58;alert(1)',
      '&#1;javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
      '/\\evil.example',
      'blob:x',
    ]
    for (const address of addresses)
      expect(
        html(`<a href="${address}">x</a><img src="${address}" srcset="/a 1x, ${address} 2x"/>`),
      ).to.equal('<a>x</a><img/>')
    for (const address of ['https://a.example/:b', 'mailto:a@b.example', 'tel:+43', '?a:b', '#a:b', './a:b'])
      expect(html(`<a href="${address}">x</a>`)).to.equal(`<a href="${address}">x</a>`)
    expect(html('<img src="/a" srcset="/a?f=1,2 1x,&#10;https://b.example/ 2x"/>')).to.include('srcset')
  })

  it('ends for every text, with tags that match', () => {
    const piece = fc.constantFrom(
      ...'< > / = " \' & ; <p> </p> <slot <!-- --> <br/> <td <a href=x'.split(' '),
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 }))), (pieces) => {
        const rendered = html(pieces.join(' '))
        // What is safe is rendered as it is.
        expect(html(rendered)).to.equal(rendered)
      }),
    )
  })

  it('puts the media of a slot in its place, not into a paragraph', () => {
    const figure =
      '<figure><img src="http://service.test/1/files/u/download/7?w=320&amp;format=auto" srcset="http://service.test/1/files/u/download/7?w=320&amp;format=auto 320w" sizes="100vw" width="320" height="240" alt="A &quot;cat&quot;" loading="lazy"/><figcaption><strong>On &lt;its&gt; pad</strong> <em>At</em> dawn <small>Ann &amp; Bo</small></figcaption></figure>'
    const tag = `<slot id="${slot.toUpperCase()}" onclick="x"/>`
    expect(html(`<p>a</p><p> ${tag} </p><p>b</p>`, photograph)).to.equal(`<p>a</p>${figure} <p>b</p>`)
    expect(html(`<p>a${tag}b</p>`, photograph)).to.equal(`<p>a</p>${figure}b`)
    expect(html(tag, photograph, photograph)).to.equal(`<div class="gallery">${figure}${figure}</div>`)
    expect(html(`<slot id="constructor"/>${tag}`)).to.equal('')
  })

  it('has players for audio and video, and links to other hosts', () => {
    const tag = `<slot id="${slot}"/>`
    const audio = { ...photograph, title: null, content: null, file: null }
    expect(
      html(tag, { ...audio, file_url: 'http://service.test/a.mp3', file_mimetype: 'audio/mpeg' }),
    ).to.equal(
      '<figure><audio controls="" preload="none"><source src="http://service.test/a.mp3" type="audio/mpeg"/></audio></figure>',
    )
    const urls = [
      { url: 'https://a.example/v.webm', mimetype: null },
      { url: 'javascript:alert(1)', mimetype: null },
    ]
    expect(html(tag, { ...external, url_type: 'video', url: null, urls })).to.equal(
      '<figure><video controls="" preload="none"><source src="https://a.example/v.webm"/></video></figure>',
    )
    expect(html(tag, external)).to.equal(
      '<figure><a href="https://video.example.org/w?a=1&amp;b=2">video.example.org/w?a=1&amp;b=2</a></figure>',
    )
    const code = '<iframe src="https://maps.example.org/e?q=1&amp;r=2"></iframe><script>x</script>'
    expect(html(tag, embedOf(code))).to.equal(
      '<figure><a href="https://maps.example.org/e?q=1&amp;r=2">maps.example.org/e?q=1&amp;r=2</a></figure>',
    )
    expect(html(tag, embedOf('<script>x</script>'))).to.equal('')
  })

  it('has what components return in place of the default', () => {
    const rendered = renderBody(
      `<slot id="${slot}"/>`,
      { [slot]: [photograph, embedOf('<b>x</b>')] },
      {
        sizes: '20rem',
        slot: (media, id) => `<section id="${id}">${media.join('|')}</section>`,
        embed: ({ embed_code: code }) => code,
      },
    )
    expect(rendered)
      .to.include('sizes="20rem"')
      .and.match(/\|<b>x<\/b><\/section>$/)
  })
})
