import { expect } from 'chai'
import { describe, it } from 'mocha'
import { plainLine, plainText, shortened } from './plain-text.js'

describe('plainText', () => {
  it('has the text of HTML, with paragraphs and lines', () => {
    expect(plainText('A &amp; B &#8217; &lt;b&gt;')).to.equal('A & B ’ <b>')
    expect(plainText('<p>One<br>two</p><ul><li>three</li></ul>')).to.equal('One\ntwo\n\nthree')
    expect(plainText('one\ntwo\n\nthree', { hasTextLines: true })).to.equal('one\ntwo\n\nthree')
    expect(plainLine('<em>A</em>\n title')).to.equal('A title')
  })

  it('is shortened between words', () => {
    expect(shortened('one two', 7)).to.equal('one two')
    expect(shortened('one two three', 9)).to.equal('one two…')
    expect([...shortened('🙂'.repeat(20), 10)].length).to.equal(10)
  })
})
