/** Addresses of markup outside of its page (docs/behaviour/feeds.md#entries). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { legalMarkup } from '../testing/arbitraries.js'
import { bodySchema } from './body-schema.js'
import { checkMarkup } from '../value/markup.js'
import { withAbsoluteAddresses, withoutSlots } from './with-absolute-addresses.js'

const base = 'https://www.example.org/news/story/'

describe('markup with absolute addresses', () => {
  it('has them in every attribute with an address, and is otherwise unchanged', () => {
    for (const [relative, absolute] of [
      ['<a  href="/x">/x</a>', '<a  href="https://www.example.org/x">/x</a>'],
      [
        `<a title='href="/x"' href = '../o"é'>x</a>`,
        `<a title='href="/x"' href = 'https://www.example.org/news/o%22%C3%A9'>x</a>`,
      ],
      ['<a href="?a=1&amp;b=&#x27;2">x</a>', `<a href="${base}?a=1&amp;b=%272">x</a>`],
      ['<a href="#n">x</a>', `<a href="${base}#n">x</a>`],
      ['<blockquote cite="a.html">x</blockquote>', `<blockquote cite="${base}a.html">x</blockquote>`],
      ['<!-- <a href="/x"> --><p data-href="/x">href="/x"</p>', ''],
      [
        '<img src="i/a.jpg" srcset=" /a.jpg 2x, b,c.jpg, https://b.example/d.jpg 3x" alt="/x"/>',
        `<img src="${base}i/a.jpg" srcset=" https://www.example.org/a.jpg 2x, ${base}b,c.jpg, https://b.example/d.jpg 3x" alt="/x"/>`,
      ],
      ['<a href="mailto:a@b.example">x</a><a href="https://b.example/x?a&amp;b">x</a>', ''],
    ] as const)
      expect(withAbsoluteAddresses(relative, base)).to.equal(absolute === '' ? relative : absolute)
  })

  it('is made in time linear in its length', () => {
    const image = `<img src="/x" srcset="${'/a.jpg, '.repeat(50_000)}"/>`
    expect(withAbsoluteAddresses(image, base).match(/https:/g)).to.have.lengthOf(50_001)
  })

  it('is valid, and does not depend on the page', () =>
    fc.assert(
      fc.property(legalMarkup(bodySchema), (body) => {
        const read = withAbsoluteAddresses(body, base)
        expect(checkMarkup(read, { slots: true })).to.have.property('right')
        expect(withAbsoluteAddresses(read, 'https://other.example/')).to.equal(read)
      }),
      { numRuns: 50 },
    ))
})

const id = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

describe('withoutSlots', () => {
  it('removes slot tags in every form, and nothing else', () => {
    for (const tag of [
      `<slot id="${id}"/>`,
      `<slot\n id='${id}' />`,
      `<slot id="${id}"></slot>`,
      `<slot id="${id}"> </slot >`,
    ])
      expect(withoutSlots(`<p>a</p>${tag}<p>b</p>${tag}`), tag).to.equal('<p>a</p><p>b</p>')
    for (const body of ['', '<p>a &lt;slot></p>', '<!-- <slot id="x"/> -->', '<p title="slot">slot</p>'])
      expect(withoutSlots(body)).to.equal(body)
  })
})
