import { Fragment } from '@tiptap/pm/model'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { afterCommand, stateOf } from './editor-state.test-data.js'
import { slotIdOf } from './slot-node.js'
import { insertSlots, removeSlots } from './slot-place.js'

const insert = (markup: string): string | null =>
  afterCommand(markup, ({ tr, schema, selection }, dispatch) => {
    const slot = schema.nodes['slot']?.create({ attributes: { id: 's' } })
    dispatch?.(insertSlots(tr, selection.to, Fragment.from(slot)))
    return true
  })

describe('insertSlots', () => {
  it('inserts before or after the block at the caret, and never within a word', () => {
    expect(insert('<p>Repo|rters gathered.</p>')).to.equal('<slot id="s"/>\n<p>Repo|rters gathered.</p>')
    expect(insert('<p>Reporters gather|ed.</p>')).to.equal('<p>Reporters gather|ed.</p>\n<slot id="s"/>')
    expect(insert('<p>a</p><h2>b|</h2><p>c</p>')).to.equal('<p>a</p>\n<h2>b|</h2>\n<slot id="s"/>\n<p>c</p>')
    expect(insert('<pre>a|b</pre>')).to.equal('<slot id="s"/>\n<pre>a|b</pre>')
  })

  it('divides no list, quotation or table', () => {
    expect(insert('<ul><li>a</li><li>bb|</li></ul>')).to.equal(
      '<ul><li>a</li><li>bb|<slot id="s"/></li></ul>',
    )
    expect(insert('<blockquote><p>a|</p><p>b</p></blockquote>')).to.equal(
      '<blockquote><p>a|</p><slot id="s"/><p>b</p></blockquote>',
    )
    expect(insert('<dl><dt>a|</dt><dd>b</dd></dl>')).to.equal(
      '<slot id="s"/>\n<dl><dt>a|</dt><dd>b</dd></dl>',
    )
  })
})

describe('removeSlots', () => {
  it('removes these slots, and nothing else', () => {
    const { tr } = stateOf('<p>|a</p><slot id="x"/><p>b</p><slot id="y"/><ul><li>c<slot id="z"/></li></ul>')
    const { doc } = removeSlots(tr, new Set(['x', 'z']))
    const slots: string[] = []
    doc.descendants(({ type, attrs }) => {
      if (type.name === 'slot') slots.push(slotIdOf(attrs))
    })
    expect(slots).to.deep.equal(['y'])
    expect(doc.textContent).to.equal('abc')
  })
})
