/**
 * The schema as data is whole: what it names, it explains.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { bodySchema, slotlessSchema, type ContentModel, type MarkupSchema } from './body-schema.js'

const childrenOf = (model: ContentModel): readonly string[] => (model.kind === 'empty' ? [] : model.elements)

const reachable = (schema: MarkupSchema): ReadonlySet<string> => {
  const seen = new Set(childrenOf(schema.top))
  for (const name of seen) {
    const rule = schema.elements.find((each) => each.name === name)
    for (const child of rule === undefined ? [] : childrenOf(rule.content)) seen.add(child)
  }
  return seen
}

describe('the schema of bodies', () => {
  for (const [title, schema] of [
    ['of content', bodySchema],
    ['of media, tags and locations', slotlessSchema],
  ] as const) {
    it(`${title} has exactly one rule for each element that may stand somewhere`, () => {
      const names = schema.elements.map(({ name }) => name)
      expect(new Set(names).size).to.equal(names.length)
      expect([...reachable(schema)]).to.have.members(names)
    })
  }

  it('lists the elements of the specification and no other', () => {
    expect(bodySchema.elements.map(({ name }) => name)).to.have.members(
      'p h4 hr pre blockquote ul ol li u strong em sub sup cite mark s small q wbr a slot'.split(' '),
    )
    expect(childrenOf(bodySchema.top)).to.have.members('p h4 hr pre blockquote ul ol slot'.split(' '))
    expect(slotlessSchema.elements.map(({ name }) => name)).not.to.include('slot')
  })

  it('describes every element and attribute', () => {
    for (const { description, attributes } of bodySchema.elements) {
      expect(description).not.to.equal('')
      for (const attribute of attributes) expect(attribute.description).not.to.equal('')
    }
  })
})
