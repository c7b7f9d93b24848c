/** Paths of faults when a part is checked separately. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { fault, firstPerPath, within } from './fault.js'
import { badParameters, mostFaults } from './problem.js'

describe('faults', () => {
  it('of a part have a dotted path from the whole', () => {
    expect(within('items', within(2, [fault('embed_code', 'x')]))).to.deep.equal([
      fault('items.2.embed_code', 'x'),
    ])
    expect(within('title', [fault('', 'x')])).to.deep.equal([fault('title', 'x')])
  })

  it('are limited in number', () => {
    const all = Array.from({ length: mostFaults + 1 }, (_, index) => fault(`items.${index}`, 'x'))
    expect(badParameters(all)).to.deep.equal({ _tag: 'BadParameters', faults: all.slice(0, mostFaults) })
  })

  it('are reported once for each path: the first', () => {
    expect(firstPerPath([fault('a', '1'), fault('b', '2'), fault('a', '3')])).to.deep.equal([
      fault('a', '1'),
      fault('b', '2'),
    ])
  })

  it('of a whole are dropped after those of its parts', () => {
    expect(firstPerPath([fault('urls.1.url', '1'), fault('urls', '2'), fault('url', '3')])).to.deep.equal([
      fault('urls.1.url', '1'),
      fault('url', '3'),
    ])
  })
})
