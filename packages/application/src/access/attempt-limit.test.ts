import { controlledClock, type ControlledClock } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { start } from '../test-support/stage.js'
import { createAttemptLimit } from './attempt-limit.js'
import { createSharedAttempts } from './shared-attempts.js'

const minute = 60_000

/** Counts of a single process. */
const attempts = (clock: ControlledClock) => {
  const alone = { published: 0, others: 0, othersRemaining: 0, processes: 1 }
  return createSharedAttempts(clock, { share: () => () => alone }, 'failures')
}

describe('a limit on failed attempts', () => {
  const limited = () => {
    const clock = controlledClock(start)
    const { start: begin, end } = createAttemptLimit(attempts(clock))
    const limit = { start: (name: string) => begin(name, 3), end }
    const fail = async (name: string): Promise<void> => {
      expect(await limit.start(name)).to.equal(null)
      limit.end(name, 'failed')
    }
    /** The seconds to wait, as returned by the start of an attempt that is rejected. */
    const wait = async (name: string): Promise<number | null> => {
      const seconds = await limit.start(name)
      if (seconds === null) limit.end(name, 'undecided')
      return seconds
    }
    return { clock, limit, fail, wait }
  }

  it('blocks a name from its last allowed failure to the end of the window', async () => {
    const { clock, fail, wait } = limited()
    await fail('a')
    clock.advance(10_000)
    await fail('a')
    expect(await wait('a')).to.equal(null)
    await fail('a')
    expect(await wait('a')).to.equal(50)
    clock.advance(49_001)
    expect(await wait('a')).to.equal(1)
    clock.advance(999)
    expect(await wait('a')).to.equal(null)
  })

  it('counts from zero in the next window', async () => {
    const { clock, fail, wait } = limited()
    for (let count = 0; count < 3; count += 1) await fail('a')
    clock.advance(minute)
    await fail('a')
    await fail('a')
    expect(await wait('a')).to.equal(null)
    await fail('a')
    expect(await wait('a')).to.equal(60)
  })

  it('counts each name separately, and resets the failures of one that succeeds', async () => {
    const { limit, fail, wait } = limited()
    await fail('a')
    await fail('a')
    await limit.start('a')
    limit.end('a', 'succeeded')
    await fail('a')
    await fail('a')
    expect(await wait('a')).to.equal(null)
    await fail('a')
    expect(await wait('a')).to.equal(60)
    expect(await wait('b')).to.equal(null)
  })

  it('ends the window after its time, also when the wall clock steps back', async () => {
    const { clock, fail, wait } = limited()
    for (let count = 0; count < 3; count += 1) await fail('a')
    clock.advance(-24 * 60 * minute)
    expect(await wait('a')).to.equal(60)
    clock.advance(minute)
    expect(await wait('a')).to.equal(null)
  })

  it('runs as many attempts of a name at a time as its limit permits, and others wait', async () => {
    const limit = createAttemptLimit(attempts(controlledClock(start)), 2)
    const begun: string[] = []
    const starting = ['a', 'a', 'a', 'b'].map(async (name, index) => {
      expect(await limit.start(name)).to.equal(null)
      begun.push(`${name}${index}`)
    })
    await Promise.all([starting[0], starting[1], starting[3]])
    expect(begun).to.deep.equal(['a0', 'a1', 'b3'])
    limit.end('a', 'succeeded')
    await starting[2]
  })

  it('runs only as many concurrently as may still fail; the others wait', async () => {
    const { limit, fail, wait } = limited()
    await fail('a')
    expect(await limit.start('a')).to.equal(null)
    expect(await limit.start('a')).to.equal(null)
    const later = [limit.start('a'), limit.start('a')]
    limit.end('a', 'failed')
    limit.end('a', 'failed')
    expect(await Promise.all(later)).to.deep.equal([60, 60])
    expect(await wait('b')).to.equal(null)
  })

  it('runs waiting attempts when others succeed, and rejects one more than may wait', async () => {
    const { limit } = limited()
    let done = 0
    const all = Array.from({ length: 3 + 64 }, async () => {
      expect(await limit.start('a')).to.equal(null)
      await Promise.resolve()
      done += 1
      limit.end('a', 'succeeded')
    })
    expect(await limit.start('a')).to.equal(1)
    await Promise.all(all)
    expect(done).to.equal(67)
  })
})
