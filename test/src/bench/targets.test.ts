import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { RowResult } from './measure-row.js'
import type { BenchResults } from './run-bench.js'
import { spreadOf } from './spread.js'
import { missedTargets } from './targets.js'

const row = (name: string, target: number | null, ratio: number): RowResult => {
  const same = spreadOf([ratio])
  return {
    name,
    title: name,
    target,
    requestsPerSecond: { service: same, 'node:http': same, Koa: same },
    ratios: { 'node:http': same, Koa: spreadOf([1]) },
    latency: { median: 1, p99: 1 },
    processor: { service: null, 'node:http': null, Koa: null },
  }
}

const results = (
  rows: readonly RowResult[],
  start: number,
  idle: number | null,
  dependencies: number | null,
): Pick<BenchResults, 'rows' | 'imaging' | 'starts' | 'memory' | 'dependencies'> => {
  const seconds = spreadOf([start])
  return {
    rows,
    imaging: [],
    starts: { service: seconds, 'node:http': seconds, Koa: seconds },
    memory: { idle, peak: null },
    dependencies,
  }
}

describe('missedTargets', () => {
  it('names what is below its ratio to node:http or over its cost', () => {
    const rows = [row('met', 0.35, 0.35), row('free', null, 0.01), row('missed', 0.08, 0.079)]
    expect(missedTargets(results(rows, 0.81, 121e6, 151e6))).to.deep.equal([
      'missed',
      'cold start',
      'idle memory',
      'production dependencies',
    ])
    expect(missedTargets(results(rows.slice(0, 2), 0.8, 120e6, 150e6))).to.deep.equal([])
  })

  it('does not count what was not measured', () => {
    expect(missedTargets(results([], 0.1, null, null))).to.deep.equal([])
  })
})
