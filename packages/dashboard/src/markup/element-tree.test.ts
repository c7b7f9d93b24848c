import { expect } from 'chai'
import { describe, it } from 'mocha'
import { unknownElement, type MarkupNode } from './element-tree.js'

const element = (name: string, ...children: readonly MarkupNode[]): MarkupNode => ({
  name,
  attributes: {},
  children,
})

describe('unknownElement', () => {
  const names = new Set(['p', 'em'])

  it('finds an element at any depth', () => {
    expect(unknownElement([element('p', 'text', element('em', element('font')))], names)).to.equal('font')
  })

  it('finds none among known elements, texts and comments', () => {
    expect(unknownElement([{ comment: 'font' }, element('p', element('em', 'font'))], names)).to.equal(null)
  })
})
