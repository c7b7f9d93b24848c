/**
 * Records spans with the SDK of OpenTelemetry, and sends them by OTLP over HTTP. The context of a task is in a storage of its own:
 * nothing of the process is changed, and no module of Node is instrumented.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as elapse } from 'node:timers/promises'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace'
import {
  commonAttributes,
  spans,
  type LogFields,
  type OpenSpan,
  type SpanName,
  type Traces,
} from '@publishing-service/ports'
import { samplerOf, type SamplerName } from './samplers.js'

export type OpentelemetryTracesOptions = {
  /** The address that spans are sent to, such as `http://localhost:4318/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What identifies the service, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  readonly ratio: number
  /** Milliseconds between two exports. */
  readonly delay: number
  /** Called with the reason of a failed export, at most once a minute. */
  readonly onFailure: (reason: string) => void
}

export type OpentelemetryTraces = Traces & {
  /** Sends what was recorded, for so many milliseconds at most, and ends. Never rejects. */
  readonly close: (limit: number) => Promise<void>
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

const reportInterval = 60_000

/** An exporter whose failures are reported, at most once a minute, and concern nobody else. */
const reporting = (exporter: SpanExporter, onFailure: (reason: string) => void): SpanExporter => {
  let reported: number | null = null
  return {
    export: (recorded, done) =>
      exporter.export(recorded, ({ code, error }) => {
        const now = performance.now()
        if (code !== ExportResultCode.SUCCESS && (reported === null || now - reported >= reportInterval)) {
          reported = now
          onFailure(error?.message ?? 'unknown')
        }
        done({ code: ExportResultCode.SUCCESS })
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

/** The attributes of fields: those that the declaration has. */
const attributesOf = (span: SpanName, fields: LogFields): Attributes => {
  const declared: Readonly<Record<string, string>> = { ...spans[span].attributes, ...commonAttributes }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => {
      const attribute = declared[field]
      return attribute === undefined || value === undefined || value === null ? [] : [[attribute, value]]
    }),
  )
}

/** Whether the trace of a context is recorded. Its spans may have ended already. */
const isSampled = (context: Context): boolean =>
  ((trace.getSpanContext(context)?.traceFlags ?? TraceFlags.NONE) & TraceFlags.SAMPLED) !== 0

const nameOf = (span: SpanName, fields: LogFields): string =>
  spans[span].name.replaceAll(/\{(\w+)\}/g, (_match, field: string) => String(fields[field] ?? ''))

export const opentelemetryTraces = (options: OpentelemetryTracesOptions): OpentelemetryTraces => {
  const { url, headers, resource, sampler, ratio, delay, onFailure } = options
  const exporter = reporting(new OTLPTraceExporter({ url, headers }), onFailure)
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delay })],
  })
  const tracer = provider.getTracer('publishing-service')
  const propagator = new W3CTraceContextPropagator()
  const storage = new AsyncLocalStorage<Context>()

  const opened = (name: SpanName, span: Span, parent: Context): OpenSpan => {
    const context = trace.setSpan(parent, span)
    return {
      run: (task) => storage.run(context, task),
      get headers() {
        const carrier: Record<string, string> = {}
        propagator.inject(context, carrier, defaultTextMapSetter)
        return carrier
      },
      end: ({ outcome, isError }, fields) => {
        if (span.isRecording()) {
          const all = { ...fields, outcome }
          span.setAttributes(attributesOf(name, all))
          // The name of a request is known when its endpoint is.
          if (name === 'request') span.updateName(nameOf(name, all))
          if (isError) {
            span.setAttribute('error.type', outcome)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
        }
        span.end()
      },
    }
  }

  return {
    receive: (sent) => {
      const parent = propagator.extract(ROOT_CONTEXT, sent, defaultTextMapGetter)
      const span = tracer.startSpan('request', { kind: kinds[spans.request.kind] }, parent)
      return opened('request', span, parent)
    },
    begin: (name, fields, ago = 0) => {
      const { kind, isRoot } = spans[name]
      const current = storage.getStore()
      if (current === undefined && !isRoot) return null
      const parent = current ?? ROOT_CONTEXT
      if (current !== undefined && !isSampled(current)) return null
      const span = tracer.startSpan(
        nameOf(name, fields),
        {
          kind: kinds[kind],
          attributes: attributesOf(name, fields),
          ...(ago === 0 ? {} : { startTime: Date.now() - ago }),
        },
        parent,
      )
      return opened(name, span, parent)
    },
    close: async (limit) => {
      await Promise.race([
        provider.shutdown().catch((error: unknown) => onFailure(String(error))),
        elapse(limit, undefined, { ref: false }),
      ])
    },
  }
}
