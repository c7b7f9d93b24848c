/**
 * A document store in one append-only file. Every process reads the journal into its memory, and before each call the
 * lines that others have added. A write is a line; the lines before it decide whether it is applied or conflicts.
 */
import { randomUUID } from 'node:crypto'
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import { countedUses, findInMemory, withDetail, keyTextTooLong, portFailure } from '@publishing-service/ports'
import { countGroupsInMemory, countInMemory, countTextsInMemory } from '@publishing-service/ports'
import { findTextsInMemory, snapshotInMemory, storageFull } from '@publishing-service/ports'
import type { Change, Collection, Document, DocumentTooLarge } from '@publishing-service/ports'
import type { DocumentStore, PortFailure, WriteFailure } from '@publishing-service/ports'
import { openJournal } from './journal.js'
import { emptyPartitions, type Conflict, type Line } from './partitions.js'

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
  const byName = new Map(options.collections.map((collection) => [collection.name, collection]))
  const partitions = emptyPartitions()
  /** The outcomes of the writes that this process waits for, by their `by`. */
  const outcomes = new Map<string, Either<Conflict, readonly (Document | null)[]> | null>()
  const journal = await open(file, (json) => {
    const line = json as unknown as Line
    const outcome = partitions.apply(line)
    if (outcomes.has(line.by)) outcomes.set(line.by, outcome)
  })
  let closing: Promise<void> | null = null

  const collectionOf = (name: string): Collection => {
    const collection = byName.get(name)
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
  const readAll = <A>(readFrom: () => A): TaskEither<PortFailure, A> =>
    use(async () => {
      const failure = await failureOrNull(journal.readNew())
      return failure === null ? E.right(readFrom()) : E.left(failure)
    })

  const read = <A>(name: string, readFrom: (collection: Collection) => A): TaskEither<PortFailure, A> =>
    readAll(() => readFrom(collectionOf(name)))

  const tooLarge = (change: Change): DocumentTooLarge | null => {
    if (change.kind !== 'insert' && change.kind !== 'replace') return null
    const { unique, value } = change.document
    return Buffer.byteLength(JSON.stringify(value)) > largestDocument
      ? { _tag: 'DocumentTooLarge', limit: largestDocument }
      : keyTextTooLong(collectionOf(change.collection), unique, value)
  }

  const write: DocumentStore['write'] = (instance, changes, appended) =>
    use<WriteFailure, readonly (Document | null)[]>(async () => {
      for (const change of changes) {
        const failure = tooLarge(change)
        if (failure !== null) return E.left(failure)
      }
      const selected = changes.filter(({ kind }) => kind === 'expect none')
      const declared = Object.fromEntries(
        selected.map(({ collection }) => [collection, collectionOf(collection)]),
      )
      const written = { instance, changes, appended, declared }
      const rejection = (await failureOrNull(journal.readNew())) ?? partitions.conflictOf(written)
      if (rejection !== null) return E.left(rejection)
      const by = randomUUID()
      outcomes.set(by, null)
      const failure = await failureOrNull(journal.append({ ...written, by }).then(journal.readNew))
      const outcome = outcomes.get(by) ?? null
      outcomes.delete(by)
      // The whole line may be in the file, unless there was no space.
      if (failure !== null) return E.left(failure.storageFull ? failure : { ...failure, mayYetApply: true })
      if (outcome === null) throw new Error(`${file} lost a line: something else writes to it`)
      return outcome
    })

  return {
    get: (name, instance, id) => read(name, () => partitions.documents(name, instance).get(id) ?? null),
    getRelated: (instance, { documents, counts }) =>
      readAll(() => ({
        documents: documents.map(({ collection, ids, detail }) =>
          [...new Set(ids)]
            .flatMap((id) => partitions.documents(collection, instance).get(id) ?? [])
            .map((document) => withDetail(collectionOf(collection), detail, document)),
        ),
        counts: counts.map(({ collection, key, within }) =>
          countGroupsInMemory(
            collectionOf(collection),
            partitions.documents(collection, instance).values(),
            key,
            within,
          ),
        ),
      })),
    find: (name, instance, query) =>
      read(name, (collection) =>
        findInMemory(collection, partitions.documents(name, instance).values(), query),
      ),
    findTexts: (name, instance, query) =>
      read(name, (collection) =>
        findTextsInMemory(collection, partitions.documents(name, instance).values(), query),
      ),
    count: (name, instance, selection, limit) =>
      read(name, (collection) =>
        countInMemory(collection, partitions.documents(name, instance).values(), selection, limit),
      ),
    countTexts: (name, instance, keys, selection, most) =>
      read(name, (collection) =>
        countTextsInMemory(collection, partitions.documents(name, instance).values(), keys, selection, most),
      ),
    write,
    snapshot: () =>
      readAll(() => {
        const documentsAt = partitions.copy()
        return snapshotInMemory((name, instance) => ({
          collection: collectionOf(name),
          documents: documentsAt(name, instance),
        }))
      }),
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
