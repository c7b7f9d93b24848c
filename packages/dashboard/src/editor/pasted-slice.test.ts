/** Where pasted blocks land: as they were copied, whatever the text at the caret. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { afterCommand, parse, sliceOf } from './editor-state.test-data.js'
import { markupOf } from '../markup/element-tree.js'
import { pastedMarkup } from './pasted-markup.js'
import { pasteBlocks, pastedSlice } from './pasted-slice.js'

const paste = (markup: string, html: string, isCopied = false): string | null => {
  const { nodes } = pastedMarkup(html, () => 's', parse)
  // As the editor reads it.
  const read = markupOf(nodes)
    .replace(/<div data-markup-bare="">(.*?)<\/div>/gs, '$1')
    .replace(/<div data-slot="(.*?)"><\/div>/g, '<slot id="$1"/>')
  const slice = sliceOf(parse(read))
  return afterCommand(markup, ({ tr, selection }, dispatch) => {
    const pasted = pastedSlice(slice, selection.$from, isCopied)
    dispatch?.(pasteBlocks(tr, pasted) ?? tr.replaceSelection(pasted))
    return true
  })
}

const list = '<ul><li>a</li><li>b</li></ul>'

describe('a pasted list', () => {
  it('has all of its items: in an empty text, after words, and between them', () => {
    expect(paste('<p>|</p>', list)).to.equal('<ul><li>a</li><li>b|</li></ul>')
    expect(paste('<p>x</p><p>|</p>', list)).to.equal('<p>x</p>\n<ul><li>a</li><li>b|</li></ul>')
    expect(paste('<p>x|</p><p>y</p>', list)).to.equal('<p>x</p>\n<ul><li>a</li><li>b|</li></ul>\n<p>y</p>')
    expect(paste('<p>x|y</p>', list)).to.equal('<p>x</p>\n<ul><li>a</li><li>b|</li></ul>\n<p>y</p>')
    expect(paste('<p>|</p>', '<ul><li>a</li></ul>')).to.equal('<ul><li>a|</li></ul>')
    expect(paste('<p>|</p>', '<ol><li>a<ul><li>b</li></ul></li></ol>')).to.equal(
      '<ol><li>a<ul><li>b|</li></ul></li></ol>',
    )
    expect(paste('<p>|</p>', `${list}<p>c</p>`)).to.equal('<ul><li>a</li><li>b</li></ul>\n<p>c|</p>')
    expect(paste('<p>|</p>', `<p>c</p>${list}`)).to.equal('<p>c</p>\n<ul><li>a</li><li>b|</li></ul>')
  })

  it('adds its items to the list that it is pasted into', () => {
    expect(paste('<ul><li>x</li><li>|</li></ul>', list)).to.equal('<ul><li>x</li><li>a</li><li>b|</li></ul>')
    expect(paste('<ol><li>x|</li><li>y</li></ol>', list)).to.equal(
      '<ol><li>x</li><li>a</li><li>b|</li><li>y</li></ol>',
    )
    expect(paste('<table><tr><td>|</td></tr></table>', list)).to.equal(
      '<table><tr><td><ul><li>a</li><li>b|</li></ul></td></tr></table>',
    )
  })
})

describe('other blocks around texts', () => {
  it('remain around what is pasted', () => {
    expect(paste('<p>|</p>', '<blockquote><p>a</p><p>b</p></blockquote>')).to.equal(
      '<blockquote><p>a</p><p>b|</p></blockquote>',
    )
    expect(paste('<p>|</p>', '<blockquote><p>a</p></blockquote><p>c</p>')).to.equal(
      '<blockquote><p>a</p></blockquote>\n<p>c|</p>',
    )
    expect(paste('<p>|</p>', '<blockquote><ul><li>a</li></ul></blockquote>')).to.equal(
      '<blockquote><ul><li>a|</li></ul></blockquote>',
    )
    expect(paste('<p>x|</p>', '<table><tr><td>a</td><td>b</td></tr></table>')).to.equal(
      '<p>x</p>\n<table><tbody><tr><td>a</td><td>b|</td></tr></tbody></table>',
    )
    expect(paste('<p>|</p>', '<h2>a</h2>')).to.equal('<h2>a|</h2>')
  })

  it('are joined with those like them', () => {
    expect(paste('<blockquote><p>x|</p></blockquote>', '<blockquote><p>a</p></blockquote>')).to.equal(
      '<blockquote><p>x</p><p>a|</p></blockquote>',
    )
  })
})

describe('what was copied in the editor', () => {
  it('is text if it was within one text, and a list if it was of several items', () => {
    expect(paste('<p>x|</p>', '<ul><li>a</li></ul>', true)).to.equal('<p>xa|</p>')
    expect(paste('<p>|</p>', list, true)).to.equal('<ul><li>a</li><li>b|</li></ul>')
  })
})

describe('a pasted picture', () => {
  it('divides no word', () => {
    const picture = '<img src="data:image/png;base64,iVBORw0KGgo=">'
    expect(paste('<p>Reporter|s</p>', picture)).to.equal('<p>Reporter|s</p>\n<slot id="s"/>')
    expect(paste('<p>R|eporters</p>', picture)).to.equal('<slot id="s"/>\n<p>R|eporters</p>')
  })
})

describe('pasted words', () => {
  it('become a part of the text at the caret', () => {
    expect(paste('<p>x|y</p>', '<b>a</b>')).to.equal('<p>x<strong>a|</strong>y</p>')
    expect(paste('<p>x|</p>', '<p>a</p><p>b</p>')).to.equal('<p>xa</p>\n<p>b|</p>')
  })
})
