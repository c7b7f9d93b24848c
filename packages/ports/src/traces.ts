/** What a service traces of its requests (docs/traces.md). Adapters and the documentation are made of this table. */
import type { LogFields } from './system.js'

/**
 * A span: a step of a request, or work of the service itself. `isRoot` begins a trace where there is none; others are recorded
 * within a trace only, so that the work of the service in the background makes none.
 */
type SpanDeclaration = {
  readonly kind: 'server' | 'client' | 'internal'
  /** Its name, in which the value of a field is in braces. */
  readonly name: string
  readonly description: string
  readonly isRoot: boolean
  /** The attributes, by the fields that they are made of. Other fields are not sent. */
  readonly attributes: Readonly<Record<string, string>>
}

/** Attributes of every span. */
export const commonAttributes = { outcome: 'publishing.outcome' } as const

export const spans = {
  request: {
    kind: 'server',
    name: '{endpoint}',
    description:
      'A request, until the response was written. The name is the id of the endpoint in OpenAPI, or the method for what is no endpoint.',
    isRoot: true,
    attributes: {
      method: 'http.request.method',
      route: 'http.route',
      status: 'http.response.status_code',
      request: 'publishing.request_id',
      cache: 'publishing.response_cache',
    },
  },
  identify: {
    kind: 'internal',
    name: 'identify',
    description: 'Finding who sends the request, by its token.',
    isRoot: false,
    attributes: {},
  },
  authorise: {
    kind: 'internal',
    name: 'authorise',
    description: 'Checking the role that the operation needs, and loading the instance.',
    isRoot: false,
    attributes: { instance: 'publishing.instance' },
  },
  store: {
    kind: 'client',
    name: 'store {call}',
    description: 'A call of the document store.',
    isRoot: false,
    attributes: {
      call: 'db.operation.name',
      collection: 'db.collection.name',
      collections: 'publishing.collections',
      changes: 'publishing.changes',
      instance: 'publishing.instance',
    },
  },
  blob: {
    kind: 'client',
    name: 'blob {call}',
    description: 'A call of the blob store. A read ends when the blob is open, and not when it was sent.',
    isRoot: false,
    attributes: { call: 'publishing.call', count: 'publishing.count' },
  },
  imaging: {
    kind: 'internal',
    name: 'imaging {call}',
    description: 'An image that is scaled or summarised, without the time in the queue.',
    isRoot: false,
    attributes: { call: 'publishing.call' },
  },
  scalingWait: {
    kind: 'internal',
    name: 'imaging queue',
    description: 'The time that an image waits to be scaled.',
    isRoot: false,
    attributes: {},
  },
  webhook: {
    kind: 'client',
    name: 'web hook',
    description: 'An attempt to deliver to a web hook. The receiver gets `traceparent`.',
    isRoot: true,
    attributes: {
      delivery: 'publishing.delivery',
      host: 'server.address',
      status: 'http.response.status_code',
    },
  },
  mail: {
    kind: 'client',
    name: 'mail',
    description: 'Sending a message.',
    isRoot: true,
    attributes: {},
  },
  provider: {
    kind: 'client',
    name: 'identity provider {call}',
    description: 'A step of a sign-in with the identity provider.',
    isRoot: false,
    attributes: { call: 'publishing.call' },
  },
} as const satisfies Readonly<Record<string, SpanDeclaration>>

export type SpanName = keyof typeof spans

/** How what a span covers has ended. */
export type SpanEnd = {
  /** `succeeded`, or what has failed. */
  readonly outcome: string
  /** Whether that is an error of the service or of what it uses, and not one of who asks. */
  readonly isError: boolean
}

/** The outcome of what was thrown and is no failure. */
export const defectOutcome = 'defect'

/** How a span ends by an outcome: what who asks can expect, such as a conflict or a missing right, is no error. */
export const spanEndOf = (outcome: string): SpanEnd => ({
  outcome,
  isError: outcome === 'PortFailure' || outcome === defectOutcome,
})

/** A span that has begun. */
export type OpenSpan = {
  /** Runs a task, all spans of which are within this one. */
  readonly run: <A>(task: () => Promise<A>) => Promise<A>
  /** Headers with which another service continues the trace. */
  readonly headers: Readonly<Record<string, string>>
  readonly end: (end: SpanEnd, fields: LogFields) => void
}

/** The headers in which a client sends the trace that it has begun (W3C Trace Context). */
export type TraceHeaders = {
  readonly traceparent: string | undefined
  readonly tracestate: string | undefined
}

/**
 * Records spans, and sends them to who collects them.
 * - The span of a request continues the trace of its client, if its headers name one.
 * - A span is within the one whose task has begun it, also after what that task awaits.
 * - A span has the attributes that its declaration has for its fields, and no others.
 * - Nothing fails, or waits, because nobody collects.
 */
export type Traces = {
  readonly receive: (headers: TraceHeaders) => OpenSpan
  /**
   * A span that has begun so many milliseconds ago, now by default. Null if it would be in no trace, or in one that is not
   * recorded.
   */
  readonly begin: (span: SpanName, fields: LogFields, ago?: number) => OpenSpan | null
}
