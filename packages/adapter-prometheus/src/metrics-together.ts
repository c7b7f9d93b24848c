/** The metrics of several processes as those of one. */
import { AggregatorRegistry, type Registry } from 'prom-client'

/** A metric of a process as a value of JSON, as far as it is looked at here. */
type Metric = { readonly name: string; readonly type: string; readonly aggregator: string }

const isMetric = (value: unknown): value is Metric =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'type' in value &&
  typeof value.type === 'string' &&
  'aggregator' in value &&
  typeof value.aggregator === 'string' &&
  'values' in value &&
  Array.isArray(value.values)

/** The metrics in what a process has sent; none where it is something else. */
const metricsIn = (values: unknown): readonly Metric[] =>
  Array.isArray(values) ? values.filter(isMetric) : []

/** The worst of several processes is of interest where the library has their average: delays of the event loop. */
const worst = (metric: Metric): Metric =>
  metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric

const together = (all: readonly (readonly Metric[])[]): Registry =>
  AggregatorRegistry.aggregate(all.map((metrics) => metrics.map(worst)))

/**
 * One text of the metrics of a process and of others. Counts and durations are added, and of a level the table of measures says it.
 * What has no meaning for several, such as the time of the start, is that of the first process.
 */
export const togetherAsText = (first: unknown, others: readonly unknown[]): Promise<string> => {
  const own = metricsIn(first).map((metric): Metric =>
    metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric,
  )
  const known = new Set(own.filter(({ aggregator }) => aggregator === 'first').map(({ name }) => name))
  return together([
    own,
    ...others.map((each) => metricsIn(each).filter(({ name }) => !known.has(name))),
  ]).metrics()
}

const counted: ReadonlySet<string> = new Set(['counter', 'histogram'])

/** What only grows in the metrics of several processes, together: it is retained when they end. */
export const countsTogether = (all: readonly unknown[]): Promise<unknown> =>
  together(all.map((each) => metricsIn(each).filter(({ type }) => counted.has(type)))).getMetricsAsJSON()
