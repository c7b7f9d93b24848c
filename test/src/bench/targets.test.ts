import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { ImagingFigure } from './measure-imaging.js'
import type { RowResult } from './measure-row.js'
import type { BenchResults } from './run-bench.js'
import type { ScaleResult } from './scale/measure-scale.js'
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
): Pick<BenchResults, 'service' | 'scale' | 'servers' | 'imaging'> => {
  const seconds = spreadOf([start])
  return {
    service: {
      rows,
      starts: { service: seconds, 'node:http': seconds, Koa: seconds },
      memory: { idle, peak: null },
      dependencies,
    },
    scale: null,
    servers: null,
    imaging: null,
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
    expect(missedTargets({ service: null, scale: null, servers: null, imaging: null })).to.deep.equal([])
  })

  it('names what is dear on real servers', () => {
    const one = spreadOf([1])
    const read = (cost: number) => ({
      name: `cost ${cost}`,
      title: '',
      requestsPerSecond: { service: one, bare: one },
      cost: spreadOf([cost]),
    })
    const blob = (ratio: number) => ({
      name: `ratio ${ratio}`,
      title: '',
      throughput: { service: one, relay: one, client: one },
      ratio: spreadOf([ratio]),
      relayRatio: one,
    })
    const servers = {
      reads: [read(1.3), read(1.31)],
      blobs: [blob(0.7), blob(0.69)],
      memory: { uploads: 1, size: 1, added: 151e6 },
      leftOut: null,
    }
    expect(missedTargets({ service: null, scale: null, servers, imaging: null })).to.deep.equal([
      'cost 1.31',
      'ratio 0.69',
      'servers-memory',
    ])
  })

  it('names what grows with the publication', () => {
    const sized = (growth: number): ScaleResult => ({
      size: { locations: 1, others: 1, tagsEach: 1 },
      requestsPerSecond: spreadOf([1]),
      processor: null,
      growth: spreadOf([growth]),
    })
    const scaled = (name: string, growths: readonly number[]) => ({
      name,
      title: name,
      sizes: growths.map(sized),
    })
    const rows = [scaled('steady', [1, 1.3]), scaled('growing', [1, 1.2, 1.31])]
    const scale = { rows, lists: [], leftOut: [] }
    expect(missedTargets({ service: null, scale, servers: null, imaging: null })).to.deep.equal(['growing'])
  })

  it('names what scaling takes too much or too little of', () => {
    const figure = (title: string, median: number, target: ImagingFigure['target']): ImagingFigure => ({
      title,
      unit: '',
      figure: spreadOf([median]),
      target,
    })
    const imaging = [
      {
        name: 'imaging-first',
        figures: [
          figure('as quick', 1.1, { most: 1.1 }),
          figure('too slow', 1.11, { most: 1.1 }),
          figure('faster', 10, { least: 10 }),
          figure('hardly faster', 9.9, { least: 10 }),
          figure('as it is', 5, null),
        ],
      },
    ]
    expect(missedTargets({ service: null, scale: null, servers: null, imaging })).to.deep.equal([
      'too slow',
      'hardly faster',
    ])
  })
})
