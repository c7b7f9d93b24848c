/**
 * A document store in one append-only file. Every process reads the journal into its memory, and before each call the
 * lines that others have added. A write is a line; the lines before it decide whether it is applied or conflicts.
 */
import { randomUUID } from 'node:crypto'
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import { countedUses, findInMemory, withDetail, keyTextTooLong, portFailure } from '@publishing-service/ports'
import { countGroupsInMemory, findTextsInMemory, storageFull } from '@publishing-service/ports'
import type { Collection, Document } from '@publishing-service/ports'
import type { DocumentStore, DocumentTooLarge, PortFailure, VersionConflict } from '@publishing-service/ports'
import { openJournal } from './journal.js'
import { emptyPartitions, type Change, type Conflict } from './partitions.js'

/** In bytes. */
export const largestDocument = 4 * 1024 * 1024

const part = 'document store'

/** Opens the store, and creates the file if it is missing. Rejects if the file cannot be used. */
export const journalDocumentStore = async (options: {
  readonly file: string
  readonly collections: readonly Collection[]
  readonly open?: typeof openJournal
}): Promise<DocumentStore> => {
  const { file, open = openJournal } = options
  const declared = new Map(options.collections.map((collection) => [collection.name, collection]))
  const partitions = emptyPartitions()
  /** The outcomes of the changes that this process waits for, by their `by`. */
  const outcomes = new Map<string, Either<Conflict, Document> | null>()
  const journal = await open(file, (line) => {
    const change = line as unknown as Change
    const outcome = partitions.apply(change)
    if (outcomes.has(change.by)) outcomes.set(change.by, outcome)
  })
  let closing: Promise<void> | null = null

  const collectionOf = (name: string): Collection => {
    const collection = declared.get(name)
    if (collection === undefined) throw new Error(`No collection ${name} was declared to this store`)
    return collection
  }

  /** Converts errors of the file system to a PortFailure. */
  const failureOf = (error: unknown): PortFailure =>
    error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      ? storageFull(part, error)
      : portFailure(part, error)

  const failureOrNull = (work: Promise<void>): Promise<PortFailure | null> => work.then(() => null, failureOf)

  const { use, close } = countedUses(portFailure(part, 'it is closed'), (defect) => {
    throw defect
  })

  /** A result from the partitions, once they contain all earlier lines of the journal. */
  const read = <A>(name: string, readFrom: (collection: Collection) => A): TaskEither<PortFailure, A> =>
    use(async () => {
      const collection = collectionOf(name)
      const failure = await failureOrNull(journal.readNew())
      return failure === null ? E.right(readFrom(collection)) : E.left(failure)
    })

  const write = (
    change: Omit<Change, 'by'>,
  ): TaskEither<PortFailure | Conflict | DocumentTooLarge, Document> =>
    use<PortFailure | Conflict | DocumentTooLarge, Document>(async () => {
      const { put } = change
      if (Buffer.byteLength(JSON.stringify(put?.value ?? {})) > largestDocument)
        return E.left({ _tag: 'DocumentTooLarge', limit: largestDocument })
      const tooLong = keyTextTooLong(collectionOf(change.collection), put?.unique ?? null, put?.value ?? {})
      const rejection = tooLong ?? (await failureOrNull(journal.readNew())) ?? partitions.conflictOf(change)
      if (rejection !== null) return E.left(rejection)
      const by = randomUUID()
      outcomes.set(by, null)
      const failure = await failureOrNull(journal.append({ ...change, by }).then(journal.readNew))
      const outcome = outcomes.get(by) ?? null
      outcomes.delete(by)
      // The whole line may be in the file, unless there was no space.
      if (failure !== null) return E.left(failure.storageFull ? failure : { ...failure, mayYetApply: true })
      if (outcome === null) throw new Error(`${file} lost a line: something else writes to it`)
      return outcome
    })

  return {
    get: (name, instance, id) =>
      read(name, () => partitions.entries(name, instance).get(id)?.document ?? null),
    getMany: (name, instance, ids, detail) =>
      read(name, (collection) =>
        [...new Set(ids)]
          .flatMap((id) => partitions.entries(name, instance).get(id)?.document ?? [])
          .map((document) => withDetail(collection, detail, document)),
      ),
    find: (name, instance, query) =>
      read(name, (collection) =>
        findInMemory(collection, partitions.entries(name, instance).values(), query),
      ),
    findTexts: (name, instance, query) =>
      read(name, (collection) =>
        findTextsInMemory(collection, partitions.entries(name, instance).values(), query),
      ),
    countGroups: (name, instance, key, within) =>
      read(name, (collection) =>
        countGroupsInMemory(collection, partitions.entries(name, instance).values(), key, within),
      ),
    insert: (collection, instance, { id, unique, value }) =>
      write({ collection, instance, id, version: null, put: { unique, value } }),
    replace: (collection, instance, { id, version, unique, value }) =>
      write({ collection, instance, id, version, put: { unique, value } }),
    remove: (collection, instance, id, version) => {
      const removal = write({ collection, instance, id, version, put: null })
      // A removal is never too large, and has no unique text.
      return async () =>
        E.map(() => undefined)(await removal()) as Either<PortFailure | VersionConflict, void>
    },
    check: () =>
      use(async () => {
        const failure = await failureOrNull(journal.append().then(journal.readNew))
        return failure === null ? E.right(undefined) : E.left(failure)
      }),
    close: () => {
      closing ??= close().then(journal.close)
      return closing
    },
  }
}
