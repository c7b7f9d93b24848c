/**
 * A document store in the memory of this process, for tests and trials. Values are copied and frozen when they are
 * written, so callers cannot change the state of the store.
 */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
  countInMemory,
  countTextsInMemory,
  findInMemory,
  findTextsInMemory,
  withDetail,
  portFailure,
} from '@publishing-service/ports'
import type { Change, Collection, Document, DocumentStore, PortFailure } from '@publishing-service/ports'
import { conflictOf } from './memory-conflict.js'
import { MemoryPartitions } from './memory-partition.js'

/** A store over documents in memory. */
export const documentStoreOver = (partitions: MemoryPartitions): DocumentStore => {
  let closed = false

  const failIfClosed =
    <L, A>(run: () => Either<L, A>): TaskEither<L | PortFailure, A> =>
    async () =>
      closed ? E.left(portFailure('document store', 'it is closed')) : run()

  const make = (instance: number, change: Change): Document | null => {
    const partition = partitions.of(change.collection, instance)
    switch (change.kind) {
      case 'insert':
        return partition.store(change.document, change.document.version ?? 1)
      case 'replace': {
        const position = partition.get(change.document.id)?.position ?? 0
        return partition.store({ ...change.document, position }, change.document.version + 1)
      }
      case 'remove':
        partition.remove(change.id)
        return null
      default:
        return null
    }
  }

  return {
    get: (collection, instance, id) =>
      failIfClosed(() => E.right(partitions.of(collection, instance).get(id))),
    getRelated: (instance, { documents, counts }) =>
      failIfClosed(() =>
        E.right({
          documents: documents.map(({ collection, ids, detail }) => {
            const partition = partitions.of(collection, instance)
            return [...new Set(ids)].flatMap((id) => {
              const document = partition.get(id)
              return document === null
                ? []
                : [withDetail(partitions.declaration(collection), detail, document)]
            })
          }),
          counts: counts.map(({ collection, key, within }) =>
            partitions.of(collection, instance).groupCounts.read(key, within),
          ),
        }),
      ),
    find: (collection, instance, query) =>
      failIfClosed(() =>
        E.right(
          findInMemory(
            partitions.declaration(collection),
            partitions.of(collection, instance).documents,
            query,
          ),
        ),
      ),
    findTexts: (collection, instance, query) =>
      failIfClosed(() =>
        E.right(
          findTextsInMemory(
            partitions.declaration(collection),
            partitions.of(collection, instance).documents,
            query,
          ),
        ),
      ),
    count: (collection, instance, selection, limit) =>
      failIfClosed(() =>
        E.right(
          countInMemory(
            partitions.declaration(collection),
            partitions.of(collection, instance).documents,
            selection,
            limit,
          ),
        ),
      ),
    countTexts: (collection, instance, keys, selection, most) =>
      failIfClosed(() =>
        E.right(
          countTextsInMemory(
            partitions.declaration(collection),
            partitions.of(collection, instance).documents,
            keys,
            selection,
            most,
          ),
        ),
      ),
    write: (instance, changes, appended) =>
      failIfClosed(() => {
        for (const [number, change] of changes.entries()) {
          const conflict = conflictOf(partitions, instance, changes, change, number)
          if (conflict !== null) return E.left(conflict)
        }
        const written = changes.map((change) => make(instance, change))
        for (const { collection, instance: of, document } of appended) {
          const partition = partitions.of(collection, of)
          if (partition.get(document.id) === null) partition.store(document, document.version ?? 1)
        }
        return E.right(written)
      }),
    snapshot: () => failIfClosed(() => E.right(partitions.snapshot())),
    check: () => failIfClosed(() => E.right(undefined)),
    close: async () => {
      closed = true
    },
  }
}

/**
 * Creates an empty store. It never fails until it is closed, and accepts documents of any size. It sorts on each query,
 * so it suits thousands of documents, not millions.
 */
export const memoryDocumentStore = (collections: readonly Collection[]): DocumentStore =>
  documentStoreOver(new MemoryPartitions(collections))
