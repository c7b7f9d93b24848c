/**
 * A document store over another one, for trials: it reads what the other one has, and what is written to it is in memory. The
 * other one is never written. Memory is needed for what is changed only, however many documents there are.
 */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import { isJsonObject } from '@publishing-service/domain/json'
import {
  comparePlaces,
  countInMemory,
  countTextsInMemory,
  findInMemory,
  findTextsInMemory,
  idOfChange,
  InvalidCursor,
  isPortFailure,
  placeIn,
  placeOf,
  portFailure,
  queryConditions,
  queryOrder,
  snapshotWithoutMoment,
  tieDirection,
  withDetail,
  type Appended,
  type Change,
  type Collection,
  type CountedGroup,
  type CountedTexts,
  type Cursor,
  type Document,
  type DocumentStore,
  type FoundRelated,
  type NewDocument,
  type Page,
  type PortFailure,
  type Query,
  type Related,
  type Selection,
  type TextCount,
  type TextsPage,
  type TextsQuery,
  type WriteFailure,
} from '@publishing-service/ports'
import { documentStoreOver } from './memory-document-store.js'
import { MemoryPartitions } from './memory-partition.js'

/** The unique texts of documents, which a store does not return. */
export type UniqueTexts = {
  readonly of: (collection: string, document: Document) => string | null
  /** Selects the documents that may have the unique text of this one. */
  readonly sharing: (
    collection: string,
    document: Pick<NewDocument, 'value'> & { readonly unique: string },
  ) => Selection
}

/** The most documents of a page, and of a count. */
const [largestPage, largestCount] = [1000, 100_000]

const orThrow = async <F, A>(task: TaskEither<F, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw outcome.left
  return outcome.right
}

/** Where a page begins: the place in the store below from which it is read, and the place that it follows. */
type Start = { readonly below: Cursor; readonly after: Cursor } | null

const startOf = (cursor: Cursor | undefined): Start => {
  if (cursor === undefined) return null
  if (!isJsonObject(cursor)) throw new InvalidCursor()
  const { below, after } = cursor
  if (below === undefined || after === undefined) throw new InvalidCursor()
  return { below, after }
}

/** A document of the store below, with the cursor of its page. */
type Found = { readonly document: Document; readonly page: Cursor }

class Overlay {
  /** Documents of the store below that writes were about, as they were then. */
  readonly #taken: MemoryPartitions
  /** What became of these, and new documents. */
  readonly #own: MemoryPartitions
  readonly #store: DocumentStore
  /** The highest position below in each partition that was written, when that was begun. */
  readonly #highest = new Map<string, number>()

  constructor(
    private readonly below: DocumentStore,
    collections: readonly Collection[],
    private readonly uniqueTexts: UniqueTexts,
  ) {
    this.#taken = new MemoryPartitions(collections)
    this.#own = new MemoryPartitions(collections)
    this.#store = documentStoreOver(this.#own)
  }

  /** Whether a document below does not count, because it is taken. */
  #isTaken(collection: string, instance: number, id: string): boolean {
    const [taken, own] = [this.#taken.of(collection, instance), this.#own.of(collection, instance)]
    return taken.get(id) !== null || own.get(id) !== null
  }

  /** Documents of a query below that count, with the cursors of their pages. */
  async *#readBelow(collection: string, instance: number, query: Query): AsyncGenerator<readonly Found[]> {
    for (let page: Cursor = query.after ?? null; ;) {
      const after = page === null ? {} : { after: page }
      const { documents, next } = await orThrow(this.below.find(collection, instance, { ...query, ...after }))
      const from = page
      yield documents.map((document) => ({ document, page: from }))
      if (next === null) return
      page = next
    }
  }

  /** The selected documents below that count: all of them, or at least so many. */
  async #select(
    collection: string,
    instance: number,
    selection: Selection,
    atLeast = Infinity,
  ): Promise<readonly Document[]> {
    const query = { ...selection, order: [], skip: 0, limit: largestPage, detail: 'full' } as const
    const found: Document[] = []
    for await (const documents of this.#readBelow(collection, instance, query)) {
      for (const { document } of documents)
        if (!this.#isTaken(collection, instance, document.id)) found.push(document)
      if (found.length >= atLeast) break
    }
    return found
  }

  /** All documents of a partition. */
  async #all(collection: string, instance: number): Promise<readonly Document[]> {
    const below = await this.#select(collection, instance, { where: [] })
    return [
      ...below.filter(({ id }) => !this.#isTaken(collection, instance, id)),
      ...this.#own.of(collection, instance).documents,
    ]
  }

  async get(collection: string, instance: number, id: string): Promise<Document | null> {
    const isTaken = (): boolean => this.#isTaken(collection, instance, id)
    const found = isTaken() ? null : await orThrow(this.below.get(collection, instance, id))
    // A write can have taken it meanwhile.
    return isTaken() ? this.#own.of(collection, instance).get(id) : found
  }

  async getRelated(instance: number, related: Related): Promise<FoundRelated> {
    const found = await orThrow(this.below.getRelated(instance, related))
    return {
      documents: related.documents.map(({ collection, ids, detail }, index) => {
        const own = this.#own.of(collection, instance)
        return [
          ...(found.documents[index] ?? []).filter(({ id }) => !this.#isTaken(collection, instance, id)),
          ...[...new Set(ids)]
            .flatMap((id) => own.get(id) ?? [])
            .map((document) => withDetail(this.#own.declaration(collection), detail, document)),
        ]
      }),
      counts: related.counts.map((group, index) =>
        this.#countGroup(instance, group, found.counts[index] ?? []),
      ),
    }
  }

  #countGroup(
    instance: number,
    { collection, key, within }: CountedGroup,
    below: readonly TextCount[],
  ): readonly TextCount[] {
    const countsIn = (partitions: MemoryPartitions): readonly TextCount[] =>
      partitions.of(collection, instance).groupCounts.read(key, within)
    const sums = new Map<string, number>()
    const add = (counts: readonly TextCount[], sign: 1 | -1): void => {
      for (const { text, count } of counts) sums.set(text, (sums.get(text) ?? 0) + sign * count)
    }
    add(below, 1)
    add(countsIn(this.#own), 1)
    add(countsIn(this.#taken), -1)
    return [...sums].filter(([, count]) => count > 0).map(([text, count]) => ({ text, count }))
  }

  /** A page of both: as many documents of each as it can have, in the order of the query. */
  async find(collection: string, instance: number, query: Query): Promise<Page> {
    const { skip, limit, after: cursor, ...selection } = query
    const declaration = this.#own.declaration(collection)
    const order = queryOrder(declaration, query.order, queryConditions(declaration, query.where) ?? [])
    const compare = comparePlaces(order, tieDirection(query))
    const start = startOf(cursor)
    const place = start === null ? null : placeIn(start.after, order.length)
    const isAfter = (document: Document, other: typeof place): boolean =>
      other === null || compare(placeOf(declaration, order, document), other) > 0
    const counting = (all: readonly Found[]): readonly Found[] =>
      all.filter(
        ({ document }) => !this.#isTaken(collection, instance, document.id) && isAfter(document, place),
      )
    const reading: Query = {
      ...selection,
      skip: 0,
      limit: Math.min(largestPage, skip + limit + 1),
      detail: 'full',
      ...(start === null || start.below === null ? {} : { after: start.below }),
    }
    let found: readonly Found[] = []
    let lastPage: Cursor = start?.below ?? null
    for await (const documents of this.#readBelow(collection, instance, reading)) {
      found = counting([...found, ...documents])
      lastPage = documents.at(-1)?.page ?? lastPage
      if (found.length > skip + limit) break
    }
    found = counting(found)
    const documents = [
      ...found.map(({ document }) => document),
      ...this.#own.of(collection, instance).documents,
    ]
    const page = findInMemory(declaration, documents, {
      ...selection,
      skip,
      limit,
      ...(start === null ? {} : { after: start.after }),
    })
    if (page.next === null) return page
    const end = placeIn(page.next, order.length)
    const following = found.find(({ document }) => isAfter(document, end))
    return { ...page, next: { below: following === undefined ? lastPage : following.page, after: page.next } }
  }

  async count(collection: string, instance: number, selection: Selection, limit: number): Promise<number> {
    const countIn = (partitions: MemoryPartitions): number => {
      const { documents } = partitions.of(collection, instance)
      return countInMemory(this.#own.declaration(collection), documents, selection, Infinity)
    }
    const most = Math.min(limit + countIn(this.#taken), largestCount)
    const below = await orThrow(this.below.count(collection, instance, selection, most))
    return Math.min(limit, below - countIn(this.#taken) + countIn(this.#own))
  }

  // No import lists texts or counts them, so these may read all documents.

  async findTexts(collection: string, instance: number, query: TextsQuery): Promise<TextsPage> {
    const documents = await this.#all(collection, instance)
    return findTextsInMemory(this.#own.declaration(collection), documents, query)
  }

  async countTexts(
    collection: string,
    instance: number,
    keys: readonly string[],
    selection: Selection,
    most: number,
  ): Promise<CountedTexts> {
    const documents = await this.#all(collection, instance)
    return countTextsInMemory(this.#own.declaration(collection), documents, keys, selection, most)
  }

  /** Takes documents of the store below, so that a write in memory finds them. */
  #take(collection: string, instance: number, documents: readonly Document[]): void {
    for (const document of documents) {
      if (this.#isTaken(collection, instance, document.id)) continue
      const stored = { ...document, unique: this.uniqueTexts.of(collection, document) }
      for (const partitions of [this.#taken, this.#own])
        partitions.of(collection, instance).store(stored, document.version)
    }
  }

  /** Takes the last document of a partition, and those at a position and after it: what is inserted then gets a free position. */
  async #takeBeside(
    collection: string,
    instance: number,
    { position }: Pick<NewDocument, 'position'>,
  ): Promise<void> {
    const query = { where: [], order: [], skip: 0, detail: 'full' } as const
    const partition = `${instance}/${collection}`
    let highest = this.#highest.get(partition)
    if (highest === undefined) {
      const last = { ...query, insertion: 'desc', limit: 1 } as const
      const { documents } = await orThrow(this.below.find(collection, instance, last))
      this.#take(collection, instance, documents)
      highest = documents[0]?.position ?? 0
      this.#highest.set(partition, highest)
    }
    // The clock has been set back, or is that of another machine.
    if (typeof position === 'number' && position <= highest)
      for await (const found of this.#readBelow(collection, instance, {
        ...query,
        from: position,
        limit: largestPage,
      }))
        this.#take(
          collection,
          instance,
          found.map(({ document }) => document),
        )
  }

  /** Takes the documents below that decide on a change. */
  async #takeFor(instance: number, changes: readonly Change[], change: Change): Promise<void> {
    const { collection } = change
    const take = async (selection: Selection, atLeast?: number): Promise<void> =>
      this.#take(collection, instance, await this.#select(collection, instance, selection, atLeast))
    // Each change of the write concerns one document, so that one more is selected in any case.
    if (change.kind === 'expect none') return take(change.selection, changes.length + 1)
    const id = idOfChange(change)
    if (!this.#isTaken(collection, instance, id)) {
      const found = await orThrow(this.below.get(collection, instance, id))
      if (found !== null) this.#take(collection, instance, [found])
    }
    if (change.kind !== 'insert' && change.kind !== 'replace') return
    const { unique, value } = change.document
    if (unique !== null) await take(this.uniqueTexts.sharing(collection, { unique, value }))
    if (change.kind === 'insert') await this.#takeBeside(collection, instance, change.document)
  }

  async write(
    instance: number,
    changes: readonly Change[],
    appended: readonly Appended[],
  ): Promise<Either<WriteFailure, readonly (Document | null)[]>> {
    for (const change of changes) await this.#takeFor(instance, changes, change)
    for (const { collection, instance: of, document } of appended)
      await this.#takeBeside(collection, of, document)
    return this.#store.write(instance, changes, appended)()
  }
}

/** Creates a store over another one. Closing it does not close the other one. */
export const overlayDocumentStore = (
  below: DocumentStore,
  collections: readonly Collection[],
  uniqueTexts: UniqueTexts,
): DocumentStore => {
  const overlay = new Overlay(below, collections, uniqueTexts)
  /** The end of the last write: they are made one after another. */
  let written: Promise<void> = Promise.resolve()
  let isClosed = false

  const attempt = async <F, A>(run: () => Promise<Either<F, A>>): Promise<Either<F | PortFailure, A>> => {
    try {
      return await run()
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
  }
  const unlessClosed =
    <F, A>(run: () => Promise<Either<F, A>>): TaskEither<F | PortFailure, A> =>
    () =>
      isClosed ? Promise.resolve(E.left(portFailure('document store', 'it is closed'))) : run()
  const reading = <A>(read: () => Promise<A>): TaskEither<PortFailure, A> =>
    unlessClosed(() => attempt(async () => E.right(await read())))

  const get: DocumentStore['get'] = (...call) => reading(() => overlay.get(...call))
  const find: DocumentStore['find'] = (...call) => reading(() => overlay.find(...call))
  return {
    get,
    getRelated: (...call) => reading(() => overlay.getRelated(...call)),
    find,
    findTexts: (...call) => reading(() => overlay.findTexts(...call)),
    count: (...call) => reading(() => overlay.count(...call)),
    countTexts: (...call) => reading(() => overlay.countTexts(...call)),
    write: (...call) =>
      unlessClosed(() => {
        const outcome = written.then(() => attempt(() => overlay.write(...call)))
        written = outcome.then(
          () => undefined,
          () => undefined,
        )
        return outcome
      }),
    snapshot: () => reading(async () => snapshotWithoutMoment({ get, find })),
    check: () => unlessClosed(below.check()),
    close: async () => {
      isClosed = true
      await written
    },
  }
}
