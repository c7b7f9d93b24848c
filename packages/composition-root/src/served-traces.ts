/** The traces of the service, and the end of their transmission. */
import { randomUUID } from 'node:crypto'
import { apiVersion } from '@publishing-service/http-contract'
import type { Log, Traces } from '@publishing-service/ports'
import type { Configuration } from './configuration.js'

export type ServedTraces = {
  /** Null if nobody collects them. */
  readonly traces: Traces | null
  readonly close: () => Promise<void>
}

/** Milliseconds that a stop waits for the collector at most, while it also waits for others. */
const closingTime = 900

/** The address that traces are sent to; null for none. */
const collectorOf = (configuration: Configuration): string | null => {
  const { OTEL_SDK_DISABLED: isOff, OTEL_EXPORTER_OTLP_ENDPOINT: base } = configuration
  if (isOff) return null
  return (
    configuration.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (base === null ? null : `${base.replace(/\/$/, '')}/v1/traces`)
  )
}

/** The library is imported if traces are collected. */
export const openTraces = async (configuration: Configuration, log: Log): Promise<ServedTraces> => {
  const url = collectorOf(configuration)
  if (url === null) return { traces: null, close: async () => undefined }
  const { opentelemetryTraces } = await import('@publishing-service/adapter-opentelemetry')
  const traces = opentelemetryTraces({
    url,
    headers: configuration.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    resource: {
      ...configuration.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': configuration.OTEL_SERVICE_NAME,
      'service.version': apiVersion,
      'service.instance.id': randomUUID(),
    },
    sampler: configuration.OTEL_TRACES_SAMPLER,
    ratio: configuration.OTEL_TRACES_SAMPLER_ARG,
    delay: configuration.OTEL_BSP_SCHEDULE_DELAY,
    onFailure: (reason) => log.write('warn', 'traces not sent', { collector: url, reason }),
  })
  return { traces, close: () => traces.close(closingTime) }
}
