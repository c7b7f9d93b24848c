/**
 * A document store over one append-only file. Every process reads the whole journal into its memory, and before each
 * use what others have added to it since: a write is a line, and stands or is refused by the lines before it.
 */
import { randomUUID } from 'node:crypto'
import { E, type Either, type TaskEither } from '@publishing-service/domain'
import { countedUses, findInMemory, withDetail, keyTextTooLong, portFailure } from '@publishing-service/ports'
import { storageFull, countGroupsInMemory, type Collection, type Document } from '@publishing-service/ports'
import type { DocumentStore, DocumentTooLarge, PortFailure, VersionConflict } from '@publishing-service/ports'
import { openJournal } from './journal.js'
import { emptyShelves, type Change, type Refusal } from './shelves.js'

/** In bytes. */
export const largestDocument = 4 * 1024 * 1024

const part = 'document store'

/** Opens the store, and makes the file where it is missing. Rejects where the file can't be used. */
export const journalDocumentStore = async (options: {
  readonly file: string
  readonly collections: readonly Collection[]
  readonly open?: typeof openJournal
}): Promise<DocumentStore> => {
  const { file, open = openJournal } = options
  const declared = new Map(options.collections.map((collection) => [collection.name, collection]))
  const shelves = emptyShelves()
  /** What has become of the changes that this process waits for. */
  const outcomes = new Map<string, Either<Refusal, Document> | null>()
  const journal = await open(file, (line) => {
    const change = line as unknown as Change
    const outcome = shelves.apply(change)
    if (outcomes.has(change.by)) outcomes.set(change.by, outcome)
  })
  let closing: Promise<void> | null = null

  const collectionOf = (name: string): Collection => {
    const collection = declared.get(name)
    if (collection === undefined) throw new Error(`No collection ${name} was declared to this store`)
    return collection
  }

  /** The one place where what the file system says becomes a PortFailure. */
  const failureOf = (error: unknown): PortFailure =>
    error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      ? storageFull(part, error)
      : portFailure(part, error)

  const reach = (work: Promise<void>): Promise<PortFailure | null> => work.then(() => null, failureOf)

  const { use, close } = countedUses(portFailure(part, 'it is closed'), (defect) => {
    throw defect
  })

  /** An answer from the shelves, once all that was written before the question is on them. */
  const read = <A>(name: string, answer: (collection: Collection) => A): TaskEither<PortFailure, A> =>
    use(async () => {
      const collection = collectionOf(name)
      const failure = await reach(journal.readOn())
      return failure === null ? E.right(answer(collection)) : E.left(failure)
    })

  const write = (
    change: Omit<Change, 'by'>,
  ): TaskEither<PortFailure | Refusal | DocumentTooLarge, Document> =>
    use<PortFailure | Refusal | DocumentTooLarge, Document>(async () => {
      const { put } = change
      if (Buffer.byteLength(JSON.stringify(put?.value ?? {})) > largestDocument)
        return E.left({ _tag: 'DocumentTooLarge', limit: largestDocument })
      const tooLong = keyTextTooLong(collectionOf(change.collection), put?.unique ?? null, put?.value ?? {})
      const refusal = tooLong ?? (await reach(journal.readOn())) ?? shelves.objection(change)
      if (refusal !== null) return E.left(refusal)
      const by = randomUUID()
      outcomes.set(by, null)
      const failure = await reach(journal.append({ ...change, by }).then(journal.readOn))
      const outcome = outcomes.get(by) ?? null
      outcomes.delete(by)
      // Perhaps all of the line is in the file, unless there was no room for any of it.
      if (failure !== null) return E.left(failure.storageFull ? failure : { ...failure, mayYetApply: true })
      if (outcome === null) throw new Error(`${file} lost a line: something else writes to it`)
      return outcome
    })

  return {
    get: (name, instance, id) => read(name, () => shelves.entries(name, instance).get(id)?.document ?? null),
    getMany: (name, instance, ids, detail) =>
      read(name, (collection) =>
        [...new Set(ids)]
          .flatMap((id) => shelves.entries(name, instance).get(id)?.document ?? [])
          .map((document) => withDetail(collection, detail, document)),
      ),
    find: (name, instance, query) =>
      read(name, (collection) => findInMemory(collection, shelves.entries(name, instance).values(), query)),
    countGroups: (name, instance, key, within) =>
      read(name, (collection) =>
        countGroupsInMemory(collection, shelves.entries(name, instance).values(), key, within),
      ),
    insert: (collection, instance, { id, unique, value }) =>
      write({ collection, instance, id, version: null, put: { unique, value } }),
    replace: (collection, instance, { id, version, unique, value }) =>
      write({ collection, instance, id, version, put: { unique, value } }),
    remove: (collection, instance, id, version) => {
      const removal = write({ collection, instance, id, version, put: null })
      // What goes is not too large, and takes no text from others.
      return async () =>
        E.map(() => undefined)(await removal()) as Either<PortFailure | VersionConflict, void>
    },
    check: () =>
      use(async () => {
        const failure = await reach(journal.append().then(journal.readOn))
        return failure === null ? E.right(undefined) : E.left(failure)
      }),
    close: () => {
      closing ??= close().then(journal.close)
      return closing
    },
  }
}
