import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  chosenPublication,
  dayAfter,
  distanceText,
  periodPhase,
  publicationOf,
  startOfDay,
  timeIn,
} from './zone-time.js'

describe('timeIn', () => {
  it('is the time on the clocks of the zone, also in summer', () => {
    expect(timeIn('Europe/Vienna', new Date('2026-11-24T07:00:05Z'))).to.equal('2026-11-24T08:00:05')
    expect(timeIn('Europe/Vienna', new Date('2026-06-30T23:30:00Z'))).to.equal('2026-07-01T01:30:00')
    expect(timeIn('America/New_York', new Date('2026-11-24T04:59:59Z'))).to.equal('2026-11-23T23:59:59')
  })
})

describe('startOfDay', () => {
  it('is the moment of midnight in the zone, also on the day after a change of the clocks', () => {
    expect(startOfDay('Europe/Vienna', '2026-11-25')).to.equal('2026-11-24T23:00:00')
    expect(startOfDay('Europe/Vienna', dayAfter('2026-03-29'))).to.equal('2026-03-29T22:00:00')
    expect(startOfDay('America/New_York', '2026-11-01')).to.equal('2026-11-01T04:00:00')
  })
})

describe('distanceText', () => {
  it('uses the largest unit that fits', () => {
    const text = (to: string) => distanceText('en', '2026-11-24T08:00:00', to)
    expect(text('2026-11-24T11:00:00')).to.equal('in 3 hours')
    expect(text('2026-11-24T08:20:00')).to.equal('in 20 minutes')
    expect(text('2026-11-25T09:00:00')).to.equal('tomorrow')
    expect(text('2026-11-14T08:00:00')).to.equal('10 days ago')
  })
})

describe('publicationOf', () => {
  it('follows the state, and the time at which it goes live', () => {
    const now = '2026-11-24T08:00:00'
    expect(publicationOf('draft', '2026-01-01T00:00:00', now)).to.equal('draft')
    expect(publicationOf('published', null, now)).to.equal('live')
    expect(publicationOf('published', now, now)).to.equal('live')
    expect(publicationOf('published', '2026-11-24T08:00:01', now)).to.equal('scheduled')
  })
})

describe('chosenPublication', () => {
  const now = '2026-11-24T08:00:00'
  const past = '2026-11-01T00:00:00'
  const future = '2026-12-01T00:00:00'

  it('has no time to publish at once, unless one has come', () => {
    expect(chosenPublication('live', null, now)).to.deep.equal({ state: 'published', issued: null })
    expect(chosenPublication('live', future, now)).to.deep.equal({ state: 'published', issued: null })
    expect(chosenPublication('live', past, now)).to.deep.equal({ state: 'published', issued: past })
  })

  it('has a time to publish later, and the stored one for a draft', () => {
    expect(chosenPublication('scheduled', null, now)).to.deep.equal({
      state: 'published',
      issued: '2026-11-24T23:59:00',
    })
    expect(chosenPublication('draft', future, now)).to.deep.equal({ state: 'draft', issued: future })
  })
})

describe('periodPhase', () => {
  it('compares both sides, each of which may be absent', () => {
    const now = '2026-11-24T08:00:00'
    expect(periodPhase('2026-11-25T00:00:00', null, now)).to.equal('before')
    expect(periodPhase('2026-11-23T00:00:00', '2026-11-25T00:00:00', now)).to.equal('during')
    expect(periodPhase('2026-11-23T00:00:00', null, now)).to.equal('during')
    expect(periodPhase('2026-11-01T00:00:00', '2026-11-23T00:00:00', now)).to.equal('after')
    expect(periodPhase(null, null, now)).to.equal(null)
  })
})
