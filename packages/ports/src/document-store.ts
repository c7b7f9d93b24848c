import type { TaskEither } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Filter, Order, TextRange } from '@publishing-service/domain/filters'
import type { SearchedAttribute, SearchLevel, SearchTerm } from '@publishing-service/domain/search'
import type { PortFailure } from './port-failure.js'

export type { Filter, KeyFilter, Order } from '@publishing-service/domain/filters'

/**
 * What a store knows of a collection, derived from the declaration of the resource. Collections are declared when the
 * store is opened. The store then migrates its schema to new collections and keys.
 */
export type Collection = {
  readonly name: string
  /** Top-level attributes that can be long. `light` documents do not contain them. */
  readonly heavy: readonly string[]
  /** Top-level attributes that a query may filter by, with the type of their values; the plain types also order. */
  readonly keys: Readonly<Record<string, KeyType>>
  /**
   * The indexes that queries need, as sequences of keys: those that filters fix first, then the order, which is read in
   * both directions. The instance is implied before them, and the position after them. A sequence has at most one key of
   * texts or intervals, at the start. A store needs no other index, except for ids, unique texts and positions.
   */
  readonly indexes: readonly (readonly string[])[]
  /** The group counts that queries use. */
  readonly groupCounts: readonly GroupCount[]
  /** The attributes whose words queries find; none by default. */
  readonly searched?: readonly SearchedAttribute[]
  /** Whether documents are inserted at the next position, in the order of commits; no by default. */
  readonly inCommitOrder?: true
}

/**
 * The next position in the order of commits, in a collection that is declared so: above all positions that the collection has
 * or had. A store that does not know which it had uses the number if that is higher.
 */
export type NextPosition = { readonly atLeast: number }

/**
 * `texts` is a list of texts; entries that are empty or not texts are ignored, and duplicates count once. `intervals` are
 * texts whose end is what follows their first space; a text without a space has no end. A text under a key has at most
 * `maxKeyTextBytes` bytes, or half of that if a group count is within the key, and the texts under the keys of one index have
 * at most `maxIndexTextBytes` together.
 */
export type KeyType = 'text' | 'number' | 'boolean' | 'texts' | 'intervals'

/** Counts documents by the texts of a key of texts, separately for the values of other keys, which are plain. */
export type GroupCount = { readonly key: string; readonly within: readonly string[] }

/** The number of documents that have a text. */
export type TextCount = { readonly text: string; readonly count: number }

export type Document = {
  /** Identifies the document in its collection and instance; at most 200 characters. */
  readonly id: string
  /** 1 after the insertion; each replace adds one. */
  readonly version: number
  readonly position: number
  /** `unreadable` if the stored document is damaged; it must not be used as a value. */
  readonly value: JsonObject
}

export type NewDocument = {
  readonly id: string
  /** The version that it gets, such as one after the last of a removed document; 1 by default. */
  readonly version?: number
  /**
   * Its place in the order of insertion: a positive safe integer. If another document of the collection has the position, a
   * store may use the next free one.
   */
  readonly position: number | NextPosition
  /**
   * A text that is unique in the collection and instance, at most `maxKeyTextBytes` bytes; null if there is no such
   * rule.
   */
  readonly unique: string | null
  readonly value: JsonObject
}

export type Replacement = Omit<NewDocument, 'position' | 'version'> & {
  /** The version that was read. */
  readonly version: number
}

/** The change of one document of a collection. */
export type DocumentChange =
  | { readonly kind: 'insert'; readonly document: NewDocument }
  | { readonly kind: 'replace'; readonly document: Replacement }
  /** The version that was read. */
  | { readonly kind: 'remove'; readonly id: string; readonly version: number }

/** What must hold when a write takes effect. */
export type Expectation =
  /** The document has this version; null if it must only exist. */
  | { readonly kind: 'expect'; readonly id: string; readonly version: number | null }
  /** No document is selected, after the changes of the write. */
  | { readonly kind: 'expect none'; readonly selection: Omit<Selection, 'words'> }

/** A part of a write: the change of a document, or an expectation. */
export type Change = { readonly collection: string } & (DocumentChange | Expectation)

/** The most changes and expectations of one write. */
export const maxChanges = 500

/** A document that is inserted with the changes of a write; its id is new, and it has no unique text. */
export type Appended = {
  readonly collection: string
  readonly instance: number
  readonly document: NewDocument & { readonly unique: null }
}

/**
 * A place in the result of a query, as plain JSON. Only stores of the same kind can read it. Clients hold cursors, so a store
 * rejects with InvalidCursor what no query of the same filters and order can have returned, as far as it can tell.
 */
export type Cursor = Json

/** The most bytes of the JSON of documents that are appended with one write, together. */
export const maxAppendedBytes = 1024 * 1024

/**
 * Selects documents that contain all terms. A term is in a document if the words of one of its texts contain one of its
 * readings. `best` selects those in which the first level that contains all terms, together with the levels before it, is
 * this one. The conformance suite tests each sentence.
 *
 * - A word is found in every letter case and accent, and in no other word.
 * - The last word of a query finds all words that begin with it, and no other word does.
 * - A phrase is found where its words follow each other in one text.
 * - Words that an apostrophe or a hyphen links are found as words and as one, and so is a term with both readings.
 * - A query finds documents that contain all its terms, in any order and in different texts.
 * - Words are found across tags within them, and not across elements that separate them.
 * - Words of scripts without spaces are found as Intl.Segmenter separates them, and right-to-left words like others.
 * - A document is found at the best level that contains all terms, and only there.
 * - Words combine with every filter and order, and following `next` returns each document once.
 * - The next query finds the words of an inserted or replaced document, and not those that it no longer has.
 * - A removed document is not found, and neither are documents of other instances.
 * - A word is found wherever it is among thousands.
 * - No word or term is an instruction to the store.
 * - Documents that were stored before their attributes were searched are found once the store is open.
 */
export type WordsCondition = { readonly terms: readonly SearchTerm[]; readonly best?: SearchLevel }

/** Selects documents. */
export type Selection = {
  /** A document must meet all of them. */
  readonly where: readonly Filter[]
  /** Words that a document must contain, in a collection with searched attributes. */
  readonly words?: WordsCondition
  /** Only documents with one of these ids; at most 1000. */
  readonly ids?: readonly string[]
  /** No document with one of these ids; at most 1000. */
  readonly notIds?: readonly string[]
}

export type Query = Selection & {
  readonly order: readonly Order[]
  /** The direction of the positions if there is no order; ascending by default. */
  readonly insertion?: Order['direction']
  /** Only documents with at least this position. */
  readonly from?: number
  /** Start after this place; `skip` counts from there. */
  readonly after?: Cursor
  readonly skip: number
  /** 1 to 1000. */
  readonly limit: number
  /** The page ends early once its documents have this many bytes of JSON, and `next` is set. Unlimited by default. */
  readonly bytes?: number
  readonly detail: 'light' | 'full'
}

export type Page = {
  readonly documents: readonly Document[]
  /** The place after the last document if more follow, else null. */
  readonly next: Cursor | null
}

/** Selects the texts of lists under a key of texts or intervals, each with its document. */
export type TextsQuery = {
  readonly key: string
  readonly range: TextRange
  /** A document must meet all of them. */
  readonly where: readonly Filter[]
  /** Start after this place; `skip` counts from there. */
  readonly after?: Cursor
  readonly skip: number
  /** 1 to 1000. */
  readonly limit: number
  readonly detail: 'light' | 'full'
}

/** Documents of a collection by their ids; at most 1000 ids. */
export type NamedDocuments = {
  readonly collection: string
  readonly ids: readonly string[]
  readonly detail: 'light' | 'full'
}

/** A declared group count of a collection. `within` has a value for each of its other keys. */
export type CountedGroup = {
  readonly collection: string
  readonly key: string
  readonly within: Readonly<Record<string, Json>>
}

/** What views of objects need of others. */
export type Related = {
  readonly documents: readonly NamedDocuments[]
  readonly counts: readonly CountedGroup[]
}

/** What was found, in the sequence of the request. */
export type FoundRelated = {
  /** The documents of each collection, in any order. */
  readonly documents: readonly (readonly Document[])[]
  /** The counts of each group, in any order. */
  readonly counts: readonly (readonly TextCount[])[]
}

/** Counts of texts in a sample of the selected documents. */
export type CountedTexts = {
  /** The sample has one in so many of the selected documents; 1 for all. */
  readonly oneIn: number
  /** The number of documents in the sample. */
  readonly documents: number
  /** The texts under each key, in any order. */
  readonly texts: readonly (readonly TextCount[])[]
}

export type TextsPage = {
  readonly texts: readonly { readonly text: string; readonly document: Document }[]
  /** The place after the last text if more follow, else null. */
  readonly next: Cursor | null
}

/**
 * The id exists already (insert), the document is removed or has another version (replace, remove, expect), or a document
 * is selected (expect none). `change` is the number of the change among those of the write, from 0; with several conflicts,
 * that of one of them.
 */
export type VersionConflict = { readonly _tag: 'VersionConflict'; readonly change: number }
/** Another document of the collection and instance has the unique text of the change with this number. */
export type UniqueConflict = { readonly _tag: 'UniqueConflict'; readonly change: number }
/** The document, or a text of its keys, is larger than allowed; the limit is in bytes. */
export type DocumentTooLarge = { readonly _tag: 'DocumentTooLarge'; readonly limit: number }

export type WriteFailure = PortFailure | VersionConflict | UniqueConflict | DocumentTooLarge

/**
 * The documents of a moment, which are read while others write. It needs resources of the store, so it is closed soon, and at the
 * latest with its store.
 */
export type Snapshot = {
  /** Whether it has one moment. Else its documents are those of the moments at which they are read. */
  readonly isOneMoment: boolean
  readonly get: DocumentStore['get']
  readonly find: (
    collection: string,
    instance: number,
    query: Omit<Query, 'words'>,
  ) => TaskEither<PortFailure, Page>
  /** Idempotent. */
  readonly close: () => Promise<void>
}

/**
 * Stores documents in collections, separately for each instance. The conformance suite tests each sentence.
 *
 * - A document that was inserted or replaced is read back equal, to the letter of every text.
 * - A write that has returned is durable, and every later read sees it, in any process on the same data.
 * - A write is applied completely or not at all: all its changes, with all appended documents, if none conflicts.
 * - A write takes effect only if all its expectations hold at that moment.
 * - An expectation that no document is selected is about the documents after the changes of its write, and includes those
 *   of every earlier write that expected or changed a document which this write changes.
 * - An inserted document has the version 1, or the one that it comes with; each replace adds 1.
 * - The size of a document is the size of its value as JSON in UTF-8, without id, unique text or what a store adds; a
 *   store accepts documents up to its limit, and returns DocumentTooLarge above it.
 * - An appended document becomes visible with the changes or shortly after them, never without them, and is never lost.
 * - A unique text, a text under a key and an entry of a list under a key have at most 1024 bytes in UTF-8, all of
 *   which count in comparisons, one under a key that a group count is within at most 512, and those under the keys of one
 *   index at most 1536 together; a write with longer ones returns DocumentTooLarge.
 * - Of two writes with the same version, one returns VersionConflict and changes nothing.
 * - Of two documents with the same unique text, the later returns UniqueConflict and changes nothing; a removed or
 *   replaced document frees its unique text.
 * - A replace requires the document: it never inserts one, and it never changes the position of a document.
 * - A write that failed without `mayYetApply` has not been applied and never will be; one that failed with it has
 *   been applied completely, will be, or never will be.
 * - A write that does not fit on the disk returns `storageFull` and changes nothing; reads still work, and so do
 *   removals if the store reserves space.
 * - A process with older declarations reads as before or gets PortFailure; a write of it fails with PortFailure, or is
 *   found under the newer keys by every store that is opened later.
 * - Documents of other instances are never read, never changed, and never cause a conflict.
 * - A query returns exactly the documents that meet all its filters.
 * - A query with ids returns only documents with these ids, and one with other ids none with those.
 * - In a query an absent value, null and the empty text are one value, which sorts before every other value.
 * - Texts are compared and sorted by code point, numbers by value, false before true.
 * - A filter on a key of texts or intervals tests whether the list contains a text, a text of a range, or none of some
 *   texts; a list of other values, or no list, contains none.
 * - A range with `endsAbove` contains the intervals that end after it.
 * - An alternative is met if every filter of one of its groups is met; without a group it never is.
 * - Documents that are equal in the order are sorted by their positions, in the direction of the first key.
 * - A query without an order sorts by the positions, in either direction.
 * - In a collection in commit order, once a query without an order has returned a document inserted at the next position,
 *   none becomes visible to such queries at a lower position; these queries may find a document later than others do.
 * - Following `next` returns each document once, and every page costs the same.
 * - A page with a limit in bytes has at least one document, and ends once it has reached the limit.
 * - A light document has all attributes except the heavy ones; a full document has all.
 * - A query for texts returns each text of the range once for each document that contains it and meets all filters, by
 *   the text and then by the position of the document; following `next` returns each once, and every page costs the same.
 * - A query for related documents and counts returns, in the sequence of the request, the existing documents among the
 *   ids of each collection, each once, and the counts of each group.
 * - A group count returns, for each text, how many documents with the requested values have it; it includes every
 *   earlier write, and its cost grows with the number of texts, not of documents.
 * - A count is the number of selected documents, or its limit if there are more.
 * - A count of texts returns, for each text under a key of texts, or each value of a key of one text, how many selected
 *   documents have it.
 * - A count of texts of more documents than it counts is made in a sample of them, the same in every store.
 * - A snapshot has every write that had returned before it was requested, whole writes alone, and none that begins after it
 *   was returned.
 */
export type DocumentStore = {
  readonly get: (collection: string, instance: number, id: string) => TaskEither<PortFailure, Document | null>
  /** Documents by their ids, and group counts. A store on a server reads all of them in one round trip. */
  readonly getRelated: (instance: number, related: Related) => TaskEither<PortFailure, FoundRelated>
  readonly find: (collection: string, instance: number, query: Query) => TaskEither<PortFailure, Page>
  readonly findTexts: (
    collection: string,
    instance: number,
    query: TextsQuery,
  ) => TaskEither<PortFailure, TextsPage>
  /** The number of documents, up to a limit of at most 100 000. */
  readonly count: (
    collection: string,
    instance: number,
    selection: Selection,
    limit: number,
  ) => TaskEither<PortFailure, number>
  /**
   * The texts of documents under some keys: of all that are selected if these are at most about `most`, else of a sample, whose
   * size is between half of it and all of it (`sampleFor`).
   */
  readonly countTexts: (
    collection: string,
    instance: number,
    keys: readonly string[],
    selection: Selection,
    most: number,
  ) => TaskEither<PortFailure, CountedTexts>
  /**
   * Makes 1 to `maxChanges` changes, each of another document and another unique text, with all documents that are appended.
   * Returns what is stored then, in the sequence of the changes: the document, or null if it is removed or expected.
   * Appended documents are not larger than `maxAppendedBytes` together; DocumentTooLarge concerns a change.
   */
  readonly write: (
    instance: number,
    changes: readonly Change[],
    appended: readonly Appended[],
  ) => TaskEither<WriteFailure, readonly (Document | null)[]>
  readonly snapshot: () => TaskEither<PortFailure, Snapshot>
  /** Succeeds if the store can read and write. */
  readonly check: () => TaskEither<PortFailure, void>
  /** Closes the store. Resolves after current writes have returned. Idempotent. */
  readonly close: () => Promise<void>
}
