import type { Filter, Json, JsonObject, Order, TaskEither } from '@publishing-service/domain'
import type { PortFailure } from './port-failure.js'

export type { Filter, KeyFilter, Order } from '@publishing-service/domain'

/**
 * What a store has to know of a collection, made from the resource's declaration. A collection is declared to a
 * store when the store is opened; a collection or key that is new since the data was written is taken in then.
 */
export type Collection = {
  readonly name: string
  /** Top-level attributes that can be long; reads that ask for `light` documents may leave them out. */
  readonly heavy: readonly string[]
  /** Top-level attributes that a query may filter by, with the type of their values; all but lists also order. */
  readonly keys: Readonly<Record<string, KeyType>>
  /** Those of the keys that no query orders by alone, so that a store may spare itself an index for it. */
  readonly unordered?: readonly string[]
  /** Those of the keys that queries ask for ranges of, in the order of creation among others; texts and numbers. */
  readonly ranged?: readonly string[]
  /**
   * Key sequences that queries use together: equal keys first, then the order. The instance is implied. A key of
   * texts stands at most once, and first.
   */
  readonly indexes: readonly (readonly string[])[]
  /** The counts that `tally` is asked for. */
  readonly tallies: readonly Tally[]
}

/**
 * `texts` is a list of texts; an entry that isn't a text, or is empty, doesn't count, and one that stands twice counts
 * once. A text under a key has at most `largestKeyText` bytes.
 */
export type KeyType = 'text' | 'number' | 'boolean' | 'texts'

/** Counts documents by the texts of a key of texts, apart by the values of other keys, which are plain. */
export type Tally = { readonly key: string; readonly within: readonly string[] }

/** How many documents have a text in a list. */
export type Tallied = { readonly text: string; readonly count: number }

export type Document = {
  /** Names the document within its collection and instance; at most 200 characters. */
  readonly id: string
  /** 1 when inserted, one more with each replace. */
  readonly version: number
  /** `unreadable` where what the store holds was damaged: then nobody may take it for the document's value. */
  readonly value: JsonObject
}

export type NewDocument = {
  readonly id: string
  /**
   * A text that no other document of the collection and instance may hold, at most `largestKeyText` bytes; null where
   * there is no such rule.
   */
  readonly unique: string | null
  readonly value: JsonObject
  /** A part of a deletion, a sign-in or a revocation: it may use what a store holds back for a full disk, as removals may. */
  readonly urgent?: true
}

export type Replacement = NewDocument & {
  /** The version that the writer has read. */
  readonly version: number
}

/** Marks a place in the result of one query; only the store that gave it reads it. It is plain JSON. */
export type Cursor = Json

export type Query = {
  /** All of them hold. */
  readonly where: readonly Filter[]
  readonly order: readonly Order[]
  /** Start behind this place; `skip` counts from there. */
  readonly after?: Cursor
  readonly skip: number
  /** 1 to 1000. */
  readonly limit: number
  /** The page ends early once its documents have so many bytes of JSON; `next` then leads on. No bound where not given. */
  readonly bytes?: number
  readonly detail: 'light' | 'full'
}

export type Page = {
  readonly documents: readonly Document[]
  /** The place behind the last document, when more follow; else null. */
  readonly next: Cursor | null
}

/** The id is taken already (insert), or the document is gone or has another version (replace, remove). */
export type VersionConflict = { readonly _tag: 'VersionConflict' }
/** Another document of the collection and instance holds this unique text. */
export type UniqueConflict = { readonly _tag: 'UniqueConflict' }
/** The document, or a text of its keys, is larger than allowed; the limit is in bytes. */
export type DocumentTooLarge = { readonly _tag: 'DocumentTooLarge'; readonly limit: number }

export type WriteFailure = PortFailure | VersionConflict | UniqueConflict | DocumentTooLarge

/**
 * Documents in collections, apart by instance. Each sentence here is a test of the conformance suite.
 *
 * - A document that was inserted or replaced is read back equal, to the letter of every text.
 * - A write that has answered is durable, and every later read sees it, in any process on the same data.
 * - A write applies whole or not at all.
 * - A document's size is the bytes of its value as JSON text in UTF-8, without its id, its unique text or what a store
 *   adds; a store takes documents up to its limit, and answers DocumentTooLarge above it.
 * - A unique text, a text under a key and an entry of a list under a key have at most 1024 bytes in UTF-8, all of which
 *   count in comparisons; a write with a longer one is answered DocumentTooLarge.
 * - Of two writes that name the same version, one answers with VersionConflict and changes nothing.
 * - Of two documents with the same unique text, the later answers with UniqueConflict and changes nothing;
 *   a removed or replaced document frees its unique text.
 * - A replace needs a document: it never inserts one, and it never changes the place of a document among the insertions.
 * - A write that failed without `mayYetApply` has not been applied and never will be; one that failed with it has been
 *   applied whole, will be, or not at all.
 * - A write that finds no room answers `storageFull` and changes nothing; reads go on, and so do removals and urgent
 *   writes where the store holds space back.
 * - An urgent write is like any other where there is room.
 * - A write by a process with older declarations fails with PortFailure, or is found under the newer keys by every store
 *   that is opened later.
 * - Nothing of another instance is ever read, changed or in the way.
 * - A query gives exactly the documents that all its filters hold for.
 * - To a query an absent value, null and the empty text are one value; it comes before every other value.
 * - Text is compared and ordered by code point, numbers by size, false before true.
 * - A key of texts is asked whether its list has a text; a list of other things, or none, has no text.
 * - An alternative holds where every filter of one of its groups holds; without a group it never does.
 * - Documents that the order leaves equal come in the order of their insertion, whatever the direction.
 * - Insertions that one process asks for without waiting for each other come in the order in which it asked.
 * - Walking a result by `next` gives each document once, and costs the same for every page.
 * - A page that is limited in bytes holds one document at least, and no more once it has reached the limit.
 * - A light document has every attribute but the heavy ones; a full document has them all.
 * - A tally gives, for each text that some document has, how many documents with the asked values have it; it follows
 *   every write at once, and its cost grows with the number of texts, not of documents.
 */
export type DocumentStore = {
  readonly get: (collection: string, instance: number, id: string) => TaskEither<PortFailure, Document | null>
  /** The documents that exist among the ids, in any order, each once. At most 1000 ids. */
  readonly getMany: (
    collection: string,
    instance: number,
    ids: readonly string[],
    detail: 'light' | 'full',
  ) => TaskEither<PortFailure, readonly Document[]>
  readonly find: (collection: string, instance: number, query: Query) => TaskEither<PortFailure, Page>
  /** Of a declared tally: `within` names a value for each of its keys. In any order. */
  readonly tally: (
    collection: string,
    instance: number,
    key: string,
    within: Readonly<Record<string, Json>>,
  ) => TaskEither<PortFailure, readonly Tallied[]>
  readonly insert: (
    collection: string,
    instance: number,
    document: NewDocument,
  ) => TaskEither<WriteFailure, Document>
  readonly replace: (
    collection: string,
    instance: number,
    replacement: Replacement,
  ) => TaskEither<WriteFailure, Document>
  readonly remove: (
    collection: string,
    instance: number,
    id: string,
    version: number,
  ) => TaskEither<PortFailure | VersionConflict, void>
  /** Succeeds when the store can answer a read and take a write. */
  readonly check: () => TaskEither<PortFailure, void>
  /** Ends every use; writes that were under way have answered before it resolves. Idempotent. */
  readonly close: () => Promise<void>
}
