/**
 * The queue before the workers: who runs, who waits, who is turned away.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { boundedQueue } from './bounded-queue.js'

type Work = { readonly work: () => Promise<string>; readonly finish: () => void; readonly fail: () => void }

const begun: string[] = []

const work = (name: string): Work => {
  let finish = (): void => undefined
  let fail = (): void => undefined
  const done = new Promise<string>((resolve, reject) => {
    finish = () => resolve(name)
    fail = () => reject(new Error(name))
  })
  return {
    work: () => {
      begun.push(name)
      return done
    },
    finish: () => finish(),
    fail: () => fail(),
  }
}

describe('a bounded queue', () => {
  it('runs as many as it may, lets the next wait in order, and turns the rest away unstarted', async () => {
    begun.length = 0
    const queue = boundedQueue({ running: 2, waiting: 2 })
    const [one, two, three, four, five] = [work('1'), work('2'), work('3'), work('4'), work('5')] as const
    const first = queue.enter(one.work)
    const second = queue.enter(two.work)
    const third = queue.enter(three.work)
    const fourth = queue.enter(four.work)
    expect(queue.enter(five.work)).to.equal(undefined)

    one.finish()
    expect(await first).to.equal('1')
    three.finish()
    expect(await third).to.equal('3')
    four.finish()
    expect(await fourth).to.equal('4')
    two.finish()
    expect(await second).to.equal('2')
    expect(begun).to.deep.equal(['1', '2', '3', '4'])
  })

  it('goes on after a work that failed', async () => {
    const queue = boundedQueue({ running: 1, waiting: 1 })
    const [bad, good] = [work('bad'), work('good')] as const
    const first = queue.enter(bad.work)
    const second = queue.enter(good.work)
    bad.fail()
    expect(await first?.catch((error: unknown) => String(error))).to.equal('Error: bad')
    good.finish()
    expect(await second).to.equal('good')
    expect(queue.enter(async () => 'room')).to.not.equal(undefined)
  })
})
