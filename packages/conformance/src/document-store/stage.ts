/**
 * What the tests of a document store share: the store under test, a collection with keys of every type, and
 * instances that nothing has written to.
 */
import { after, before } from 'mocha'
import { expect } from 'chai'
import { E, type JsonObject, type TaskEither } from '@publishing-service/domain'
import type { Collection, Cursor, Document, DocumentStore, Page, Query } from '@publishing-service/ports'

/** Keys of every type, heavy attributes, key sequences that queries use together, and counts. */
export const things: Collection = {
  name: 'things',
  heavy: ['content', 'places'],
  keys: { title: 'text', kind: 'text', rank: 'number', open: 'boolean', tags: 'texts', places: 'texts' },
  ranged: ['rank'],
  indexes: [
    ['kind', 'rank'],
    ['kind', 'title'],
    ['kind', 'rank', 'title'],
    ['tags', 'rank'],
    ['tags', 'title'],
    ['tags', 'kind', 'rank'],
  ],
  groupCounts: [
    { key: 'tags', within: [] },
    { key: 'tags', within: ['kind'] },
    { key: 'tags', within: ['rank', 'open'] },
    { key: 'places', within: [] },
  ],
}

/** A second collection of the same shape. */
export const others: Collection = { ...things, name: 'others' }

/** A store that was opened for a suite, and the ways to its data. */
export type DocumentStoreSubject = {
  readonly store: DocumentStore
  /**
   * Opens another store on the same data, as another process would, with these collections; the first may still
   * be open. The suite closes it. Not asked of a volatile store.
   */
  readonly reopen: (collections: readonly Collection[]) => Promise<DocumentStore>
  /** Closes the store if it is still open, and removes its data. */
  readonly dispose: () => Promise<void>
}

export type OpenSubject = (collections: readonly Collection[]) => Promise<DocumentStoreSubject>

/** A store whose answers can be lost on their way, as where a connection breaks while a write commits. */
export type LostResponsesSubject = DocumentStoreSubject & {
  /** From now on what the store writes still reaches its data, and no answer comes back. */
  readonly loseAnswers: () => void
  /** Ends the loss. */
  readonly restore: () => void
}

/** A store whose room can be taken away. `dispose` closes every store that it gave. */
export type FullStorageSubject = DocumentStoreSubject & {
  /** Leaves no room. The answer is the store to use from then on, on the same data. */
  readonly fill: () => Promise<DocumentStore>
  /** Gives room again. The answer is the store to use from then on, on the same data. */
  readonly makeRoom: () => Promise<DocumentStore>
  /** Whether space is held back for removals and urgent writes. */
  readonly holdsBack: boolean
}

export type Stage = {
  readonly store: () => DocumentStore
  readonly subject: () => DocumentStoreSubject
  /** The number of an instance that nothing has written to. */
  readonly instance: () => number
  /** Inserts a document whose id and unique text no other test uses. */
  readonly insert: (instance: number, value: JsonObject, collection?: string) => Promise<Document>
}

/** The success of a port's call; fails the test where there is none. */
export const right = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) return expect.fail(`expected success, got ${JSON.stringify(outcome.left)}`)
  return outcome.right
}

/** A port's failure; fails the test where the call succeeded. */
export const failing = async <L>(task: TaskEither<L, unknown>): Promise<L> => {
  const outcome = await task()
  if (E.isRight(outcome)) return expect.fail(`expected a failure, got ${JSON.stringify(outcome.right)}`)
  return outcome.left
}

/** The tag of a port's failure; fails the test where the call succeeded. */
export const failure = async <A>(task: TaskEither<{ readonly _tag: string }, A>): Promise<string> => {
  const outcome = await task()
  if (E.isRight(outcome)) return expect.fail(`expected a failure, got ${JSON.stringify(outcome.right)}`)
  return outcome.left._tag
}

/** Runs tasks at once and tells their failures' tags, null for each success. */
export const outcomes = async <A>(
  tasks: readonly TaskEither<{ readonly _tag: string }, A>[],
): Promise<readonly (string | null)[]> =>
  (await Promise.all(tasks.map((task) => task()))).map((outcome) =>
    E.isLeft(outcome) ? outcome.left._tag : null,
  )

/** A query for all documents of an instance, in the order of their insertion. */
export const all: Query = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' }

/** All pages of a query, walked by `next`; each cursor goes through JSON text, as it may on its way to a client. */
export const walk = async (
  find: (query: Query) => TaskEither<unknown, Page>,
  query: Query,
): Promise<readonly Page[]> => {
  const pages: Page[] = []
  let next: Cursor | null = null
  do {
    expect(pages.length, 'pages of an endless walk').to.be.below(10_000)
    const start: Partial<Query> = next === null ? {} : { after: JSON.parse(JSON.stringify(next)) as Cursor }
    const page: Page = await right(find({ ...query, ...start }))
    pages.push(page)
    expect(JSON.parse(JSON.stringify(page.next)), 'a cursor as JSON text').to.deep.equal(page.next)
    next = page.next
  } while (next !== null)
  return pages
}

export const idsOf = (documents: readonly Document[]): readonly string[] => documents.map(({ id }) => id)

/** Opens one store for the suite that is being declared, and closes it behind the suite. */
export const stageFor = (open: OpenSubject): Stage => {
  let opened: DocumentStoreSubject | undefined
  let instances = 0
  let ids = 0
  before(async () => {
    opened = await open([things, others])
  })
  after(() => opened?.dispose())
  const subject = (): DocumentStoreSubject => opened ?? expect.fail('the store is not open yet')
  return {
    subject,
    store: () => subject().store,
    instance: () => ++instances,
    insert: (instance, value, collection = things.name) =>
      right(subject().store.insert(collection, instance, { id: `document-${++ids}`, unique: null, value })),
  }
}
