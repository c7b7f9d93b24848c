/** Collects metrics as Prometheus reads them, with those of the process. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { measures, type Metrics } from '@publishing-service/ports'

export type PrometheusMetrics = Metrics & {
  /** All metrics as text. */
  readonly text: () => Promise<string>
  /** All metrics as values, which `togetherAsText` accepts. */
  readonly values: () => Promise<unknown>
  /** The media type of the text. */
  readonly mediaType: string
}

const prefix = 'publishing_'

/** Upper bounds in seconds: from a cached read to what a proxy gives up. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** What counts a metric with some values of its labels. The library would look for it by each label. */
class ByLabels<C> {
  readonly #found = new Map<string, C>()

  constructor(private readonly find: (labels: Readonly<Record<string, string>>) => C) {}

  of(labels: Readonly<Record<string, string>>): C {
    let key = ''
    for (const name in labels) key += `${labels[name]}\n`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const found = this.find(labels)
    this.#found.set(key, found)
    return found
  }
}

export const prometheusMetrics = (): PrometheusMetrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix })
  const histograms = new Map<string, ByLabels<Histogram.Internal<string>>>()
  const counters = new Map<string, ByLabels<Counter.Internal>>()
  for (const [measure, { kind, name, description: help, labels }] of Object.entries(measures)) {
    const settings = { name: `${prefix}${name}`, help, labelNames: labels, registers }
    if (kind === 'duration') {
      const histogram = new Histogram<string>({ ...settings, buckets })
      histograms.set(measure, new ByLabels((values) => histogram.labels(values)))
    } else if (kind === 'count') {
      const counter = new Counter<string>(settings)
      counters.set(measure, new ByLabels((values) => counter.labels(values)))
    }
  }
  return {
    isRead: true,
    observe: (measure, labels, milliseconds) =>
      histograms
        .get(measure)
        ?.of(labels)
        .observe(milliseconds / 1000),
    count: (measure, labels) => counters.get(measure)?.of(labels).inc(),
    level: (measure, read) => {
      const { name, description: help, ...others } = measures[measure]
      const gauge: Gauge = new Gauge({
        name: `${prefix}${name}`,
        help,
        registers,
        ...('together' in others ? { aggregator: others.together } : {}),
        collect: async () => {
          const level = await read()
          if (level === null) gauge.remove()
          else gauge.set(level)
        },
      })
    },
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON(),
    mediaType: registry.contentType,
  }
}
