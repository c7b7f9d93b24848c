/** Logs of the calls of ports: each with its duration, and when a store has no space left. */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import type { BlobEntry, BlobStore, Clock, DocumentStore, Log, LogFields } from '@publishing-service/ports'
import type { ProvidedPorts } from './ports.js'

/** Logs each completed call of a port with its duration, at level debug. */
const loggedCall =
  (event: string, log: Log, clock: Pick<Clock, 'monotonic'>) =>
  <F extends { readonly _tag: string }, A>(fields: LogFields, call: TaskEither<F, A>): TaskEither<F, A> =>
  async () => {
    const began = clock.monotonic()
    const outcome = await call()
    const failure = E.isLeft(outcome) ? outcome.left._tag : undefined
    log.write('debug', event, { ...fields, ms: millisecondsSince(clock, began), failure })
    return outcome
  }

/** Elapsed milliseconds, to the hundredth. */
const millisecondsSince = (clock: Pick<Clock, 'monotonic'>, began: number): number =>
  Math.round((clock.monotonic() - began) * 100) / 100

type LoggedPorts = Pick<ProvidedPorts, 'clock' | 'log'>

/** A document store with a log of its calls. Ids are not logged, because those of tokens are derived from the tokens. */
const loggedDocuments = (documents: DocumentStore, { clock, log }: LoggedPorts): DocumentStore => {
  const logged = loggedCall('store call', log, clock)
  const reading =
    <A extends readonly unknown[], F extends { readonly _tag: string }, V>(
      call: string,
      read: (collection: string, instance: number, ...rest: A) => TaskEither<F, V>,
    ) =>
    (collection: string, instance: number, ...rest: A): TaskEither<F, V> =>
      logged({ call, collection, instance }, read(collection, instance, ...rest))
  return {
    get: reading('get', documents.get),
    getRelated: (instance, related) => {
      const collections = [...related.documents, ...related.counts].map(({ collection }) => collection)
      return logged(
        { call: 'getRelated', collections: collections.join(' '), instance },
        documents.getRelated(instance, related),
      )
    },
    find: reading('find', documents.find),
    findTexts: reading('findTexts', documents.findTexts),
    count: reading('count', documents.count),
    countTexts: reading('countTexts', documents.countTexts),
    write: (instance, changes, appended) => {
      const made = changes.map(({ kind, collection }) => `${kind} ${collection}`)
      return logged(
        { call: 'write', changes: made.join(', '), instance },
        documents.write(instance, changes, appended),
      )
    },
    check: () => logged({ call: 'check' }, documents.check()),
    close: () => documents.close(),
  }
}

/** A blob store with a log of its calls. */
const loggedBlobs = (blobs: BlobStore, { clock, log }: LoggedPorts): BlobStore => {
  const logged = loggedCall('blob call', log, clock)

  async function* listed(path: string): AsyncIterable<BlobEntry> {
    const began = clock.monotonic()
    let count = 0
    try {
      for await (const entry of blobs.list(path)) {
        count += 1
        yield entry
      }
    } finally {
      log.write('debug', 'blob call', { call: 'list', path, count, ms: millisecondsSince(clock, began) })
    }
  }

  return {
    ...blobs,
    write: (...call) => logged({ call: 'write', path: call[0] }, blobs.write(...call)),
    read: (...call) => logged({ call: 'read', path: call[0] }, blobs.read(...call)),
    size: (key) => logged({ call: 'size', path: key }, blobs.size(key)),
    remove: (path) => logged({ call: 'remove', path }, blobs.remove(path)),
    list: listed,
    check: () => logged({ call: 'check' }, blobs.check()),
  }
}

/** The ports with a log of each call of the stores, if debug is logged. */
export const withCallLog = (ports: ProvidedPorts): ProvidedPorts =>
  ports.log.enabled('debug')
    ? { ...ports, documents: loggedDocuments(ports.documents, ports), blobs: loggedBlobs(ports.blobs, ports) }
    : ports

type Failed = {
  readonly _tag: string
  readonly storageFull?: true
  readonly part?: string
  readonly reason?: string
}

/** Logs once when a store has no space left for writes, and once when it has space again, by the outcomes of writes. */
export class CapacityLog {
  /** The part of the store that has no space; null while there is space. */
  fullPart: string | null = null
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  observe(outcome: Either<Failed, unknown>): void {
    if (E.isRight(outcome)) {
      if (this.fullPart !== null) this.#log.write('info', 'storage has space again', { part: this.fullPart })
      this.fullPart = null
    } else if (outcome.left.storageFull === true && this.fullPart === null) {
      const { part = '', reason } = outcome.left
      this.fullPart = part
      this.#log.write('error', 'storage full', { part, reason })
    }
  }
}

/** A blob store that logs this. */
export const withCapacityLog = (blobs: BlobStore, log: Log): BlobStore => {
  const capacity = new CapacityLog(log)
  return {
    ...blobs,
    write:
      (...call) =>
      async () => {
        const outcome = await blobs.write(...call)()
        // As with documents: what is no news is not looked at.
        if (E.isLeft(outcome) || capacity.fullPart !== null) capacity.observe(outcome)
        return outcome
      },
    check: () => async () => {
      const outcome = await blobs.check()()
      capacity.observe(outcome)
      return outcome
    },
  }
}
