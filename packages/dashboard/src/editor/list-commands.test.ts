/** Enter and the list buttons, on the state of the editor. `|` is the caret; between two, the text is selected. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { describeModel } from '../describe-model.js'
import { breakText, toggleList } from './list-commands.js'
import { afterCommand } from './editor-state.test-data.js'

const models = describeModel().elements
const enter = (markup: string) => afterCommand(markup, breakText)
const bullets = (markup: string) => afterCommand(markup, toggleList('ul', models))
const numbers = (markup: string) => afterCommand(markup, toggleList('ol', models))

describe('Enter in a list', () => {
  it('makes a new item: in the middle of an item, at its end, and at its start', () => {
    expect(enter('<ul><li>hello| world</li><li>second item</li></ul>')).to.equal(
      '<ul><li>hello</li><li>| world</li><li>second item</li></ul>',
    )
    expect(enter('<ul><li>one</li><li>second |item</li></ul>')).to.equal(
      '<ul><li>one</li><li>second </li><li>|item</li></ul>',
    )
    expect(enter('<ol><li>one|</li><li>two</li></ol>')).to.equal(
      '<ol><li>one</li><li>|</li><li>two</li></ol>',
    )
    expect(enter('<ol><li>|one</li></ol>')).to.equal('<ol><li></li><li>|one</li></ol>')
  })

  it('replaces what is selected, also in several items', () => {
    expect(enter('<ul><li>a|b|c</li></ul>')).to.equal('<ul><li>a</li><li>|c</li></ul>')
    expect(enter('<ul><li>a|b</li><li>c|d</li></ul>')).to.equal('<ul><li>a</li><li>|d</li></ul>')
  })

  it('keeps formats and paragraphs of the item, and gives the new one no id of the other', () => {
    expect(enter('<ul><li><strong>bo|ld</strong></li></ul>')).to.equal(
      '<ul><li><strong>bo</strong></li><li><strong>|ld</strong></li></ul>',
    )
    expect(enter('<ul><li id="a"><p class="b">on|e</p></li></ul>')).to.equal(
      '<ul><li id="a"><p class="b">on</p></li><li><p>|e</p></li></ul>',
    )
    expect(enter('<ul><li><h3>Head|</h3></li></ul>')).to.equal('<ul><li><h3>Head</h3></li><li>|</li></ul>')
  })

  it('leaves the list with an empty item: at the end, in the middle, and in a quotation', () => {
    expect(enter('<ul><li>one</li><li>|</li></ul>')).to.equal('<ul><li>one</li></ul>\n<p>|</p>')
    expect(enter('<ul><li>one</li><li>|</li><li>two</li></ul>')).to.equal(
      '<ul><li>one</li></ul>\n<p>|</p>\n<ul><li>two</li></ul>',
    )
    expect(enter('<blockquote><ul><li>one</li><li>|</li></ul></blockquote>')).to.equal(
      '<blockquote><ul><li>one</li></ul><p>|</p></blockquote>',
    )
  })

  it('makes items of the inner list, and leaves only that with an empty one', () => {
    expect(enter('<ul><li>a<ul><li>b|c</li></ul></li><li>d</li></ul>')).to.equal(
      '<ul><li>a<ul><li>b</li><li>|c</li></ul></li><li>d</li></ul>',
    )
    expect(enter('<ul><li>a<ul><li>b</li><li>|</li></ul></li><li>d</li></ul>')).to.equal(
      '<ul><li>a<ul><li>b</li></ul></li><li>|</li><li>d</li></ul>',
    )
    expect(enter('<ul><li>a<ol><li>b</li><li>|</li><li>c</li></ol></li></ul>')).to.equal(
      '<ul><li>a<ol><li>b</li></ol></li><li>|<ol><li>c</li></ol></li></ul>',
    )
    expect(enter('<ul><li>a|<ul><li>b</li></ul></li></ul>')).to.equal(
      '<ul><li>a</li><li>|<ul><li>b</li></ul></li></ul>',
    )
  })

  it('does not glue the halves of other text without a paragraph', () => {
    expect(enter('<table><tr><td>on|e</td></tr></table>')).to.equal(
      '<table><tr><td><p>on</p><p>|e</p></td></tr></table>',
    )
    expect(enter('<blockquote>on|e</blockquote>')).to.equal('<blockquote><p>on</p><p>|e</p></blockquote>')
    expect(enter('<p>on|e</p>')).to.equal(null)
    expect(enter('<ul><li><pre>on|e</pre></li></ul>')).to.equal(null)
  })
})

describe('the list buttons', () => {
  it('make an item of each selected block, and join adjacent lists', () => {
    expect(bullets('<p>o|ne</p>')).to.equal('<ul><li>o|ne</li></ul>')
    expect(numbers('<p>o|ne</p><h2>tw|o</h2>')).to.equal('<ol><li>o|ne</li><li>tw|o</li></ol>')
    expect(bullets('<ul><li>a</li></ul><p>b|</p><ul><li>c</li></ul>')).to.equal(
      '<ul><li>a</li><li>b|</li><li>c</li></ul>',
    )
    expect(bullets('<table><tr><td>on|e</td></tr></table>')).to.equal(
      '<table><tr><td><ul><li>on|e</li></ul></td></tr></table>',
    )
  })

  it('do not put into a list what cannot be there', () => {
    expect(bullets('<p>a|</p><slot id="s"/><p>b|</p>')).to.equal(
      '<ul><li>a|</li></ul>\n<slot id="s"/>\n<ul><li>b|</li></ul>',
    )
    expect(bullets('<dl><dt>a|</dt></dl>')).to.equal('<dl><dt>a|</dt></dl>')
  })

  it('undo a list that has their kind: all selected items, or that of the caret', () => {
    expect(bullets('<ul><li>|hello world</li><li>second item|</li></ul>')).to.equal(
      '<p>|hello world</p>\n<p>second item|</p>',
    )
    expect(bullets('<ul><li>a</li><li>b|</li><li>c</li></ul>')).to.equal(
      '<ul><li>a</li></ul>\n<p>b|</p>\n<ul><li>c</li></ul>',
    )
    expect(numbers('<ol><li><p>a|</p></li></ol>')).to.equal('<p>a|</p>')
  })

  it('undo all levels of nested lists that are selected', () => {
    expect(bullets('<ul><li>|a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d|</li></ul>')).to.equal(
      '<p>|a</p>\n<p>b</p>\n<p>c</p>\n<p>d|</p>',
    )
    expect(bullets('<ul><li>a<ul><li>b</li><li>c|</li><li>d</li></ul></li><li>e</li></ul>')).to.equal(
      '<ul><li>a<ul><li>b</li></ul></li></ul>\n<p>c|</p>\n<ul><li>d</li><li>e</li></ul>',
    )
    expect(bullets('<ul><li>a|<ul><li>b</li></ul></li><li>c</li></ul>')).to.equal(
      '<p>a|</p>\n<ul><li>b</li><li>c</li></ul>',
    )
  })

  it('change the kind of a list, with the same items', () => {
    expect(numbers('<ul class="x"><li>hello|</li><li>second</li></ul>')).to.equal(
      '<ol class="x"><li>hello|</li><li>second</li></ol>',
    )
    expect(bullets('<ol start="3" dir="rtl"><li>|a</li><li>b|</li></ol>')).to.equal(
      '<ul dir="rtl"><li>|a</li><li>b|</li></ul>',
    )
    expect(numbers('<ol><li>a</li></ol><ul><li>b|</li></ul>')).to.equal('<ol><li>a</li><li>b|</li></ol>')
  })

  it('change the inner list only, unless the outer one is selected too', () => {
    expect(numbers('<ul><li>a<ul><li>b|</li></ul></li></ul>')).to.equal(
      '<ul><li>a<ol><li>b|</li></ol></li></ul>',
    )
    expect(numbers('<ul><li>|a<ul><li>b|</li></ul></li></ul>')).to.equal(
      '<ol><li>|a<ol><li>b|</li></ol></li></ol>',
    )
    expect(numbers('<ul><li>|a</li></ul><p>b|</p>')).to.equal('<ol><li>|a</li><li>b|</li></ol>')
  })
})
