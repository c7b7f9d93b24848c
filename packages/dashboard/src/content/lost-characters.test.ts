import { expect } from 'chai'
import { describe, it } from 'mocha'
import { lostCharacters } from './lost-characters.js'

describe('the characters that are lost with changes', () => {
  it('are those that were typed', () => {
    const stored = { title: 'The harbour', content: '<p>Boats.</p>', tags: ['a'] }
    expect(lostCharacters({ stored, changes: {} })).to.equal(0)
    expect(lostCharacters({ stored, changes: { title: 'The old harbour' } })).to.equal(4)
    expect(lostCharacters({ stored, changes: { content: '<p>Boats and ships.</p>' } })).to.equal(10)
    expect(lostCharacters({ stored, changes: { kicker: 'Sea', rating: 4.5 } })).to.equal(6)
  })

  it('are none if a text was shortened', () => {
    expect(lostCharacters({ stored: { title: 'aaaa' }, changes: { title: 'aa' } })).to.equal(0)
    expect(lostCharacters({ stored: { title: 'A title' }, changes: { title: null } })).to.equal(0)
  })

  it('count lists as their text', () => {
    expect(lostCharacters({ stored: { items: ['a'] }, changes: { items: ['a', 'bc'] } })).to.equal(5)
  })
})
