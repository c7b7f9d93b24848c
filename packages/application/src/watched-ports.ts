/** Ports whose calls are measured and logged, each with its duration and the request that it was made for. */
import { E, type TaskEither } from '@publishing-service/domain/fp'
import { hostOf } from '@publishing-service/domain/webhooks'
import {
  defectOutcome,
  spanEndOf,
  succeeded,
  type BlobEntry,
  type BlobStore,
  type DocumentStore,
  type DurationMeasure,
  type IdentityProvider,
  type Imaging,
  type LogFields,
  type MailSender,
  type Metrics,
  type OpenSpan,
  type SpanName,
  type Traces,
  type WebhookSender,
} from '@publishing-service/ports'
import type { ProvidedPorts } from './ports.js'

type Watching = Pick<ProvidedPorts, 'clock' | 'log' | 'metrics' | 'requestScopes' | 'traces'>

/** Milliseconds as the log has them: to the hundredth. */
export const loggedTime = (milliseconds: number): number => Math.round(milliseconds * 100) / 100

/** The measures of calls of the stores and of imaging, by the name of the part in the log, which is that of their spans. */
const measureOf = {
  store: 'storeCall',
  blob: 'blobCall',
  imaging: 'scaling',
} as const satisfies Readonly<Partial<Record<SpanName, DurationMeasure>>>
type Part = keyof typeof measureOf

/** The kind of a failure. Imaging also returns failures of who opens the original. */
const tagOf = (failure: unknown): string =>
  typeof failure === 'object' && failure !== null && '_tag' in failure ? String(failure._tag) : 'failed'

/** Runs a call within its span, and ends that. */
const traced = async <A>(
  span: OpenSpan | null,
  call: () => Promise<A>,
  outcomeOf: (value: A) => string,
): Promise<A> => {
  if (span === null) return call()
  try {
    const value = await span.run(call)
    span.end(spanEndOf(outcomeOf(value)), {})
    return value
  } catch (error) {
    span.end(spanEndOf(defectOutcome), {})
    throw error
  }
}

const outcomeIn = <F, A>(outcome: E.Either<F, A>): string =>
  E.isLeft(outcome) ? tagOf(outcome.left) : succeeded

/** Says how long the calls of a part took: to the metrics, to the scope of the request, to the log at level debug, and as spans. */
const watcher = (part: Part, { clock, log, metrics, requestScopes, traces }: Watching) => {
  const event = `${part} call`
  const isLogged = log.enabled('debug')
  const ended = (call: string, fields: LogFields, began: number, outcome: string): void => {
    const milliseconds = clock.monotonic() - began
    metrics.observe(measureOf[part], { call, outcome }, milliseconds)
    const scope = requestScopes?.current() ?? null
    if (scope !== null) {
      const before = scope.waited.get(part) ?? { calls: 0, milliseconds: 0 }
      const sum = before.milliseconds + milliseconds
      scope.waited.set(part, { calls: before.calls + 1, milliseconds: sum })
    }
    if (!isLogged) return
    const failure = outcome === succeeded ? undefined : outcome
    log.write('debug', event, {
      request: scope?.request,
      call,
      ...fields,
      ms: loggedTime(milliseconds),
      failure,
    })
  }
  const begin = (call: string, fields: LogFields): OpenSpan | null =>
    traces?.begin(part, { call, ...fields }) ?? null
  return {
    now: (): number => clock.monotonic(),
    begin,
    ended,
    watched:
      <F, A>(call: string, fields: LogFields, made: TaskEither<F, A>): TaskEither<F, A> =>
      async () => {
        const began = clock.monotonic()
        const outcome = await traced(begin(call, fields), made, outcomeIn)
        ended(call, fields, began, outcomeIn(outcome))
        return outcome
      },
  }
}

/** Ids are not logged, because those of tokens are derived from the tokens. */
const watchedDocuments = (documents: DocumentStore, watching: Watching): DocumentStore => {
  const { watched } = watcher('store', watching)
  const reading =
    <A extends readonly unknown[], F extends { readonly _tag: string }, V>(
      call: string,
      read: (collection: string, instance: number, ...rest: A) => TaskEither<F, V>,
    ) =>
    (collection: string, instance: number, ...rest: A): TaskEither<F, V> =>
      watched(call, { collection, instance }, read(collection, instance, ...rest))
  return {
    get: reading('get', documents.get),
    getRelated: (instance, related) => {
      const collections = [...related.documents, ...related.counts].map(({ collection }) => collection)
      const fields = { collections: collections.join(' '), instance }
      return watched('getRelated', fields, documents.getRelated(instance, related))
    },
    find: reading('find', documents.find),
    findTexts: reading('findTexts', documents.findTexts),
    count: reading('count', documents.count),
    countTexts: reading('countTexts', documents.countTexts),
    write: (instance, changes, appended) => {
      const made = changes.map(({ kind, collection }) => `${kind} ${collection}`)
      const fields = { changes: made.join(', '), instance }
      return watched('write', fields, documents.write(instance, changes, appended))
    },
    snapshot: () => watched('snapshot', {}, documents.snapshot()),
    check: () => watched('check', {}, documents.check()),
    close: () => documents.close(),
  }
}

const watchedBlobs = (blobs: BlobStore, watching: Watching): BlobStore => {
  const { now, begin, ended, watched } = watcher('blob', watching)

  async function* listed(path: string): AsyncIterable<BlobEntry> {
    const began = now()
    const span = begin('list', {})
    let [count, outcome] = [0, 'PortFailure']
    try {
      for await (const entry of blobs.list(path)) {
        count += 1
        yield entry
      }
      outcome = succeeded
    } finally {
      span?.end(spanEndOf(outcome), { count })
      ended('list', { path, count }, began, outcome)
    }
  }

  return {
    ...blobs,
    write: (...call) => watched('write', { path: call[0] }, blobs.write(...call)),
    read: (...call) => watched('read', { path: call[0] }, blobs.read(...call)),
    size: (key) => watched('size', { path: key }, blobs.size(key)),
    remove: (path) => watched('remove', { path }, blobs.remove(path)),
    list: listed,
    check: () => watched('check', {}, blobs.check()),
  }
}

const watchedImaging = (imaging: Imaging, watching: Watching): Imaging => {
  const { watched } = watcher('imaging', watching)
  return {
    ...imaging,
    scale: (original, rendering) => watched('scale', {}, imaging.scale(original, rendering)),
    summarise: (original) => watched('summarise', {}, imaging.summarise(original)),
  }
}

const watchedSender = (sender: WebhookSender, { clock, metrics, traces }: Watching): WebhookSender => ({
  ...sender,
  send: async (message) => {
    const began = clock.monotonic()
    const span = traces?.begin('webhook', { delivery: message.id, host: hostOf(message.url) }) ?? null
    const headers = span === null ? message.headers : { ...message.headers, ...span.headers }
    const answer = await sender.send(headers === undefined ? message : { ...message, headers })
    const outcome = answer === null ? 'closed' : (answer.failure ?? succeeded)
    span?.end({ outcome, isError: outcome !== succeeded }, { status: answer?.status })
    metrics.observe('webhookAttempt', { outcome }, clock.monotonic() - began)
    return answer
  },
})

const watchedMail = (sender: MailSender, { clock, metrics, traces }: Watching): MailSender => ({
  ...sender,
  send: (mail) => async () => {
    const began = clock.monotonic()
    const span = traces?.begin('mail', {}) ?? null
    const sent = await traced(span, sender.send(mail), outcomeIn)
    metrics.observe('mail', { outcome: outcomeIn(sent) }, clock.monotonic() - began)
    return sent
  },
})

const watchedProvider = (
  provider: IdentityProvider,
  { clock, metrics, traces }: Watching,
): IdentityProvider => {
  const watched =
    <F, A>(call: string, made: TaskEither<F, A>): TaskEither<F, A> =>
    async () => {
      const began = clock.monotonic()
      const outcome = await traced(traces?.begin('provider', { call }) ?? null, made, outcomeIn)
      metrics.observe('provider', { call, outcome: outcomeIn(outcome) }, clock.monotonic() - began)
      return outcome
    }
  return {
    check: () => watched('check', provider.check()),
    begin: (callback) => watched('begin', provider.begin(callback)),
    finish: (...call) => watched('finish', provider.finish(...call)),
    signOut: (next) => watched('signOut', provider.signOut(next)),
  }
}

/** The times that images wait are measured where they have waited, and so they are spans. */
const tracedMetrics = (metrics: Metrics, traces: Traces | null): Metrics =>
  traces === null
    ? metrics
    : {
        ...metrics,
        observe: (measure, labels, milliseconds) => {
          metrics.observe(measure, labels, milliseconds)
          if (measure === 'scalingWait')
            traces.begin('scalingWait', {}, milliseconds)?.end(spanEndOf(succeeded), {})
        },
      }

/** The ports, watched if the metrics are read, traces are collected, requests have scopes, or debug is logged. */
export const watchedPorts = (ports: ProvidedPorts): ProvidedPorts => {
  const { metrics, requestScopes, traces, log, mailSender, identityProvider } = ports
  return metrics.isRead || traces !== null || requestScopes !== null || log.enabled('debug')
    ? {
        ...ports,
        documents: watchedDocuments(ports.documents, ports),
        blobs: watchedBlobs(ports.blobs, ports),
        imaging: watchedImaging(ports.imaging, ports),
        webhookSender: watchedSender(ports.webhookSender, ports),
        mailSender: mailSender === null ? null : watchedMail(mailSender, ports),
        identityProvider: identityProvider === null ? null : watchedProvider(identityProvider, ports),
        metrics: tracedMetrics(metrics, traces),
      }
    : ports
}
