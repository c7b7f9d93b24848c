import type { TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from './port-failure.js'

export type SearchProgress = {
  /** Whether no entry is missing or outdated. */
  readonly isCurrent: boolean
  /** About how many documents have been compared, and how many there are. */
  readonly done: number
  readonly total: number
}

/**
 * The index by which a document store finds words. A write of a document writes its entry in the same step. What
 * queries find is defined by `Query`, and the conformance suite tests each sentence.
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
 * - Documents that were stored before their attributes were searched are found once the index is complete.
 */
export type SearchIndex = {
  /** Whether queries find every document. At most one read, because each search calls it. */
  readonly isComplete: (collection: string) => TaskEither<PortFailure, boolean>
  /** Adds or corrects the entries of some documents. Repeated until the index is current, it also repairs the index. */
  readonly index: (collection: string) => TaskEither<PortFailure, SearchProgress>
  /** Removes all entries, so that `index` makes them again. */
  readonly remove: (collection: string) => TaskEither<PortFailure, void>
}
