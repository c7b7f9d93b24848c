import { expect } from 'chai'
import { describe, it } from 'mocha'
import { insertionNumbers } from './insertion-numbers.js'

describe('insertionNumbers', () => {
  it('gives numbers in the order of the calls, with few steps of the counter', async () => {
    const counters = new Map<string, number>()
    let steps = 0
    const { next } = insertionNumbers(async (place, count) => {
      steps += 1
      // Another process takes one in each step too.
      const last = (counters.get(place) ?? 0) + count + 1
      counters.set(place, last)
      await Promise.resolve()
      return last
    })
    const numbers = await Promise.all(Array.from({ length: 50 }, () => next('a')))
    expect(numbers).to.deep.equal(numbers.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).to.equal(50)
    expect(steps).to.equal(2)
    expect(await next('b')).to.equal(2)
  })

  it('fails those that wait for a step that fails, and no others', async () => {
    let fails = true
    const { next } = insertionNumbers(async (_, count) => {
      await Promise.resolve()
      if (!fails) return count
      fails = false
      throw new Error('no answer')
    })
    const outcomes = await Promise.allSettled([next('a'), next('a'), next('a')])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled'])
    expect(await next('a')).to.equal(1)
  })
})
