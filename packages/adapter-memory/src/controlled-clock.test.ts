import { clockConformance } from '@publishing-service/conformance'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { controlledClock } from './controlled-clock.js'

const start = Date.UTC(2031, 2, 30, 1, 59, 59, 999)

clockConformance({
  name: 'controlled',
  open: () => controlledClock(start),
  deviations: { simulated: 'A test sets its time.' },
})

describe('controlled clock', () => {
  it('changes only when it is advanced or set', () => {
    const clock = controlledClock(start)
    expect(clock.now()).to.equal(start)
    expect(clock.now()).to.equal(start)
    clock.advance(2)
    expect(clock.now()).to.equal(start + 2)
    clock.advance(-1)
    expect(clock.now()).to.equal(start + 1)
    clock.set(0)
    expect(clock.now()).to.equal(0)
  })
  it('does not decrease the elapsed time when the wall clock steps back', () => {
    const clock = controlledClock(start)
    clock.advance(5)
    clock.advance(-3)
    clock.set(start + 10)
    clock.set(0)
    expect(clock.monotonic()).to.equal(13)
  })
  it('ends waiting when it has advanced so far', async () => {
    const clock = controlledClock(start)
    const ended: number[] = []
    const waiting = [3, 1].map((milliseconds) =>
      clock.wait(milliseconds).then(() => ended.push(milliseconds)),
    )
    clock.advance(2)
    await waiting[1]
    expect(ended).to.deep.equal([1])
    clock.advance(1)
    await waiting[0]
    expect(ended).to.deep.equal([1, 3])
  })
  it('accepts only whole milliseconds', () => {
    const clock = controlledClock(start)
    for (const invalid of [0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => clock.advance(invalid)).to.throw(RangeError)
      expect(() => clock.set(invalid)).to.throw(RangeError)
      expect(() => controlledClock(invalid)).to.throw(RangeError)
    }
    expect(clock.now()).to.equal(start)
  })
})
