/**
 * What the tests of a document store share: the store under test, a collection with keys of every type, and unused
 * instances.
 */
import { changes } from './changes.js'
import { after, before } from 'mocha'
import { expect } from 'chai'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Collection, Cursor, Document, DocumentStore, Page, Query } from '@publishing-service/ports'
import { failureOf, valueOf } from '../task-outcome.js'
import type { UnreliableConnection } from '../unreliable-connection.js'

/** A collection with keys of every type, heavy attributes, indexes and group counts. */
export const things: Collection = {
  name: 'things',
  heavy: ['content', 'places'],
  keys: { title: 'text', kind: 'text', rank: 'number', open: 'boolean', tags: 'texts', places: 'intervals' },
  indexes: [
    ['title'],
    ['kind'],
    ['rank'],
    ['open'],
    ['tags'],
    ['places'],
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

/** A collection whose indexes and groups have as many texts as the widest of the service. */
export const wide: Collection = {
  name: 'wide',
  heavy: [],
  keys: {
    kind: 'text',
    state: 'text',
    section: 'text',
    live: 'text',
    issued: 'text',
    rank: 'number',
    tags: 'texts',
  },
  indexes: [
    ['kind', 'section', 'live', 'issued'],
    ['section', 'live', 'issued'],
  ],
  groupCounts: [{ key: 'tags', within: ['kind', 'state'] }],
}

/** A second collection of the same shape. */
export const others: Collection = { ...things, name: 'others' }

/** A collection in commit order. */
export const log: Collection = {
  name: 'log',
  heavy: ['content'],
  keys: { kind: 'text' },
  indexes: [['kind']],
  groupCounts: [],
  inCommitOrder: true,
}

/** A store that was opened for a suite, and access to its data. */
export type DocumentStoreSubject = {
  readonly store: DocumentStore
  /**
   * Opens another store on the same data, as another process would, with these collections; the first may still
   * be open. The suite closes it. Not called for a volatile store.
   */
  readonly reopen: (collections: readonly Collection[]) => Promise<DocumentStore>
  /** Closes the store if it is still open, and removes its data. */
  readonly dispose: () => Promise<void>
}

export type OpenSubject = (collections: readonly Collection[]) => Promise<DocumentStoreSubject>

/** A store whose responses can be lost, as if the connection broke during a commit. */
export type LostResponsesSubject = DocumentStoreSubject & {
  /** From now on writes still reach the data, but their responses are lost. */
  readonly loseResponses: () => void
  /** Responses are received again. */
  readonly restore: () => void
}

/** A store on empty data whose connections pass through an `unreliableConnection`; `reopen` opens one that does not. */
export type OutageSubject = DocumentStoreSubject & {
  readonly connection: Pick<
    UnreliableConnection,
    'cut' | 'stall' | 'stallAfter' | 'isStalled' | 'reset' | 'restore'
  >
  /** Kills the server and starts it again on its data; absent for servers that cannot be killed. */
  readonly restartServer?: () => Promise<void>
}

/** A store whose storage can be filled. `dispose` closes every store that was returned. */
export type FullStorageSubject = DocumentStoreSubject & {
  /** Fills the storage. Returns the store to use from then on, on the same data. */
  readonly fill: () => Promise<DocumentStore>
  /** Frees the storage. Returns the store to use from then on, on the same data. */
  readonly freeSpace: () => Promise<DocumentStore>
  /** Whether the store reserves space for removals and urgent writes. */
  readonly reservesSpace: boolean
}

export type Stage = {
  /** What the store was opened with. */
  readonly collections: readonly Collection[]
  readonly store: () => DocumentStore
  readonly subject: () => DocumentStoreSubject
  /** The number of an unused instance. */
  readonly newInstance: () => number
  /** Inserts a document whose id and unique text no other test uses. */
  readonly insert: (instance: number, value: JsonObject, collection?: string) => Promise<Document>
}

/** The tag of the failure of a task that must fail. */
export const failureTag = async (task: TaskEither<{ readonly _tag: string }, unknown>): Promise<string> =>
  (await failureOf(task))._tag

/** Runs tasks concurrently. Returns the tags of their failures, null for each success. */
export const failureTags = async <A>(
  tasks: readonly TaskEither<{ readonly _tag: string }, A>[],
): Promise<readonly (string | null)[]> =>
  (await Promise.all(tasks.map((task) => task()))).map((outcome) =>
    E.isLeft(outcome) ? outcome.left._tag : null,
  )

/** Repeats an assertion until it holds, for 20 seconds by default. Returns what it returns. */
export const soon = async <A>(assertion: () => Promise<A>, milliseconds = 20_000): Promise<A> => {
  const end = performance.now() + milliseconds
  for (;;) {
    try {
      return await assertion()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** A query for all documents of an instance, in the order of insertion. */
export const all: Query = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' }

/** All pages of a query, by following `next`. Each cursor is converted to JSON text and back, as for a client. */
export const walk = async (
  find: (query: Query) => TaskEither<unknown, Page>,
  query: Query,
): Promise<readonly Page[]> => {
  const pages: Page[] = []
  let next: Cursor | null = null
  do {
    expect(pages.length, 'pages of an endless result').to.be.below(10_000)
    const start: Partial<Query> = next === null ? {} : { after: JSON.parse(JSON.stringify(next)) as Cursor }
    const page: Page = await valueOf(find({ ...query, ...start }))
    pages.push(page)
    expect(JSON.parse(JSON.stringify(page.next)), 'a cursor as JSON text').to.deep.equal(page.next)
    next = page.next
  } while (next !== null)
  return pages
}

export const idsOf = (documents: readonly Document[]): readonly string[] => documents.map(({ id }) => id)

/** Opens one store before the suite that is being declared, and closes it after the suite. */
export const stageFor = (open: OpenSubject): Stage => {
  const collections = [things, others, log, wide]
  let opened: DocumentStoreSubject | undefined
  let instances = 0
  let ids = 0
  before(async () => {
    opened = await open(collections)
  })
  after(() => opened?.dispose())
  const subject = (): DocumentStoreSubject => opened ?? expect.fail('the store is not open yet')
  return {
    collections,
    subject,
    store: () => subject().store,
    newInstance: () => ++instances,
    insert: (instance, value, collection = things.name) =>
      valueOf(
        changes(subject().store).insert(collection, instance, {
          id: `document-${++ids}`,
          unique: null,
          value,
        }),
      ),
  }
}
