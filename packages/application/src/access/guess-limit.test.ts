/** Who can sign in while others guess (docs/behaviour/access.md#order-of-attempts): a simulation in steps of 50 milliseconds. */
import { controlledClock } from '@publishing-service/adapter-memory'
import type { Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { attempt } from '../attempt.js'
import type { Failure } from '../failure.js'
import { openSecrets, start } from '../test-support/stage.js'
import { createGuessLimits, type GuessLimits } from './guess-limit.js'

const step = 50
/** One secret is verified in each step, and as many wait as those of the service. */
const mostWaiting = 64
const noSecret: Problem = { _tag: 'Unavailable', retryAfter: 1 }

type Outcome = { readonly ended: number; readonly failure: Failure | null; readonly isRight: boolean }

const simulation = () => {
  const clock = controlledClock(start)
  const alone = { published: 0, others: 0, othersRemaining: 0, processes: 1 }
  const limits: GuessLimits = createGuessLimits(clock, openSecrets, { share: () => () => alone })
  const verifying: (() => void)[] = []
  let steps = 0
  let verified = 0

  const verify = async (isRight: boolean): Promise<true | null> => {
    if (verifying.length >= mostWaiting) throw noSecret
    await new Promise<void>((resolve) => verifying.push(resolve))
    verified += 1
    return isRight ? true : null
  }

  const outcomeOf = async (attempted: Promise<true | null>): Promise<Outcome> => {
    const done = await attempt(() => attempted)
    return E.isLeft(done)
      ? { ended: steps, failure: done.left, isRight: false }
      : { ended: steps, failure: null, isRight: done.right === true }
  }

  const guess = (address: string, name: string, isRight = false): Promise<Outcome> =>
    outcomeOf(limits.limitGuesses(address, name, () => verify(isRight)))
  const inBrowser = (name: string): Promise<Outcome> => outcomeOf(limits.limitKnown(name, () => verify(true)))

  /** Clients that guess some three times a second each, one attempt at a time. */
  const attackers = (addresses: readonly string[]): (() => void) => {
    const next = addresses.map(() => 0)
    const send = async (index: number, address: string): Promise<void> => {
      next[index] = Infinity
      await guess(address, `unknown-${index}-${steps}`)
      next[index] = steps + 7
    }
    return () => {
      for (const [index, address] of addresses.entries())
        if (steps >= (next[index] ?? 0)) void send(index, address)
    }
  }

  const advance = async (attack: () => void): Promise<void> => {
    attack()
    for (let turn = 0; turn < 8; turn += 1) await clock.turn()
    verifying.shift()?.()
    for (let turn = 0; turn < 8; turn += 1) await clock.turn()
    steps += 1
    clock.advance(step)
  }

  /** Attempts during an attack, one after the other: how each has ended, and after how many steps. */
  const during = async (
    attack: () => void,
    attempts: readonly (() => Promise<Outcome>)[],
  ): Promise<readonly (Outcome & { readonly waited: number })[]> => {
    const outcomes: (Outcome & { readonly waited: number })[] = []
    for (const one of attempts) {
      const began = steps
      const before = outcomes.length
      const ending = one().then((outcome) => outcomes.push({ ...outcome, waited: outcome.ended - began }))
      for (let waited = 0; outcomes.length === before && waited < 1200; waited += 1) await advance(attack)
      await ending
      for (let pause = 0; pause < 60; pause += 1) await advance(attack)
    }
    return outcomes
  }

  return { guess, inBrowser, attackers, advance, during, verified: () => verified }
}

/** 96 clients of 16 networks of one /56, such as a provider gives to one customer. */
const household = Array.from(
  { length: 96 },
  (_, index) => `2001:db8:0:${(index % 16).toString(16)}::${index + 1}`,
)
const botnet = Array.from({ length: 120 }, (_, index) => `198.51.${100 + (index % 2)}.${index + 1}`)

// Addresses that have not failed yet are alike: the first attempts of many are verified before those that come after them.
for (const [attack, addresses, longestWait] of [
  ['96 clients of 16 networks of one household', household, 20],
  ['120 addresses', botnet, 120],
] as const)
  describe(`while ${attack} guess`, () => {
    it('people and programs elsewhere sign in', async () => {
      const { guess, inBrowser, attackers, advance, during } = simulation()
      const attacking = attackers(addresses)
      for (let passed = 0; passed < 10; passed += 1) await advance(attacking)
      const outcomes = await during(attacking, [
        () => guess('192.0.2.1', 'ada', true),
        () => guess('192.0.2.2', 'bob', true),
        () => inBrowser('browser'),
        () => guess('2001:db8:1::1', 'program', true),
        // Who has typed a wrong password.
        () => guess('192.0.2.4', 'eve', false),
        () => guess('192.0.2.4', 'eve', true),
        () => guess('192.0.2.2', 'bob', true),
      ])
      expect(outcomes.map(({ failure }) => failure)).to.deep.equal(outcomes.map(() => null))
      expect(outcomes.map(({ isRight }) => isRight)).to.deep.equal([
        true,
        true,
        true,
        true,
        false,
        true,
        true,
      ])
      const [first, ...later] = outcomes.map(({ waited }) => waited)
      expect(first).to.be.at.most(longestWait)
      for (const waited of later) expect(waited).to.be.at.most(20)
    })

    it('who has succeeded at one of their addresses signs in there with the same key or account', async () => {
      const { guess, attackers, advance, during } = simulation()
      const [address = ''] = addresses
      await during(() => undefined, [() => guess(address, 'program', true)])
      const attacking = attackers(addresses)
      for (let passed = 0; passed < 600; passed += 1) await advance(attacking)
      const [trusted] = await during(attacking, [() => guess(address, 'program', true)])
      expect(trusted).to.include({ failure: null, isRight: true })
      expect(trusted?.waited).to.be.at.most(20)
    })
  })

describe('failures of a network', () => {
  const failuresOf = async (addresses: readonly string[]): Promise<number> => {
    const { attackers, advance, verified } = simulation()
    const attacking = attackers(addresses)
    for (let passed = 0; passed < 1190; passed += 1) await advance(attacking)
    return verified()
  }

  it('are at most 200 in a minute of a household, and 400 of a /48', async () => {
    expect(await failuresOf(household)).to.equal(200)
    const site = Array.from({ length: 96 }, (_, index) => `2001:db8:0:${(index * 256).toString(16)}::1`)
    expect(await failuresOf(site)).to.equal(400)
  })

  it('are at most 100 in a minute of an address', async () => {
    expect(await failuresOf(['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'])).to.equal(100)
  })
})
