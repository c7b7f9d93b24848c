/** The rules and the dashboard for operators: their queries parse, and name metrics that a service has. */
import { parser } from '@prometheus-io/lezer-promql'
import { prometheusMetrics } from '@publishing-service/adapter-prometheus'
import { isJsonList, isJsonObject, type Json } from '@publishing-service/domain/json'
import { measures } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { parse } from 'yaml'
import { readDocument } from './documents.js'

/** All texts below these names. */
const textsOf = (value: Json, name: string): readonly string[] => {
  if (isJsonList(value)) return value.flatMap((each) => textsOf(each, name))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === name && typeof each === 'string' ? [each] : textsOf(each ?? null, name),
  )
}

/** The places where a query is no PromQL. Variables of Grafana stand for a duration. */
const faultsOf = (query: string): readonly string[] => {
  const text = query.replaceAll('$__rate_interval', '5m').trim()
  const faults: string[] = []
  parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) faults.push(`${text.slice(0, from)} ⚠ ${text.slice(from, to)}`)
    },
  })
  return faults
}

const namesIn = (query: string): readonly string[] => query.match(/\bpublishing_[a-z0-9_]+/g) ?? []

/** The names of all metrics, with those of the parts of histograms. */
const publishedNames = async (): Promise<ReadonlySet<string>> => {
  const metrics = prometheusMetrics()
  metrics.level('diskFree', () => 1)
  metrics.level('scalingQueue', () => 1)
  const names = ((await metrics.text()).match(/^# TYPE \S+/gm) ?? []).map((line) => line.slice(7))
  const parts = Object.values(measures).flatMap(({ kind, name }) =>
    kind === 'duration' ? ['bucket', 'count', 'sum'].map((part) => `publishing_${name}_${part}`) : [],
  )
  return new Set([...names, ...parts])
}

const documented: readonly (readonly [path: string, read: (text: string) => Json, atLeast: number])[] = [
  ['docs/operations/alerts.yml', (text) => parse(text), 10],
  ['docs/operations/grafana-dashboard.json', (text) => JSON.parse(text), 15],
]

describe('documents for operators', () => {
  for (const [path, read, atLeast] of documented)
    it(`${path} has queries of metrics that a service has`, async () => {
      const queries = textsOf(read(readDocument(path).text), 'expr')
      expect(queries.length).to.be.at.least(atLeast)
      const names = await publishedNames()
      for (const query of queries) {
        expect(faultsOf(query)).to.deep.equal([])
        for (const name of namesIn(query)) expect(names, query).to.include(name)
      }
    })

  it('a query that is no PromQL, or names no metric, is noticed', async () => {
    expect(faultsOf('sum by (instance (rate(publishing_up[5m])')).not.to.deep.equal([])
    expect(await publishedNames()).not.to.include('publishing_up')
  })
})
