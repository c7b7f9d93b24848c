/** Ports whose calls are measured and logged, each with its duration and the request that it was made for. */
import { E, type TaskEither } from '@publishing-service/domain/fp'
import {
  succeeded,
  type BlobEntry,
  type BlobStore,
  type DocumentStore,
  type DurationMeasure,
  type Imaging,
  type LogFields,
  type MailSender,
  type WebhookSender,
} from '@publishing-service/ports'
import type { ProvidedPorts } from './ports.js'

type Watching = Pick<ProvidedPorts, 'clock' | 'log' | 'metrics' | 'requestScopes'>

/** Milliseconds as the log has them: to the hundredth. */
export const loggedTime = (milliseconds: number): number => Math.round(milliseconds * 100) / 100

/** The measures of calls of the stores and of imaging, by the name of the part in the log. */
const measureOf = {
  store: 'storeCall',
  blob: 'blobCall',
  imaging: 'scaling',
} as const satisfies Readonly<Record<string, DurationMeasure>>
type Part = keyof typeof measureOf

/** The kind of a failure. Imaging also returns failures of who opens the original. */
const tagOf = (failure: unknown): string =>
  typeof failure === 'object' && failure !== null && '_tag' in failure ? String(failure._tag) : 'failed'

/** Says how long the calls of a part took: to the metrics, to the scope of the request, and to the log at level debug. */
const watcher = (part: Part, { clock, log, metrics, requestScopes }: Watching) => {
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
  return {
    begin: (): number => clock.monotonic(),
    ended,
    watched:
      <F, A>(call: string, fields: LogFields, made: TaskEither<F, A>): TaskEither<F, A> =>
      async () => {
        const began = clock.monotonic()
        const outcome = await made()
        ended(call, fields, began, E.isLeft(outcome) ? tagOf(outcome.left) : succeeded)
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
  const { begin, ended, watched } = watcher('blob', watching)

  async function* listed(path: string): AsyncIterable<BlobEntry> {
    const began = begin()
    let [count, outcome] = [0, 'PortFailure']
    try {
      for await (const entry of blobs.list(path)) {
        count += 1
        yield entry
      }
      outcome = succeeded
    } finally {
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

const watchedSender = (sender: WebhookSender, { clock, metrics }: Watching): WebhookSender => ({
  ...sender,
  send: async (message) => {
    const began = clock.monotonic()
    const answer = await sender.send(message)
    const outcome = answer === null ? 'closed' : (answer.failure ?? succeeded)
    metrics.observe('webhookAttempt', { outcome }, clock.monotonic() - began)
    return answer
  },
})

const watchedMail = (sender: MailSender, { clock, metrics }: Watching): MailSender => ({
  ...sender,
  send: (mail) => async () => {
    const began = clock.monotonic()
    const sent = await sender.send(mail)()
    const outcome = E.isLeft(sent) ? sent.left._tag : succeeded
    metrics.observe('mail', { outcome }, clock.monotonic() - began)
    return sent
  },
})

/** The ports, watched if the metrics are read, requests have scopes, or debug is logged. */
export const watchedPorts = (ports: ProvidedPorts): ProvidedPorts =>
  ports.metrics.isRead || ports.requestScopes !== null || ports.log.enabled('debug')
    ? {
        ...ports,
        documents: watchedDocuments(ports.documents, ports),
        blobs: watchedBlobs(ports.blobs, ports),
        imaging: watchedImaging(ports.imaging, ports),
        webhookSender: watchedSender(ports.webhookSender, ports),
        mailSender: ports.mailSender === null ? null : watchedMail(ports.mailSender, ports),
      }
    : ports
