/** Snapshots of stores that have their documents in memory, and of those that cannot read one moment. */
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { Collection, Document, DocumentStore, Snapshot } from './document-store.js'
import { findInMemory } from './find-in-memory.js'
import { portFailure, type PortFailure } from './port-failure.js'

const closed = portFailure('document store', 'the snapshot is closed')

/** The documents of a collection and an instance, with the declaration of the collection. */
export type SnapshotPartition = {
  readonly collection: Collection
  readonly documents: readonly Document[]
}

/** A snapshot of documents in memory. `partitionOf` returns what was in the store at its moment. */
export const snapshotInMemory = (
  partitionOf: (collection: string, instance: number) => SnapshotPartition,
): Snapshot => {
  let isClosed = false
  const read =
    <A>(readFrom: () => A): TaskEither<PortFailure, A> =>
    async () =>
      isClosed ? E.left(closed) : E.right(readFrom())
  return {
    isOneMoment: true,
    get: (name, instance, id) =>
      read(() => partitionOf(name, instance).documents.find((each) => each.id === id) ?? null),
    find: (name, instance, query) =>
      read(() => {
        const { collection, documents } = partitionOf(name, instance)
        return findInMemory(collection, documents, query)
      }),
    close: async () => {
      isClosed = true
    },
  }
}

/** What a store without snapshots returns: its documents at the moments at which they are read. */
export const snapshotWithoutMoment = ({ get, find }: Pick<DocumentStore, 'get' | 'find'>): Snapshot => {
  let isClosed = false
  const unlessClosed =
    <A>(task: TaskEither<PortFailure, A>): TaskEither<PortFailure, A> =>
    async () =>
      isClosed ? E.left(closed) : task()
  return {
    isOneMoment: false,
    get: (...call) => unlessClosed(get(...call)),
    find: (...call) => unlessClosed(find(...call)),
    close: async () => {
      isClosed = true
    },
  }
}
