/** A window and a moment within it have a span in common; long before it and after it they have none. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { isWithin } from '../location/windows.js'
import { nowIn } from './naive-date-time.js'
import { spansAt, spansOf } from './spans.js'

const day = 86_400_000
const moment = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9000, 0, 1) })
const naive = (epoch: number) => nowIn('UTC', epoch)
const haveCommon = (window: readonly string[], now: readonly string[]): boolean =>
  window.some((span) => now.includes(span))

describe('the spans of a window', () => {
  it('are one or two, and include a span of every time within the window', () => {
    const length = fc.oneof(fc.integer({ min: 1, max: 400 * day }), fc.integer({ min: 1, max: 70_000 * day }))
    fc.assert(
      fc.property(moment, length, fc.double({ min: 0, max: 1, noNaN: true }), (start, duration, share) => {
        const [from, to] = [naive(start), naive(start + duration)]
        const spans = spansOf(from, to)
        const now = naive(Math.floor(start + share * (duration - 1)))
        expect(spans).to.have.length.within(1, 2)
        expect(isWithin(now, from, to)).to.equal(true)
        expect(haveCommon(spans, spansAt(now))).to.equal(true)
      }),
    )
  })

  it('do not include a span of times long before or after the window', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: day, max: 32_000 * day }), (start, duration) => {
        const spans = spansOf(naive(start), naive(start + duration))
        for (const now of [start - 9 * duration - 9 * day, start + 10 * duration + 9 * day])
          expect(haveCommon(spans, spansAt(naive(now)))).to.equal(false)
      }),
    )
  })

  it('match every time if a side has no limit or the window is very long', () => {
    for (const [start, end] of [
      [null, '2026-01-01T00:00:00'],
      ['2026-01-01T00:00:00', null],
      [null, null],
      ['0001-01-01T00:00:00', '9999-12-31T23:59:59'],
    ] as const)
      expect(spansOf(start, end)).to.deep.equal(['always'])
    expect(spansAt(naive(0)))
      .to.include('always')
      .and.to.have.lengthOf(7)
  })

  it('do not depend on the days between', () => {
    expect(spansOf('1970-01-01T10:00:00', '1970-01-01T12:00:00')).to.deep.equal(['1:0'])
    expect(spansOf('1970-01-02T00:00:00', '1970-01-03T00:00:00')).to.deep.equal(['8:0'])
    expect(spansOf('1969-12-31T00:00:00', '1970-01-01T00:00:00')).to.deep.equal(['8:-1', '8:0'])
  })
})
