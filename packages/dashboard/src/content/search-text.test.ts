import { expect } from 'chai'
import { describe, it } from 'mocha'
import { highlightParts } from './search-text.js'

describe('highlightParts', () => {
  it('has the text without entities, and what is marked', () => {
    expect(highlightParts('a &lt;b&gt; <mark>c &amp; d</mark> &quot;e&#39;')).to.deep.equal([
      { text: 'a <b> ', isMarked: false },
      { text: 'c & d', isMarked: true },
      { text: ` "e'`, isMarked: false },
    ])
  })

  it('does not decode a text twice', () => {
    expect(highlightParts('&amp;lt;')).to.deep.equal([{ text: '&lt;', isMarked: false }])
  })
})
