/** The contract of the port `RateCounter` as a mocha suite. */
import type { Clock, RateCounter, RateCounterOptions } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, it } from 'mocha'
import { type Conformance, declareContract } from './contract.js'

export type RateCounterConformance = Conformance<
  'rateCounter',
  (clock: Pick<Clock, 'monotonic'>, options: RateCounterOptions) => RateCounter
>

const window = 1000
const keys = 3

/** Declares the suite for one rate counter. */
export const rateCounterConformance = (options: RateCounterConformance): void => {
  declareContract('rateCounter', options, 10_000, () => {
    let wall = 0
    let elapsed = 0
    let counter: RateCounter
    beforeEach(() => {
      wall = Date.parse('2026-03-01T12:00:00Z')
      elapsed = 0
      const clock = { now: () => wall, monotonic: () => elapsed }
      counter = options.open(clock, { window, keys })
    })
    const use = (key: string, times = 1) => {
      for (let count = 1; count < times; count += 1) counter.use(key, 100)
      return counter.use(key, 100)
    }

    it('The window of a key starts with a use; each further use in it adds one.', () => {
      elapsed = 0.5
      expect(use('a')).to.deep.equal({ key: 'a', count: 1, remaining: 1000, isCounted: true })
      elapsed = 400.5
      expect(use('a')).to.deep.equal({ key: 'a', count: 2, remaining: 600, isCounted: true })
      expect(use('b')).to.deep.equal({ key: 'b', count: 1, remaining: 1000, isCounted: true })
      elapsed = 1000
      expect(use('a')).to.deep.equal({ key: 'a', count: 3, remaining: 0.5, isCounted: true })
    })

    it('A use of a key that has reached its limit is not counted and starts no window.', () => {
      expect(counter.use('a', 0)).to.deep.equal({ key: 'a', count: 0, remaining: 0, isCounted: false })
      expect(counter.busiest(0, 9)).to.deep.equal([])
      elapsed = 100
      expect([1, 2, 3].map(() => counter.use('a', 2).isCounted)).to.deep.equal([true, true, false])
      elapsed = 200
      for (const most of [2, 1, 0])
        expect(counter.use('a', most)).to.deep.equal({ key: 'a', count: 2, remaining: 900, isCounted: false })
      expect(counter.use('a', 3)).to.have.property('isCounted', true)
    })

    it('A window ends after its length of elapsed time, whatever the wall clock shows; the next use starts another.', () => {
      use('a', 5)
      for (const step of [-3_600_000, 7_200_000]) {
        wall += step
        expect(use('a')).to.have.property('remaining', 1000)
      }
      elapsed = 1000
      expect(counter.busiest(1, 9)).to.deep.equal([])
      expect(use('a')).to.deep.equal({ key: 'a', count: 1, remaining: 1000, isCounted: true })
    })

    it('If there are more keys than its limit, the counter evicts the least recently used.', () => {
      for (const key of ['a', 'b', 'c', 'a', 'd']) use(key)
      expect(counter.busiest(1, 9).map(({ key }) => key)).to.have.members(['a', 'c', 'd'])
      expect(use('a')).to.have.property('count', 3)
      expect(use('b')).to.have.property('count', 1)
    })

    it('The busiest keys are those with at least the requested count in a current window, sorted by count, at most the requested number.', () => {
      use('old', 9)
      elapsed = 999
      use('a', 3)
      use('b', 5)
      expect(counter.busiest(3, 9).map(({ key, count }) => `${key} ${count}`)).to.deep.equal([
        'old 9',
        'b 5',
        'a 3',
      ])
      elapsed = 1000
      expect(counter.busiest(1, 9)).to.deep.equal([
        { key: 'b', count: 5, remaining: 999 },
        { key: 'a', count: 3, remaining: 999 },
      ])
      expect(counter.busiest(4, 9)).to.have.lengthOf(1)
      expect(counter.busiest(1, 1).map(({ key }) => key)).to.deep.equal(['b'])
    })
  })
}
