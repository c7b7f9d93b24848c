import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { WindowCounts } from './rate-limits.js'

describe('counts in windows', () => {
  let elapsed = 0
  let counts: WindowCounts
  beforeEach(() => {
    elapsed = 0
    counts = new WindowCounts({ monotonic: () => elapsed }, 1000, 3)
  })
  const count = (name: string, times = 1) => {
    for (let done = 1; done < times; done += 1) counts.count(name)
    return counts.count(name)
  }
  const names = (least: number, most = 9) => counts.busiest(least, most).map(({ name }) => name)

  it('begin with the first count of a name, and end after their length', () => {
    elapsed = 0.5
    expect(count('a')).to.deep.equal({ name: 'a', count: 1, remaining: 1000, isCounted: true })
    elapsed = 400.5
    expect(count('a')).to.deep.equal({ name: 'a', count: 2, remaining: 600, isCounted: true })
    expect(count('b')).to.deep.equal({ name: 'b', count: 1, remaining: 1000, isCounted: true })
    elapsed = 1000
    expect(count('a')).to.deep.equal({ name: 'a', count: 3, remaining: 0.5, isCounted: true })
    elapsed = 1000.5
    expect(counts.of('a')).to.deep.equal({ name: 'a', count: 0, remaining: 0 })
    expect(names(1)).to.deep.equal(['b'])
    expect(count('a')).to.deep.equal({ name: 'a', count: 1, remaining: 1000, isCounted: true })
  })

  it('are never longer than their length, whatever the fractions of the clock', () => {
    elapsed = 24.4
    expect(elapsed + 1000 - elapsed).to.be.above(1000)
    expect(count('a')).to.have.property('remaining', 1000)
    expect(counts.of('a')).to.have.property('remaining', 1000)
  })

  it('count no name beyond a limit, and begin no window for it', () => {
    expect(counts.count('a', 0)).to.deep.equal({ name: 'a', count: 0, remaining: 0, isCounted: false })
    expect(names(0)).to.deep.equal([])
    elapsed = 100
    expect([1, 2, 3].map(() => counts.count('a', 2).isCounted)).to.deep.equal([true, true, false])
    elapsed = 200
    for (const most of [2, 1, 0])
      expect(counts.count('a', most)).to.deep.equal({ name: 'a', count: 2, remaining: 900, isCounted: false })
    expect(counts.count('a', 3)).to.have.property('isCounted', true)
  })

  it('forget the name that was counted or read least recently, and a name on request', () => {
    for (const name of ['a', 'b', 'c', 'a']) count(name)
    counts.of('b')
    count('d')
    expect(names(1)).to.have.members(['a', 'b', 'd'])
    expect(count('a')).to.have.property('count', 3)
    counts.forget('a')
    expect(count('a')).to.have.property('count', 1)
  })

  it('find the names that were counted most often', () => {
    count('old', 9)
    elapsed = 999
    count('a', 3)
    count('b', 5)
    expect(names(3)).to.deep.equal(['old', 'b', 'a'])
    elapsed = 1000
    expect(counts.busiest(1, 9)).to.deep.equal([
      { name: 'b', count: 5, remaining: 999 },
      { name: 'a', count: 3, remaining: 999 },
    ])
    expect(names(4)).to.deep.equal(['b'])
    expect(names(1, 1)).to.deep.equal(['b'])
  })
})
