import { expect } from 'chai'
import { describe, it } from 'mocha'
import { documentText, readDocument } from './document-text.js'

describe('documentText', () => {
  const heavy = new Set(['content', 'more'])

  it('splits heavy from light attributes, and joins them', () => {
    const value = { title: 'a', content: 'b', more: null, deep: { content: 'c' } }
    const text = documentText(value, heavy)
    expect(JSON.parse(text.light)).to.deep.equal({ title: 'a', deep: { content: 'c' } })
    expect(readDocument(text.light, text.heavy)).to.deep.equal(value)
    expect(documentText({ title: 'a' }, heavy).heavy).to.equal(null)
  })

  it('replaces lone surrogates by U+FFFD in names and values, and nothing else', () => {
    const { value } = documentText(
      { 'a\ud800': ['\udc00b', { c: '\ud83d' }], pair: '😀', spelt: '\\ud800' },
      heavy,
    )
    expect(value).to.deep.equal({ 'a\ufffd': ['\ufffdb', { c: '\ufffd' }], pair: '😀', spelt: '\\ud800' })
    const wellFormed = { spelt: '\\ud800', content: '😀' }
    expect(documentText(wellFormed, heavy).value).to.deep.equal(wellFormed)
  })
})
