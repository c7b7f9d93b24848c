/**
 * A document store in this process's memory, for unit tests and trials: nothing outlives it.
 * Values are copied and frozen on their way in, so that nobody outside can reach the store's state.
 */
import { E, type Either, type Json, type JsonObject, type TaskEither } from '@publishing-service/domain'
import { findInMemory, inDetail, keyTextTooLong, portFailure } from '@publishing-service/ports'
import type {
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
import { type MemoryTallies, memoryTallies } from './memory-tally.js'

type Entry = {
  readonly document: Document
  readonly unique: string | null
  readonly sequence: number
}
/** One collection of one instance. */
type Shelf = {
  readonly entries: Map<string, Entry>
  readonly holders: Map<string, string>
  readonly tallies: MemoryTallies
}

const versionConflict: VersionConflict = { _tag: 'VersionConflict' }
const uniqueConflict: UniqueConflict = { _tag: 'UniqueConflict' }

const freeze = (json: Json): void => {
  if (typeof json !== 'object' || json === null) return
  Object.values(json).forEach(freeze)
  Object.freeze(json)
}

const ownCopy = (value: JsonObject): JsonObject => {
  const copy = JSON.parse(JSON.stringify(value)) as JsonObject
  freeze(copy)
  return copy
}

/**
 * Opens an empty store of these collections. It never fails until it is closed, takes documents of any size, and
 * hands out frozen documents. It sorts on each query, so it suits thousands of documents, not millions.
 */
export const memoryDocumentStore = (collections: readonly Collection[]): DocumentStore => {
  const declarations = new Map(collections.map((collection) => [collection.name, collection]))
  const shelves = new Map<string, Shelf>()
  let sequence = 0
  let closed = false

  const declaration = (name: string): Collection => {
    const collection = declarations.get(name)
    if (collection === undefined) throw new Error(`No collection ${name} was declared to this store`)
    return collection
  }

  const shelfOf = (collection: string, instance: number): Shelf => {
    const declared = declaration(collection)
    const place = `${instance}/${declared.name}`
    const shelf = shelves.get(place) ?? {
      entries: new Map(),
      holders: new Map(),
      tallies: memoryTallies(declared),
    }
    shelves.set(place, shelf)
    return shelf
  }

  const whileOpen =
    <L, A>(act: () => Either<L, A>): TaskEither<L | PortFailure, A> =>
    async () =>
      closed ? E.left(portFailure('document store', 'it is closed')) : act()

  const isTaken = (shelf: Shelf, { id, unique }: NewDocument): boolean =>
    unique !== null && (shelf.holders.get(unique) ?? id) !== id

  const refusal = (
    collection: string,
    shelf: Shelf,
    document: NewDocument,
  ): UniqueConflict | DocumentTooLarge | null =>
    keyTextTooLong(declaration(collection), document.unique, document.value) ??
    (isTaken(shelf, document) ? uniqueConflict : null)

  const free = (shelf: Shelf, { unique, document }: Entry): void => {
    if (unique !== null) shelf.holders.delete(unique)
    shelf.tallies.count(document.value, -1)
  }

  const put = (shelf: Shelf, { id, unique, value }: NewDocument, version: number): Document => {
    const document = Object.freeze({ id, version, value: ownCopy(value) })
    const former = shelf.entries.get(id)
    if (former !== undefined) free(shelf, former)
    shelf.entries.set(id, { document, unique, sequence: former?.sequence ?? ++sequence })
    if (unique !== null) shelf.holders.set(unique, id)
    shelf.tallies.count(document.value, 1)
    return document
  }

  type Written = Either<VersionConflict | UniqueConflict | DocumentTooLarge, Document>

  const insert = (collection: string, instance: number, document: NewDocument): Written => {
    const shelf = shelfOf(collection, instance)
    if (shelf.entries.has(document.id)) return E.left(versionConflict)
    const refused = refusal(collection, shelf, document)
    return refused === null ? E.right(put(shelf, document, 1)) : E.left(refused)
  }

  const replace = (collection: string, instance: number, replacement: Replacement): Written => {
    const shelf = shelfOf(collection, instance)
    const entry = shelf.entries.get(replacement.id)
    if (entry?.document.version !== replacement.version) return E.left(versionConflict)
    const refused = refusal(collection, shelf, replacement)
    return refused === null ? E.right(put(shelf, replacement, replacement.version + 1)) : E.left(refused)
  }

  const remove = (
    collection: string,
    instance: number,
    id: string,
    version: number,
  ): Either<VersionConflict, void> => {
    const shelf = shelfOf(collection, instance)
    const entry = shelf.entries.get(id)
    if (entry?.document.version !== version) return E.left(versionConflict)
    free(shelf, entry)
    shelf.entries.delete(id)
    return E.right(undefined)
  }

  return {
    get: (collection, instance, id) =>
      whileOpen(() => E.right(shelfOf(collection, instance).entries.get(id)?.document ?? null)),
    getMany: (collection, instance, ids, detail) =>
      whileOpen(() =>
        E.right(
          [...new Set(ids)].flatMap((id) => {
            const entry = shelfOf(collection, instance).entries.get(id)
            return entry === undefined ? [] : [inDetail(declaration(collection), detail, entry.document)]
          }),
        ),
      ),
    find: (collection, instance, query) =>
      whileOpen(() =>
        E.right(findInMemory(declaration(collection), shelfOf(collection, instance).entries.values(), query)),
      ),
    tally: (collection, instance, key, within) =>
      whileOpen(() => E.right(shelfOf(collection, instance).tallies.read(key, within))),
    insert: (collection, instance, document) => whileOpen(() => insert(collection, instance, document)),
    replace: (collection, instance, replacement) =>
      whileOpen(() => replace(collection, instance, replacement)),
    remove: (collection, instance, id, version) => whileOpen(() => remove(collection, instance, id, version)),
    check: () => whileOpen(() => E.right(undefined)),
    close: async () => {
      closed = true
    },
  }
}
