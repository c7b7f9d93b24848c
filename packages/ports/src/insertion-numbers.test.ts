import { expect } from 'chai'
import { describe, it } from 'mocha'
import { insertionNumbers } from './insertion-numbers.js'

describe('insertionNumbers', () => {
  it('returns numbers in the order of the calls, with few increments of the counter', async () => {
    const counters = new Map<string, number>()
    let increments = 0
    const { next } = insertionNumbers(async (sequence, count) => {
      increments += 1
      // Another process also gets a number with each increment.
      const last = (counters.get(sequence) ?? 0) + count + 1
      counters.set(sequence, last)
      await Promise.resolve()
      return last
    })
    const numbers = await Promise.all(Array.from({ length: 50 }, () => next('a')))
    expect(numbers).to.deep.equal(numbers.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).to.equal(50)
    expect(increments).to.equal(2)
    expect(await next('b')).to.equal(2)
  })

  it('fails only the callers of an increment that fails', async () => {
    let fails = true
    const { next } = insertionNumbers(async (_, count) => {
      await Promise.resolve()
      if (!fails) return count
      fails = false
      throw new Error('no response')
    })
    const outcomes = await Promise.allSettled([next('a'), next('a'), next('a')])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled'])
    expect(await next('a')).to.equal(1)
  })
})
