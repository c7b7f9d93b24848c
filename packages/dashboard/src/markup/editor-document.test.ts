/** Markup in the editor: nothing is lost, and what the editor writes is accepted. */
import { bodySchema, checkMarkup } from '@publishing-service/domain/markup'
import { legalMarkup } from '@publishing-service/domain/testing/arbitraries'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { documentFrom, markupNodesOf, type EditorNode } from './editor-document.js'
import { elementKinds, elementModels } from './element-kinds.js'
import { isElement, markupOf, type MarkupNode } from './element-tree.js'
import { parse } from '../editor/editor-state.test-data.js'

const kinds = elementKinds(elementModels(bodySchema))

const roundTrip = (text: string): string => markupOf(markupNodesOf(documentFrom(parse(text), kinds)))

/** Every element, comment and visible text, in the order of the markup. */
const contents = (nodes: readonly MarkupNode[]): readonly unknown[] =>
  nodes.flatMap((node): readonly unknown[] => {
    if (typeof node === 'string') return [...node.replace(/[ \t\r\n]/g, '')]
    return isElement(node) ? [[node.name, node.attributes], ...contents(node.children), '/'] : [node]
  })

const withoutKeys = (node: EditorNode): unknown =>
  JSON.parse(JSON.stringify(node, (name, value: unknown) => (name === 'key' ? null : value)))

describe('markup in the editor', () => {
  it('keeps all elements, attributes, comments and texts, in their order', () => {
    fc.assert(
      fc.property(legalMarkup(bodySchema), (text) => {
        const written = roundTrip(text)
        expect(contents(parse(written))).to.deep.equal(contents(parse(text)))
        expect(withoutKeys(documentFrom(parse(written), kinds))).to.deep.equal(
          withoutKeys(documentFrom(parse(text), kinds)),
        )
      }),
    )
  })

  it('is accepted by the service after an edit', () => {
    fc.assert(
      fc.property(legalMarkup(bodySchema), (text) => {
        const checked = checkMarkup(roundTrip(text), { slots: true })
        expect(checked).to.have.property('_tag', 'Right')
      }),
    )
  })

  it('has one line for each block, and white space as browsers show it', () => {
    expect(roundTrip('<p>One\n  <em> two</em> three </p>\n\n <ul>\n<li>Four</li> </ul> five')).to.equal(
      '<p>One <em>two</em> three</p>\n<ul><li>Four</li></ul>\nfive',
    )
    expect(roundTrip('<pre> a\n  b </pre>')).to.equal('<pre> a\n  b </pre>')
    expect(roundTrip('<p><slot id="a"/></p>')).to.equal('<p><slot id="a"/></p>')
  })

  it('does not merge adjacent elements, or change their nesting', () => {
    for (const text of [
      '<p><kbd>Ctrl</kbd><kbd>C</kbd></p>',
      '<p><a href="/"><strong>a</strong> b</a></p>',
      '<p><strong><a href="/">a</a></strong></p>',
      '<p><em>a<strong>b</strong></em><strong>c</strong></p>',
    ])
      expect(roundTrip(text)).to.equal(text)
  })

  it('has no empty paragraphs but those that the markup had', () => {
    const made: EditorNode[] = [{ type: 'p' }, { type: 'bare' }]
    const { content = [] } = documentFrom(parse('<p></p><p>Text</p>'), kinds)
    expect(markupOf(markupNodesOf({ type: 'doc', content: [...made, ...content, ...made] }))).to.equal(
      '<p></p>\n<p>Text</p>',
    )
  })

  it('has a text in empty items and cells, so that something can be typed there', () => {
    const { content = [] } = documentFrom(parse('<ul><li></li></ul><p></p>'), kinds)
    expect(content[0]?.content?.[0]?.content).to.deep.equal([{ type: 'bare' }])
    expect(roundTrip('<table><tr><td></td><td> </td></tr></table>')).to.equal(
      '<table><tr><td></td><td></td></tr></table>',
    )
  })

  it('puts text that the markup had without a paragraph into one where it is moved', () => {
    const { content = [] } = documentFrom(parse('<ul><li>Item</li></ul>Bare'), kinds)
    const moved = [...(content[0]?.content?.[0]?.content ?? []), ...content.slice(1)]
    expect(markupOf(markupNodesOf({ type: 'doc', content: moved }))).to.equal('<p>Item</p>\nBare')
  })

  it('puts new text of list items and cells directly into them, and new text elsewhere into paragraphs', () => {
    const bare: EditorNode = { type: 'bare', content: [{ type: 'text', text: 'New' }] }
    const list: EditorNode = { type: 'ul', content: [{ type: 'li', content: [bare] }] }
    expect(markupOf(markupNodesOf({ type: 'doc', content: [bare, list] }))).to.equal(
      '<p>New</p>\n<ul><li>New</li></ul>',
    )
  })
})
