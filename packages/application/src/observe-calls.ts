import { E, type TaskEither } from '@publishing-service/domain'
import type { BlobEntry, LogFields } from '@publishing-service/ports'
import type { Ports } from './ports.js'

/**
 * Stores that log each completed call with its duration, at level debug. Ids of documents are not logged, because those
 * of tokens are derived from the tokens.
 */
export const observeCalls = ({ documents, blobs, clock, log }: Ports): Pick<Ports, 'documents' | 'blobs'> => {
  if (!log.enabled('debug')) return { documents, blobs }

  const since = (began: number): number => Math.round((clock.monotonic() - began) * 100) / 100
  const observed =
    (event: string, fields: LogFields) =>
    <F extends { readonly _tag: string }, A>(call: TaskEither<F, A>): TaskEither<F, A> =>
    async () => {
      const began = clock.monotonic()
      const outcome = await call()
      const failure = E.isLeft(outcome) ? outcome.left._tag : undefined
      log.write('debug', event, { ...fields, ms: since(began), failure })
      return outcome
    }
  const store = (call: string, collection?: string, instance?: number) =>
    observed('store call', { call, collection, instance })
  const blob = (call: string, path?: string) => observed('blob call', { call, path })

  async function* listed(path: string): AsyncIterable<BlobEntry> {
    const began = clock.monotonic()
    let count = 0
    try {
      for await (const entry of blobs.list(path)) {
        count += 1
        yield entry
      }
    } finally {
      log.write('debug', 'blob call', { call: 'list', path, count, ms: since(began) })
    }
  }

  return {
    documents: {
      get: (...call) => store('get', call[0], call[1])(documents.get(...call)),
      getMany: (...call) => store('getMany', call[0], call[1])(documents.getMany(...call)),
      find: (...call) => store('find', call[0], call[1])(documents.find(...call)),
      findTexts: (...call) => store('findTexts', call[0], call[1])(documents.findTexts(...call)),
      countGroups: (...call) => store('countGroups', call[0], call[1])(documents.countGroups(...call)),
      insert: (...call) => store('insert', call[0], call[1])(documents.insert(...call)),
      replace: (...call) => store('replace', call[0], call[1])(documents.replace(...call)),
      remove: (...call) => store('remove', call[0], call[1])(documents.remove(...call)),
      check: () => store('check')(documents.check()),
      close: () => documents.close(),
      ...(documents.searchIndex === undefined ? {} : { searchIndex: documents.searchIndex }),
    },
    blobs: {
      ...blobs,
      write: (...call) => blob('write', call[0])(blobs.write(...call)),
      read: (...call) => blob('read', call[0])(blobs.read(...call)),
      size: (key) => blob('size', key)(blobs.size(key)),
      remove: (path) => blob('remove', path)(blobs.remove(path)),
      list: listed,
      check: () => blob('check')(blobs.check()),
    },
  }
}
