/** What a service measures of itself (docs/operate.md#metrics). Adapters and the documentation are made of this table. */

/** A duration is observed in milliseconds, and published in seconds; a count only grows; a level is read when it is asked for. */
type Measure = {
  readonly kind: 'duration' | 'count' | 'level'
  /** The name that is published, without the prefix `publishing_`. */
  readonly name: string
  readonly description: string
  /** Each has few values, however many requests there are. */
  readonly labels: readonly string[]
  /** Of a level: what it is for several processes together, by default the sum of theirs. */
  readonly together?: 'sum' | 'max'
}

export const measures = {
  request: {
    kind: 'duration',
    name: 'http_request_duration_seconds',
    description:
      'Requests, until the response was written: by the id of the endpoint in OpenAPI and the status.',
    labels: ['endpoint', 'status'],
  },
  cache: {
    kind: 'count',
    name: 'response_cache_requests_total',
    description: 'Reads that could come from the response cache: hit or miss.',
    labels: ['outcome'],
  },
  storeCall: {
    kind: 'duration',
    name: 'store_call_duration_seconds',
    description: 'Calls of the document store. The duration of `write` is that of a durable commit.',
    labels: ['call', 'outcome'],
  },
  blobCall: {
    kind: 'duration',
    name: 'blob_call_duration_seconds',
    description: 'Calls of the blob store.',
    labels: ['call', 'outcome'],
  },
  scaling: {
    kind: 'duration',
    name: 'image_scaling_duration_seconds',
    description: 'Images that were scaled or summarised, without the time in the queue.',
    labels: ['call', 'outcome'],
  },
  scalingWait: {
    kind: 'duration',
    name: 'image_queue_wait_seconds',
    description: 'Times that images waited to be scaled.',
    labels: [],
  },
  scalingQueue: {
    kind: 'level',
    name: 'image_queue_length',
    description: 'Images that wait to be scaled.',
    labels: [],
  },
  webhookAttempt: {
    kind: 'duration',
    name: 'webhook_attempt_duration_seconds',
    description: 'Attempts to deliver to web hooks: accepted, or why not.',
    labels: ['outcome'],
  },
  webhookLag: {
    kind: 'duration',
    name: 'webhook_lag_seconds',
    description: 'Times from a change to the first attempt to deliver it.',
    labels: [],
  },
  mail: {
    kind: 'duration',
    name: 'mail_duration_seconds',
    description: 'Attempts to send mail.',
    labels: ['outcome'],
  },
  provider: {
    kind: 'duration',
    name: 'identity_provider_duration_seconds',
    description: 'Calls of the identity provider, as far as the service makes them.',
    labels: ['call', 'outcome'],
  },
  signIn: {
    kind: 'count',
    name: 'sign_ins_total',
    description: 'Attempts to sign in, of people and with keys, by how they ended.',
    labels: ['operation', 'outcome'],
  },
  diskFree: {
    kind: 'level',
    name: 'data_dir_free_bytes',
    description: 'Bytes that are free where DATA_DIR is.',
    labels: [],
    together: 'max',
  },
  workers: {
    kind: 'level',
    name: 'workers',
    description: 'Workers that serve requests, where WORKERS is more than 1.',
    labels: [],
  },
  workerReplacement: {
    kind: 'count',
    name: 'worker_replacements_total',
    description: 'Workers that have ended although nobody had stopped them, and are replaced.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, Measure>>

type Measures = typeof measures
type NamesOf<K extends Measure['kind']> = {
  readonly [M in keyof Measures]: Measures[M]['kind'] extends K ? M : never
}[keyof Measures]
export type DurationMeasure = NamesOf<'duration'>
export type CountMeasure = NamesOf<'count'>
export type LevelMeasure = NamesOf<'level'>

/** The values of the labels of a measure. */
export type LabelsOf<M extends keyof Measures> = {
  readonly [L in Measures[M]['labels'][number]]: string
}

/** The outcome of what has not failed; the others are the tags of failures. */
export const succeeded = 'succeeded'

/** Collects what is measured. Its functions never fail, and take a few microseconds at most. */
export type Metrics = {
  /** Whether somebody can read what is collected. If not, it need not be measured. */
  readonly isRead: boolean
  readonly observe: <M extends DurationMeasure>(measure: M, labels: LabelsOf<M>, milliseconds: number) => void
  readonly count: <M extends CountMeasure>(measure: M, labels: LabelsOf<M>) => void
  /** `read` returns the level, each time that somebody asks; null if it is unknown. */
  readonly level: (measure: LevelMeasure, read: () => number | null | Promise<number | null>) => void
}

/** Metrics that nobody reads. */
export const noMetrics: Metrics = {
  isRead: false,
  observe: () => undefined,
  count: () => undefined,
  level: () => undefined,
}

/** Calls of a part of the service, and the milliseconds that they took. */
type Waited = { readonly calls: number; readonly milliseconds: number }

/** A request, and what it has waited for, by the parts of the service. Calls at the same time count each. */
export type RequestScope = {
  /** The request id. */
  readonly request: string
  readonly waited: Map<string, Waited>
}

/**
 * Which request a call is made for.
 * - Within a task, and all that it awaits, the scope is the one that it was run with.
 * - Outside, and in tasks of other scopes, it is not.
 */
export type RequestScopes = {
  readonly run: <A>(scope: RequestScope, task: () => Promise<A>) => Promise<A>
  /** Null if the call is made for no request. */
  readonly current: () => RequestScope | null
}
