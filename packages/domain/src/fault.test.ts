/** Paths of faults when a part is checked separately. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { fault, firstPerPath, within, badParameters, mostFaults } from './fault.js'

describe('faults', () => {
  it('of a part have a dotted path from the whole', () => {
    expect(within('items', within(2, [fault('embed_code', 'rule', 'x')]))).to.deep.equal([
      fault('items.2.embed_code', 'rule', 'x'),
    ])
    expect(within('title', [fault('', 'rule', 'x')])).to.deep.equal([fault('title', 'rule', 'x')])
  })

  it('are limited in number', () => {
    const all = Array.from({ length: mostFaults + 1 }, (_, index) => fault(`items.${index}`, 'rule', 'x'))
    expect(badParameters(all)).to.deep.equal({ _tag: 'BadParameters', faults: all.slice(0, mostFaults) })
  })

  it('are reported once for each path: the first', () => {
    expect(
      firstPerPath([fault('a', 'rule', '1'), fault('b', 'rule', '2'), fault('a', 'rule', '3')]),
    ).to.deep.equal([fault('a', 'rule', '1'), fault('b', 'rule', '2')])
  })

  it('of a whole are dropped after those of its parts', () => {
    expect(
      firstPerPath([fault('urls.1.url', 'rule', '1'), fault('urls', 'rule', '2'), fault('url', 'rule', '3')]),
    ).to.deep.equal([fault('urls.1.url', 'rule', '1'), fault('url', 'rule', '3')])
  })
})
