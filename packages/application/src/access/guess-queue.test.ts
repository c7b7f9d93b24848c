import { controlledClock } from '@publishing-service/adapter-memory'
import { mostWaitingAttempts, attemptsAtOnce, failureMemory } from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { attempt } from '../attempt.js'
import { start } from '../test-support/stage.js'
import { busy, createGuessQueue } from './guess-queue.js'

/** A queue with attempts that run until they are ended. */
const held = () => {
  const clock = controlledClock(start)
  const inTurn = createGuessQueue(clock)
  const running: { readonly name: string; readonly end: (isRight: boolean) => void }[] = []
  const refused: string[] = []
  const enter = async (name: string, isTrusted = false): Promise<void> => {
    const done = await attempt(() =>
      inTurn({ names: [name], isTrusted }, () =>
        new Promise<boolean>((resolve) => running.push({ name, end: resolve })).then((isRight) =>
          isRight ? name : null,
        ),
      ),
    )
    if (E.isRight(done)) return
    expect(done.left).to.deep.equal(busy)
    refused.push(name)
  }
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await clock.turn()
  }
  const endNext = async (isRight = true): Promise<string | undefined> => {
    const next = running.shift()
    next?.end(isRight)
    await settle()
    return next?.name
  }
  const endAll = async (): Promise<readonly string[]> => {
    const names: string[] = []
    for (let name = await endNext(); name !== undefined; name = await endNext()) names.push(name)
    return names
  }
  /** An attempt that fails. */
  const fail = async (name: string): Promise<void> => {
    void enter(name)
    await settle()
    await endNext(false)
  }
  const occupy = (): void => {
    for (let index = 0; index < attemptsAtOnce; index += 1) void enter(`first-${index}`)
  }
  return { clock, enter, endAll, fail, occupy, refused, running, settle }
}

describe('the queue of attempts to sign in', () => {
  it('runs those that are trusted first, then those without failures, then the others by their failures', async () => {
    const { enter, endAll, fail, occupy, settle } = held()
    for (const name of ['twice', 'once', 'twice']) await fail(name)
    occupy()
    for (const name of ['twice', 'once', 'none', 'none', 'other']) void enter(name)
    void enter('trusted', true)
    await settle()
    const order = await endAll()
    expect(order.slice(attemptsAtOnce)).to.deep.equal(['trusted', 'none', 'other', 'once', 'none', 'twice'])
  })

  it('forgets failures after an hour', async () => {
    const { clock, enter, endAll, fail, occupy, settle } = held()
    await fail('one')
    clock.advance(failureMemory * 1000)
    await settle()
    occupy()
    for (const name of ['one', 'other']) void enter(name)
    await settle()
    expect((await endAll()).slice(attemptsAtOnce)).to.deep.equal(['one', 'other'])
  })

  it('refuses the last one in the order if too many wait: the new one, or one that has waited', async () => {
    const { enter, endAll, fail, occupy, refused, settle } = held()
    await fail('failed')
    occupy()
    void enter('failed')
    for (let index = 1; index < mostWaitingAttempts; index += 1) void enter(`waits-${index}`)
    await settle()
    expect(refused).to.deep.equal([])
    void enter('failed')
    await settle()
    expect(refused).to.deep.equal(['failed'])
    void enter('new')
    await settle()
    expect(refused).to.deep.equal(['failed', 'failed'])
    void enter('newer')
    await settle()
    expect(refused).to.deep.equal(['failed', 'failed', 'newer'])
    void enter('trusted', true)
    await settle()
    expect(refused.at(-1)).to.equal('new')
    const order = await endAll()
    expect(order).to.have.length(attemptsAtOnce + mostWaitingAttempts)
    expect(order[attemptsAtOnce]).to.equal('trusted')
  })

  it('gives the place of an attempt that throws to the next one', async () => {
    const { clock } = held()
    const inTurn = createGuessQueue(clock)
    const run = (isDefect: boolean) =>
      inTurn({ names: ['a'], isTrusted: false }, async () => {
        if (isDefect) throw new Error('a defect')
        return 'done'
      })
    const results = await Promise.allSettled([...Array.from({ length: 9 }, () => run(true)), run(false)])
    expect(results.at(-1)).to.deep.equal({ status: 'fulfilled', value: 'done' })
  })
})
