import { expect } from 'chai'
import { describe, it } from 'mocha'
import fc from 'fast-check'
import { afterAttempt, newProgress, retryDelay, type Progress } from './delivery.js'
import { resources } from '../resource/resources.js'
import { eventOf, isSelected, isTooLongFailing, webhookEvents } from './webhook.js'

const hour = 3_600_000
const day = 24 * hour

describe('the events of web hooks', () => {
  it('are what the public sees of a change', () => {
    expect(
      (['created', 'published', 'updated', 'unpublished', 'removed'] as const).map((kind) =>
        eventOf({ kind, type: 'content' }),
      ),
    ).to.deep.equal([
      'content.published',
      'content.published',
      'content.updated',
      'content.unpublished',
      'content.deleted',
    ])
  })

  it('are selected by their names, or all at once', () => {
    for (const event of webhookEvents.filter((each) => each !== '*'))
      expect(webhookEvents.filter((each) => isSelected([each], event))).to.have.members(['*', event])
    expect(isSelected(['*'], 'comments.updated')).to.equal(true)
    expect(isSelected(['content.updated'], 'comments.updated')).to.equal(false)
  })

  it('can be named for each collection, and for the settings', () => {
    for (const { collection } of resources)
      for (const kind of ['created', 'updated', 'unpublished', 'removed'] as const)
        expect(webhookEvents).to.include(eventOf({ kind, type: collection }))
    expect(webhookEvents).to.include('settings.updated')
    expect(new Set(webhookEvents).size).to.equal(webhookEvents.length)
  })
})

describe('a delivery', () => {
  const failed = { status: 500, failure: 'status' } as const

  /** The times of all attempts of a delivery that fails, from the first one on. */
  const attemptsUntilEnd = (
    jitter: number,
  ): { readonly times: readonly number[]; readonly end: Progress } => {
    const times: number[] = []
    let progress = newProgress(0)
    while (progress.state === 'pending') {
      times.push(progress.due)
      progress = afterAttempt(progress, failed, progress.due, jitter)
    }
    return { times, end: progress }
  }

  it('is attempted at growing intervals for exactly two days, whatever the jitter', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (jitter) => {
        const { times, end } = attemptsUntilEnd(jitter)
        expect(times.at(-1)).to.equal(2 * day)
        expect(end).to.include({ state: 'failed', attempts: times.length })
        const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0))
        const growing = delays.slice(0, -1)
        expect(growing).to.deep.equal(growing.toSorted((one, other) => one - other))
        expect(delays[0]).to.be.within(5000, 6250)
        expect(Math.max(...delays)).to.be.at.most(3.75 * hour)
      }),
    )
  })

  it('is delivered by an attempt that succeeds, and keeps the last answer', () => {
    const once = afterAttempt(newProgress(0), { status: null, failure: 'timeout' }, 10, 0)
    expect(once).to.deep.include({ state: 'pending', attempts: 1, first: 10, due: 5010, failure: 'timeout' })
    expect(afterAttempt(once, { status: 204, failure: null }, 5010, 0)).to.deep.include({
      state: 'delivered',
      attempts: 2,
      first: 10,
      status: 204,
      failure: null,
    })
    expect(retryDelay(2, 0)).to.equal(15_000)
  })
})

describe('a receiver that fails', () => {
  it('is switched off after five days', () => {
    expect(isTooLongFailing(1000, 1000 + 5 * day - 1)).to.equal(false)
    expect(isTooLongFailing(1000, 1000 + 5 * day)).to.equal(true)
  })
})
