import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { attemptPlaces, hostOf, mayAttempt, nextAttempts, type Attempt } from './attempt-places.js'

const attemptOf = (more: Partial<Attempt> = {}): Attempt => ({
  hook: 'hook',
  instance: 1,
  host: 'a.example.org',
  isFailing: false,
  ...more,
})

/** Begins what may begin of all that wait, in their order, on top of what runs. */
const begun = (waiting: readonly Attempt[], before: readonly Attempt[] = []): readonly Attempt[] => {
  const running = [...before]
  for (const next of waiting) if (mayAttempt(running, next)) running.push(next)
  return running
}

const manyOf = (count: number, of: (index: number) => Partial<Attempt>): readonly Attempt[] =>
  Array.from({ length: count }, (_, index) => attemptOf(of(index)))

const attempts = fc.array(
  fc.record({
    hook: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    instance: fc.integer({ min: 1, max: 8 }),
    host: fc.constantFrom('a', 'b', 'c'),
    isFailing: fc.boolean(),
  }),
  { maxLength: 300 },
)

describe('the places of attempts', () => {
  it('are as many as declared for a host, an instance, and all instances', () => {
    expect(begun(manyOf(9, () => ({})))).to.have.length(attemptPlaces.ofHost)
    expect(begun(manyOf(40, (index) => ({ host: `${index}` })))).to.have.length(attemptPlaces.ofInstance)
    const ofMany = manyOf(400, (index) => ({ host: `${index}`, instance: Math.floor(index / 100) }))
    expect(begun(ofMany)).to.have.length(attemptPlaces.all)
  })

  it('are one for a web hook that fails, and half for all that fail', () => {
    expect(begun(manyOf(9, () => ({ isFailing: true })))).to.have.length(1)
    const failing = manyOf(400, (index) => ({
      hook: `${index}`,
      host: `${index}`,
      instance: Math.floor(index / 40),
      isFailing: true,
    }))
    expect(begun(failing.slice(0, 40))).to.have.length(attemptPlaces.ofInstance / 2)
    expect(begun(failing)).to.have.length(attemptPlaces.all / 2)
  })

  it('are separate for the instances that have the same receiver: failures for one of them delay no other', () => {
    const ofOthers = manyOf(4, () => ({ hook: 'other', instance: 2 }))
    expect(mayAttempt(ofOthers, attemptOf())).to.equal(true)
    expect(mayAttempt(ofOthers, attemptOf({ hook: 'another', instance: 2 }))).to.equal(false)
  })

  it('always have one for an instance that attempts no web hook that answers, whatever all others attempt', () => {
    fc.assert(
      fc.property(attempts, (waiting) => {
        const running = begun(waiting.filter(({ instance }) => instance > 1))
        const failing = begun(
          manyOf(9, (index) => ({ hook: `${index}`, host: 'failing', isFailing: true })),
          running,
        )
        expect(mayAttempt(failing, attemptOf())).to.equal(true)
      }),
    )
  })

  it('are never more than declared, and one for each instance', () => {
    fc.assert(
      fc.property(attempts, (waiting) => {
        const running = begun(waiting)
        const instances = new Set(running.map(({ instance }) => instance))
        expect(running.length).to.be.at.most(attemptPlaces.all + instances.size)
        for (const each of instances)
          expect(running.filter(({ instance }) => instance === each).length).to.be.at.most(
            attemptPlaces.ofInstance,
          )
      }),
    )
  })

  it('are given to the instance, and to the web hook, with the fewest attempts first', () => {
    const running = [
      ...manyOf(4, () => ({ hook: 'busy', host: 'busy' })),
      ...manyOf(3, () => ({ hook: 'less busy', host: 'less' })),
      ...manyOf(24, (index) => ({ host: `${index}`, instance: 2 + Math.floor(index / 8) })),
    ]
    const [lessBusy, idle, other] = [
      attemptOf({ hook: 'less busy', host: 'less' }),
      attemptOf({ hook: 'idle', host: 'idle' }),
      attemptOf({ hook: 'other', instance: 9 }),
    ]
    expect(nextAttempts(running, [lessBusy, idle])).to.deep.equal([idle])
    expect(nextAttempts(running, [lessBusy, idle, other])).to.deep.equal([other])
    expect(nextAttempts(running.slice(4), [lessBusy, idle, other])).to.deep.equal([other, idle, lessBusy])
    expect(
      nextAttempts(
        [],
        manyOf(9, () => ({})),
      ),
    ).to.have.length(attemptPlaces.ofHost)
  })

  it('belong to the host of an address, however it is written', () => {
    for (const [url, host] of [
      ['https://a.example.org/hook', 'a.example.org'],
      ['HTTPS://A.Example.org:8443?x', 'a.example.org'],
      ['http://user:word@a.example.org#x', 'a.example.org'],
      ['https://[2001:db8::1]:8443/', '[2001:db8::1]'],
      ['https://a.example.org', 'a.example.org'],
      ['https://b.example.org/@a.example.org', 'b.example.org'],
    ] as const)
      expect(hostOf(url), url).to.equal(host)
    expect(hostOf('nothing')).to.equal('nothing')
  })
})
