import { controlledClock } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { start } from '../test-support/stage.js'
import { createAttemptLimit } from './attempt-limit.js'

const minute = 60_000

describe('a limit on failed attempts', () => {
  const limited = () => {
    const clock = controlledClock(start)
    return { clock, limit: createAttemptLimit(clock, 3, minute) }
  }

  it('has a name wait from its last allowed failure to the end of the window', () => {
    const { clock, limit } = limited()
    limit.fail('a')
    clock.advance(10_000)
    limit.fail('a')
    expect(limit.wait('a')).to.equal(null)
    limit.fail('a')
    expect(limit.wait('a')).to.equal(50)
    clock.advance(49_001)
    expect(limit.wait('a')).to.equal(1)
    clock.advance(999)
    expect(limit.wait('a')).to.equal(null)
  })

  it('counts anew in the next window', () => {
    const { clock, limit } = limited()
    for (let count = 0; count < 3; count += 1) limit.fail('a')
    clock.advance(minute)
    limit.fail('a')
    limit.fail('a')
    expect(limit.wait('a')).to.equal(null)
    limit.fail('a')
    expect(limit.wait('a')).to.equal(60)
  })

  it('counts each name for itself, and forgets the failures of one that succeeds', () => {
    const { limit } = limited()
    for (let count = 0; count < 3; count += 1) limit.fail('a')
    expect(limit.wait('b')).to.equal(null)
    limit.succeed('a')
    expect(limit.wait('a')).to.equal(null)
  })
})
