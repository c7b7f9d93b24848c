import { expect } from 'chai'
import { describe, it } from 'mocha'
import { pairsIn, valueOfPairs } from './pairs.js'

describe('pairs of names and texts', () => {
  it('are those of a value', () => {
    expect(pairsIn({ Name: 'title', Number: 7 })).to.deep.equal([
      { name: 'Name', text: 'title' },
      { name: 'Number', text: '7' },
    ])
    expect(pairsIn(null)).to.deep.equal([])
  })

  it('are a value without those that have no name', () => {
    const pairs = [
      { name: ' Name ', text: 'title' },
      { name: '', text: 'kicker' },
      { name: 'Ort', text: '' },
    ]
    expect(valueOfPairs(pairs)).to.deep.equal({ Name: 'title', Ort: '' })
    expect(valueOfPairs([{ name: ' ', text: 'title' }])).to.equal(null)
  })
})
