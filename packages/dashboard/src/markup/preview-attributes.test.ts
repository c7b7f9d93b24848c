import { expect } from 'chai'
import { describe, it } from 'mocha'
import { previewAttributes } from './preview-attributes.js'

const shown = (name: string, attributes: Readonly<Record<string, string>>) =>
  previewAttributes({ name, attributes, children: [] })

describe('previewAttributes', () => {
  it('has the names that elements have in pages', () => {
    expect(shown('td', { colspan: '2', lang: 'de' })).to.deep.equal({ colSpan: '2', lang: 'de' })
    expect(shown('ol', { reversed: '', start: '3' })).to.deep.equal({ reversed: true, start: '3' })
  })

  it('leaves out handlers, styles, and names that the page uses', () => {
    const attributes = {
      onclick: 'alert()',
      onload: 'alert()',
      style: 'x',
      id: 'content',
      class: 'a',
      key: 'k',
    }
    expect(shown('p', attributes)).to.deep.equal({})
    expect(shown('p', { constructor: 'x', dangerouslySetInnerHTML: 'x' })).to.deep.equal({})
  })

  it('opens addresses of the web only, in a new window', () => {
    expect(shown('a', { href: 'https://example.org/', target: '_self' })).to.deep.equal({
      href: 'https://example.org/',
      target: '_blank',
      rel: 'noopener noreferrer',
    })
    for (const href of ['javascript:alert()', ' javascript:alert()', 'data:text/html,x', '/news/', '#/1'])
      expect(shown('a', { href })).to.deep.equal({})
    expect(shown('img', { src: 'data:image/svg+xml,x', alt: 'A' })).to.deep.equal({ alt: 'A' })
    expect(shown('iframe', { src: 'https://example.org/' })).to.deep.equal({})
  })
})
