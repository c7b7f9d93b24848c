import { describe, it } from 'mocha'
import { expect } from 'chai'
import { keptDocuments } from './kept-documents.js'

const text = (title: string): string => JSON.stringify({ title })

describe('Kept documents', () => {
  it('are found at the version that was read, and at no other', () => {
    const kept = keptDocuments(1000)
    expect(kept.find(1, 1)).to.equal(undefined)
    const value = kept.keep(1, 1, text('a'))
    expect(value).to.deep.equal({ title: 'a' })
    expect(kept.find(1, 1)).to.equal(value)
    expect(kept.find(1, 2)).to.equal(undefined)
    kept.keep(1, 2, text('b'))
    expect(kept.find(1, 2)).to.deep.equal({ title: 'b' })
    expect(kept.find(1, 1)).to.equal(undefined)
  })

  it('are as many as their limit has room for; the longest unused go first', () => {
    const kept = keptDocuments(text('a').length * 2)
    kept.keep(1, 1, text('a'))
    kept.keep(2, 1, text('b'))
    kept.keep(2, 2, text('c'))
    kept.find(1, 1)
    kept.keep(3, 1, text('d'))
    expect(
      [1, 2, 3].filter((sequence) => kept.find(sequence, sequence === 2 ? 2 : 1) !== undefined),
    ).to.deep.equal([1, 3])
    expect(kept.keep(4, 1, text('larger than all the room there is'))).to.have.property('title')
    expect([1, 2, 3, 4].some((sequence) => kept.find(sequence, 1) !== undefined)).to.equal(false)
  })

  it('can’t be changed by who reads them', () => {
    const value = keptDocuments(1000).keep(1, 1, '{"list":[{"a":1}]}')
    const list = value['list']
    expect([value, list, Array.isArray(list) ? list[0] : null].map(Object.isFrozen)).to.deep.equal([
      true,
      true,
      true,
    ])
  })
})
