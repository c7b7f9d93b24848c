/** What every rate counter promises, as tests in the words of the port's comment. */
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

/** Declares the suite for one rate counter; see `RateCounter` in the ports for what it asks. */
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

    it('The window of a key begins with a use; each use within it counts one more.', () => {
      elapsed = 0.5
      expect(use('a')).to.deep.equal({ key: 'a', count: 1, remaining: 1000, isCounted: true })
      elapsed = 400.5
      expect(use('a')).to.deep.equal({ key: 'a', count: 2, remaining: 600, isCounted: true })
      expect(use('b')).to.deep.equal({ key: 'b', count: 1, remaining: 1000, isCounted: true })
      elapsed = 1000
      expect(use('a')).to.deep.equal({ key: 'a', count: 3, remaining: 0.5, isCounted: true })
    })

    it('A use of a key that has been used as often as it may, or more often, isn’t counted and begins no window.', () => {
      expect(counter.use('a', 0)).to.deep.equal({ key: 'a', count: 0, remaining: 0, isCounted: false })
      expect(counter.busiest(0, 9)).to.deep.equal([])
      elapsed = 100
      expect([1, 2, 3].map(() => counter.use('a', 2).isCounted)).to.deep.equal([true, true, false])
      elapsed = 200
      for (const most of [2, 1, 0])
        expect(counter.use('a', most)).to.deep.equal({ key: 'a', count: 2, remaining: 900, isCounted: false })
      expect(counter.use('a', 3)).to.have.property('isCounted', true)
    })

    it('A window ends after its length of elapsed time, whatever happens to the wall clock; the next use begins another.', () => {
      use('a', 5)
      for (const step of [-3_600_000, 7_200_000]) {
        wall += step
        expect(use('a')).to.have.property('remaining', 1000)
      }
      elapsed = 1000
      expect(counter.busiest(1, 9)).to.deep.equal([])
      expect(use('a')).to.deep.equal({ key: 'a', count: 1, remaining: 1000, isCounted: true })
    })

    it('Of more keys than it holds, the counter forgets the one that was used least recently.', () => {
      for (const key of ['a', 'b', 'c', 'a', 'd']) use(key)
      expect(counter.busiest(1, 9).map(({ key }) => key)).to.have.members(['a', 'c', 'd'])
      expect(use('a')).to.have.property('count', 3)
      expect(use('b')).to.have.property('count', 1)
    })

    it('The busiest keys are those used at least so often in a window that hasn’t ended: the most used first, no more than asked for.', () => {
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
