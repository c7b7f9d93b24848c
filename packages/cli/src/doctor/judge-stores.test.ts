import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { ExaminedHook } from '@publishing-service/application'
import type { Finding } from './finding.js'
import {
  judgeBackups,
  judgeClock,
  judgeHooks,
  judgeJobs,
  judgeStore,
  type Backups,
  type DescribedStore,
} from './judge-stores.js'

const statesOf = (findings: readonly Finding[]) => findings.map(({ state }) => state)

const [minute, hour] = [60_000, 3_600_000]
const now = Date.UTC(2026, 10, 30, 12)

describe('judgeStore', () => {
  const store: DescribedStore = { place: 'db', server: 'MongoDB 8.0', isTested: true, schema: 'current' }
  const judged = (part: Partial<DescribedStore>) => statesOf(judgeStore({ ...store, ...part }))

  it('warns of tables that a start makes or migrates, and of servers that are not tested', () => {
    expect(judged({})).to.deep.equal(['fine'])
    expect(judged({ schema: 'empty' })).to.deep.equal(['warning'])
    expect(judged({ schema: 'outdated' })).to.deep.equal(['warning'])
    expect(judged({ schema: 'outdated', isTested: false })).to.deep.equal(['warning', 'warning'])
  })
})

describe('judgeClock', () => {
  it('accepts two seconds, and reports a minute, in both directions', () => {
    for (const sign of [1, -1])
      expect([1999, 2000, 59_999, 60_000].map((skew) => statesOf(judgeClock(sign * skew)))).to.deep.equal([
        ['fine'],
        ['warning'],
        ['warning'],
        ['fault'],
      ])
  })
})

describe('judgeBackups', () => {
  const backups: Backups = {
    place: '/mnt/backups',
    every: 24,
    newest: { time: now - 24 * hour, isDamaged: false, bytes: 1000 },
    freeBytes: 1_000_000,
    now,
  }
  const judged = (part: Partial<Backups>) => statesOf(judgeBackups({ ...backups, ...part }))
  const aged = (hours: number, every: number | null) =>
    judged({ every, newest: { time: now - hours * hour, isDamaged: false, bytes: 1000 } })

  it('compares the age of the newest one with the interval', () => {
    expect([36, 37, 72, 73].map((hours) => aged(hours, 24))).to.deep.equal([
      ['fine'],
      ['warning'],
      ['warning'],
      ['fault'],
    ])
  })

  it('expects one a week where the service makes none', () => {
    expect([7 * 24, 11 * 24, 1000].map((hours) => aged(hours, null))).to.deep.equal([
      ['fine'],
      ['warning'],
      ['warning'],
    ])
  })

  it('reports missing and damaged ones', () => {
    expect(judged({ place: null })).to.deep.equal(['warning'])
    expect(judged({ newest: null })).to.deep.equal(['fault'])
    expect(judged({ newest: null, every: null })).to.deep.equal(['warning'])
    expect(judged({ newest: { time: now, isDamaged: true, bytes: 0 } })).to.deep.equal(['fault'])
  })

  it('warns if another one would not fit', () => {
    expect(judged({ freeBytes: 999 })).to.deep.equal(['warning'])
    expect(judged({ freeBytes: null })).to.deep.equal(['fine'])
  })
})

describe('judgeHooks', () => {
  const hook: ExaminedHook = { id: 'a', instance: 1, failingSince: null, waitingSince: null }
  const judged = (hooks: readonly ExaminedHook[], switchedOff = 0) =>
    statesOf(judgeHooks({ hooks, switchedOff }, now))

  it('warns of each that is late or fails, and of those that were switched off', () => {
    expect(judged([])).to.deep.equal(['fine'])
    expect(judged([hook])).to.deep.equal(['fine'])
    expect(judged([{ ...hook, waitingSince: now - 5 * minute }])).to.deep.equal(['fine'])
    expect(judged([{ ...hook, waitingSince: now - 6 * minute }, hook])).to.deep.equal(['warning'])
    expect(judged([{ ...hook, failingSince: now - 1, waitingSince: 0 }])).to.deep.equal(['warning'])
    expect(judged([hook], 2)).to.deep.equal(['warning'])
  })
})

describe('judgeJobs', () => {
  const jobs = (open: number, isWorkedOn: boolean) => [{ kind: 'imports', open, isWorkedOn } as const]

  it('reports jobs that a running service does not work on, and warns without one', () => {
    expect(statesOf(judgeJobs({ jobs: jobs(0, true), waitingMail: 0 }, true))).to.deep.equal(['fine'])
    expect(statesOf(judgeJobs({ jobs: jobs(1, true), waitingMail: 0 }, true))).to.deep.equal(['fine'])
    expect(statesOf(judgeJobs({ jobs: jobs(1, false), waitingMail: 0 }, true))).to.deep.equal(['fault'])
    expect(statesOf(judgeJobs({ jobs: jobs(1, false), waitingMail: 0 }, false))).to.deep.equal(['warning'])
  })

  it('warns of mail that waits', () => {
    expect(statesOf(judgeJobs({ jobs: jobs(0, true), waitingMail: 3 }, true))).to.deep.equal(['warning'])
  })
})
