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
  Replacement,
  UniqueConflict,
  VersionConflict,
} from '@publishing-service/ports'
import { type MemoryGroupCounts, memoryGroupCounts } from './memory-group-counts.js'

type Entry = { readonly document: Document; readonly unique: string | null }
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

const versionConflict: VersionConflict = { _tag: 'VersionConflict' }
const uniqueConflict: UniqueConflict = { _tag: 'UniqueConflict' }

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

  const writeFailure = (
    collection: string,
    partition: Partition,
    document: Written,
  ): UniqueConflict | DocumentTooLarge | null =>
    keyTextTooLong(declaration(collection), document.unique, document.value) ??
    (isUniqueKeyUsed(partition, document) ? uniqueConflict : null)

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

  type Outcome = Either<VersionConflict | UniqueConflict | DocumentTooLarge, Document | null>

  const insert = (collection: string, instance: number, document: NewDocument): Outcome => {
    const partition = partitionOf(collection, instance)
    if (partition.entries.has(document.id)) return E.left(versionConflict)
    const failure = writeFailure(collection, partition, document)
    return failure === null ? E.right(store(partition, document, document.version ?? 1)) : E.left(failure)
  }

  const replace = (collection: string, instance: number, replacement: Replacement): Outcome => {
    const partition = partitionOf(collection, instance)
    const entry = partition.entries.get(replacement.id)
    if (entry?.document.version !== replacement.version) return E.left(versionConflict)
    const failure = writeFailure(collection, partition, replacement)
    if (failure !== null) return E.left(failure)
    const { position } = entry.document
    return E.right(store(partition, { ...replacement, position }, replacement.version + 1))
  }

  const remove = (collection: string, instance: number, id: string, version: number): Outcome => {
    const partition = partitionOf(collection, instance)
    const entry = partition.entries.get(id)
    if (entry?.document.version !== version) return E.left(versionConflict)
    removeKeys(partition, entry)
    partition.entries.delete(id)
    return E.right(null)
  }

  const change = (collection: string, instance: number, requested: Change): Outcome => {
    switch (requested.kind) {
      case 'insert':
        return insert(collection, instance, requested.document)
      case 'replace':
        return replace(collection, instance, requested.document)
      case 'remove':
        return remove(collection, instance, requested.id, requested.version)
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
    write: (collection, instance, requested, appended) =>
      failIfClosed(() => {
        const written = change(collection, instance, requested)
        if (E.isRight(written))
          for (const each of appended) insert(each.collection, each.instance, each.document)
        return written
      }),
    check: () => failIfClosed(() => E.right(undefined)),
    close: async () => {
      closed = true
    },
  }
}
