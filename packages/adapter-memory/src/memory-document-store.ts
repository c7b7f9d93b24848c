/**
 * A document store in the memory of this process, for tests and trials. Values are copied and frozen when they are
 * written, so callers cannot change the state of the store.
 */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import {
  countInMemory,
  countTextsInMemory,
  findInMemory,
  findTextsInMemory,
  withDetail,
  keyTextTooLong,
  portFailure,
} from '@publishing-service/ports'
import type {
  Change,
  Collection,
  Document,
  DocumentStore,
  DocumentTooLarge,
  NewDocument,
  PortFailure,
  UniqueConflict,
  VersionConflict,
} from '@publishing-service/ports'
import { type MemoryGroupCounts, memoryGroupCounts } from './memory-group-counts.js'

type Entry = { readonly document: Document; readonly unique: string | null }
type WriteConflict = VersionConflict | UniqueConflict | DocumentTooLarge
/** One collection of one instance. */
type Partition = {
  readonly entries: Map<string, Entry>
  readonly idByUniqueKey: Map<string, string>
  readonly positions: Set<number>
  /** The highest position that a document has or had. */
  highest: number
  readonly groupCounts: MemoryGroupCounts
}

/** What an insert and a replace store. */
type Written = Pick<NewDocument, 'id' | 'unique' | 'value'>

const freeze = (json: Json): void => {
  if (typeof json !== 'object' || json === null) return
  Object.values(json).forEach(freeze)
  Object.freeze(json)
}

const frozenCopy = (value: JsonObject): JsonObject => {
  const copy = JSON.parse(JSON.stringify(value)) as JsonObject
  freeze(copy)
  return copy
}

/**
 * Creates an empty store. It never fails until it is closed, and accepts documents of any size. It sorts on each query,
 * so it suits thousands of documents, not millions.
 */
export const memoryDocumentStore = (collections: readonly Collection[]): DocumentStore => {
  const declarations = new Map(collections.map((collection) => [collection.name, collection]))
  const partitions = new Map<string, Partition>()
  let closed = false

  const declaration = (name: string): Collection => {
    const collection = declarations.get(name)
    if (collection === undefined) throw new Error(`The collection ${name} is not declared`)
    return collection
  }

  const partitionOf = (collection: string, instance: number): Partition => {
    const declared = declaration(collection)
    const partitionKey = `${instance}/${declared.name}`
    const partition = partitions.get(partitionKey) ?? {
      entries: new Map(),
      idByUniqueKey: new Map(),
      positions: new Set(),
      highest: 0,
      groupCounts: memoryGroupCounts(declared),
    }
    partitions.set(partitionKey, partition)
    return partition
  }

  const documentsOf = (collection: string, instance: number): readonly Document[] =>
    Array.from(partitionOf(collection, instance).entries.values(), ({ document }) => document)

  const failIfClosed =
    <L, A>(run: () => Either<L, A>): TaskEither<L | PortFailure, A> =>
    async () =>
      closed ? E.left(portFailure('document store', 'it is closed')) : run()

  const isUniqueKeyUsed = (partition: Partition, { id, unique }: Written): boolean =>
    unique !== null && (partition.idByUniqueKey.get(unique) ?? id) !== id

  const documentConflict = (
    collection: string,
    partition: Partition,
    document: Written,
    change: number,
  ): WriteConflict | null =>
    keyTextTooLong(declaration(collection), document.unique, document.value) ??
    (isUniqueKeyUsed(partition, document) ? { _tag: 'UniqueConflict', change } : null)

  const freePosition = ({ positions }: Pick<Partition, 'positions'>, wanted: number): number =>
    positions.has(wanted) ? freePosition({ positions }, wanted + 1) : wanted

  const removeKeys = (partition: Partition, { unique, document }: Entry): void => {
    partition.positions.delete(document.position)
    if (unique !== null) partition.idByUniqueKey.delete(unique)
    partition.groupCounts.count(document.value, -1)
  }

  const store = (partition: Partition, stored: NewDocument, version: number): Document => {
    const { id, unique, value } = stored
    const previous = partition.entries.get(id)
    if (previous !== undefined) removeKeys(partition, previous)
    const position =
      typeof stored.position === 'number'
        ? freePosition(partition, stored.position)
        : Math.max(stored.position.atLeast, partition.highest + 1)
    partition.highest = Math.max(partition.highest, position)
    const document = Object.freeze({ id, version, position, value: frozenCopy(value) })
    partition.positions.add(position)
    partition.entries.set(id, { document, unique })
    if (unique !== null) partition.idByUniqueKey.set(unique, id)
    partition.groupCounts.count(document.value, 1)
    return document
  }

  /** The documents of a collection as they are after the changes. */
  const documentsAfter = (
    collection: string,
    instance: number,
    changes: readonly Change[],
  ): readonly Document[] => {
    const after = new Map(documentsOf(collection, instance).map((document) => [document.id, document]))
    for (const change of changes)
      if (change.collection !== collection) continue
      else if (change.kind === 'remove') after.delete(change.id)
      else if (change.kind === 'insert' || change.kind === 'replace') {
        const { id, value } = change.document
        after.set(id, { id, version: 0, position: after.get(id)?.position ?? 0, value })
      }
    return [...after.values()]
  }

  /** Why a change of a write cannot be made; null if it can. */
  const conflictOf = (
    instance: number,
    changes: readonly Change[],
    change: Change,
    number: number,
  ): WriteConflict | null => {
    const { collection } = change
    const partition = partitionOf(collection, instance)
    const unless = (holds: boolean): WriteConflict | null =>
      holds ? null : { _tag: 'VersionConflict', change: number }
    const versionOf = (id: string): number | null => partition.entries.get(id)?.document.version ?? null
    switch (change.kind) {
      case 'insert':
        return (
          unless(versionOf(change.document.id) === null) ??
          documentConflict(collection, partition, change.document, number)
        )
      case 'replace':
        return (
          unless(versionOf(change.document.id) === change.document.version) ??
          documentConflict(collection, partition, change.document, number)
        )
      case 'remove':
        return unless(versionOf(change.id) === change.version)
      case 'expect': {
        const version = versionOf(change.id)
        return unless(version !== null && (change.version === null || change.version === version))
      }
      case 'expect none': {
        const documents = documentsAfter(collection, instance, changes)
        return unless(countInMemory(declaration(collection), documents, change.selection, 1) === 0)
      }
    }
  }

  const make = (instance: number, change: Change): Document | null => {
    const partition = partitionOf(change.collection, instance)
    switch (change.kind) {
      case 'insert':
        return store(partition, change.document, change.document.version ?? 1)
      case 'replace': {
        const position = partition.entries.get(change.document.id)?.document.position ?? 0
        return store(partition, { ...change.document, position }, change.document.version + 1)
      }
      case 'remove': {
        const entry = partition.entries.get(change.id)
        if (entry !== undefined) removeKeys(partition, entry)
        partition.entries.delete(change.id)
        return null
      }
      default:
        return null
    }
  }

  return {
    get: (collection, instance, id) =>
      failIfClosed(() => E.right(partitionOf(collection, instance).entries.get(id)?.document ?? null)),
    getRelated: (instance, { documents, counts }) =>
      failIfClosed(() =>
        E.right({
          documents: documents.map(({ collection, ids, detail }) => {
            const { entries } = partitionOf(collection, instance)
            return [...new Set(ids)].flatMap((id) => {
              const entry = entries.get(id)
              return entry === undefined ? [] : [withDetail(declaration(collection), detail, entry.document)]
            })
          }),
          counts: counts.map(({ collection, key, within }) =>
            partitionOf(collection, instance).groupCounts.read(key, within),
          ),
        }),
      ),
    find: (collection, instance, query) =>
      failIfClosed(() =>
        E.right(findInMemory(declaration(collection), documentsOf(collection, instance), query)),
      ),
    findTexts: (collection, instance, query) =>
      failIfClosed(() =>
        E.right(findTextsInMemory(declaration(collection), documentsOf(collection, instance), query)),
      ),
    count: (collection, instance, selection, limit) =>
      failIfClosed(() =>
        E.right(countInMemory(declaration(collection), documentsOf(collection, instance), selection, limit)),
      ),
    countTexts: (collection, instance, keys, selection, most) =>
      failIfClosed(() =>
        E.right(
          countTextsInMemory(
            declaration(collection),
            documentsOf(collection, instance),
            keys,
            selection,
            most,
          ),
        ),
      ),
    write: (instance, changes, appended) =>
      failIfClosed(() => {
        for (const [number, change] of changes.entries()) {
          const conflict = conflictOf(instance, changes, change, number)
          if (conflict !== null) return E.left(conflict)
        }
        const written = changes.map((change) => make(instance, change))
        for (const { collection, instance: of, document } of appended) {
          const partition = partitionOf(collection, of)
          if (!partition.entries.has(document.id)) store(partition, document, document.version ?? 1)
        }
        return E.right(written)
      }),
    check: () => failIfClosed(() => E.right(undefined)),
    close: async () => {
      closed = true
    },
  }
}
