import { expect } from 'chai'
import { describe, it } from 'mocha'
import { clockOfService } from './service-time.js'

describe('clockOfService', () => {
  const at = (text: string) => Date.parse(text)
  const fallback = () => at('2026-11-24T10:00:00Z')

  it('is the time of the last response and what has passed since, not that of the computer', () => {
    let elapsed = 500
    const clock = clockOfService(() => elapsed, fallback)
    expect(clock.now().getTime()).to.equal(fallback())
    clock.hear('Tue, 24 Nov 2026 08:00:00 GMT')
    elapsed += 90_000
    expect(clock.now().toISOString()).to.equal('2026-11-24T08:01:30.000Z')
    clock.hear('Tue, 24 Nov 2026 08:01:31 GMT')
    expect(clock.now().toISOString()).to.equal('2026-11-24T08:01:31.000Z')
  })

  it('is not set back by a response from a cache, or by one without a time', () => {
    const clock = clockOfService(() => 0, fallback)
    clock.hear('Tue, 24 Nov 2026 08:00:00 GMT')
    for (const date of ['Tue, 24 Nov 2026 07:55:00 GMT', null, 'yesterday']) clock.hear(date)
    expect(clock.now().toISOString()).to.equal('2026-11-24T08:00:00.000Z')
  })
})
