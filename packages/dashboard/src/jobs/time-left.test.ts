import { expect } from 'chai'
import { describe, it } from 'mocha'
import { timeLeft } from './time-left.js'

describe('timeLeft', () => {
  it('has seconds, minutes or hours, rounded up', () => {
    const texts = [0, 1, 59, 60, 61, 3599, 3600, 7201].map((seconds) => timeLeft('en', seconds))
    expect(texts).to.deep.equal([
      '0 seconds',
      '1 second',
      '59 seconds',
      '1 minute',
      '2 minutes',
      '60 minutes',
      '1 hour',
      '3 hours',
    ])
  })

  it('has the words of the language', () => {
    expect(timeLeft('de', 150)).to.equal('3 Minuten')
  })
})
