/**
 * The schema as data is complete: each element that it names has a rule.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { bodySchema, dangerousElements, slotlessSchema, type MarkupSchema } from './body-schema.js'

const reachable = (schema: MarkupSchema): ReadonlySet<string> => {
  const seen = new Set(schema.top.elements)
  for (const name of seen) {
    const rule = schema.elements.find((each) => each.name === name)
    for (const child of rule?.content.elements ?? []) seen.add(child)
  }
  return seen
}

describe('the schema of bodies', () => {
  for (const [title, schema] of [
    ['of content', bodySchema],
    ['of media, tags and locations', slotlessSchema],
  ] as const) {
    it(`${title} has exactly one rule for each element that is accepted somewhere`, () => {
      const names = schema.elements.map(({ name }) => name)
      expect(new Set(names).size).to.equal(names.length)
      expect([...reachable(schema)]).to.have.members(names)
    })
  }

  it('lists these elements and no other', () => {
    const blocks =
      'p h1 h2 h3 h4 h5 h6 hr pre blockquote ul ol dl figure table div section article aside header footer details address slot'
    const parts = 'li dt dd figcaption caption thead tbody tfoot tr th td summary'
    const inlines =
      'a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr'
    const named = (category: string) =>
      bodySchema.elements.filter((each) => each.category === category).map(({ name }) => name)
    expect(named('block')).to.have.members(blocks.split(' '))
    expect(named('inline')).to.have.members(inlines.split(' '))
    expect(named('part')).to.have.members(parts.split(' '))
    expect(bodySchema.top.elements).to.have.members([...blocks.split(' '), ...inlines.split(' ')])
    expect(slotlessSchema.elements.map(({ name }) => name)).not.to.include('slot')
  })

  it('has no element that HTML parses as raw text or in another namespace, and none that is called dangerous', () => {
    const changing =
      'script style iframe noembed noframes noscript plaintext xmp textarea title template svg math select image'
    for (const { name } of bodySchema.elements) {
      expect(changing.split(' ')).not.to.include(name)
      expect(dangerousElements).not.to.have.own.property(name)
    }
  })

  it('describes every element and attribute', () => {
    for (const { description, attributes } of bodySchema.elements) {
      expect(description).not.to.equal('')
      for (const attribute of attributes) expect(attribute.description).not.to.equal('')
    }
  })
})
