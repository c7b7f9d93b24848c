import { expect } from 'chai'
import { describe, it } from 'mocha'
import { describeModel } from '../describe-model.js'
import { elementKinds } from './element-kinds.js'
import type { Attributes, MarkupNode } from './element-tree.js'
import { readableText } from './readable-text.js'

const element = (name: string, children: readonly MarkupNode[], attributes: Attributes = {}): MarkupNode => ({
  name,
  attributes,
  children,
})

const kinds = elementKinds(describeModel().elements)

describe('readableText', () => {
  it('has a line for each block, and the words of inline elements in them', () => {
    const nodes = [
      element('h2', ['Fog']),
      '\n',
      element('p', [
        'The ',
        element('em', ['old']),
        '\n harbour',
        element('br', []),
        'lay',
        { comment: 'x' },
      ]),
      element('ul', [element('li', ['Nets']), '\n  ', element('li', [element('p', ['Crates'])])]),
    ]
    expect(readableText(nodes, kinds, '[Media]')).to.equal('Fog\nThe old harbour\nlay\nNets\nCrates')
  })

  it('names media, and has the texts of pictures', () => {
    const nodes = [
      element('p', ['Look: ', element('img', [], { src: '/a', alt: 'A crane' })]),
      element('slot', [], { id: 'x' }),
    ]
    expect(readableText(nodes, kinds, '[Media]')).to.equal('Look: A crane\n[Media]')
  })
})
