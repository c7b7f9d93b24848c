import { availableParallelism } from 'node:os'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { workerCountOf, workerNameOf, workerNameText } from './worker-count.js'

describe('WORKERS', () => {
  it('is a number, or that of the cores', () => {
    expect(['1', '2', '16', '256'].map(workerCountOf)).to.deep.equal([1, 2, 16, 256])
    expect(workerCountOf('auto')).to.equal(availableParallelism())
  })

  it('is nothing else', () => {
    for (const text of ['', '0', '-1', '01', '1.5', '257', '1000', 'all', 'AUTO', ' 2'])
      expect(workerCountOf(text), text).to.equal(null)
  })
})

describe('the name of a worker', () => {
  it('is read as it was written', () => {
    for (const name of [
      { number: 1, isFirst: true },
      { number: 12, isFirst: false },
    ])
      expect(workerNameOf(workerNameText(name))).to.deep.equal(name)
  })

  it('is that of no process that has none', () => {
    for (const text of [undefined, '', '1', 'first', 'true']) expect(workerNameOf(text)).to.equal(null)
  })
})
