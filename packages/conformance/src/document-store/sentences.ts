/** The sentences of the port. Each is the title of the tests that check it. */

/** Those of the comment of `DocumentStore`. */
export const sentences = {
  readBack: 'A document that was inserted or replaced is read back equal, to the letter of every text.',
  durable:
    'A write that has returned is durable, and every later read sees it, in any process on the same data.',
  whole:
    'A write is applied completely or not at all: all its changes, with all appended documents, if none conflicts.',
  expectations: 'A write takes effect only if all its expectations hold at that moment.',
  noneSelected:
    'An expectation that no document is selected is about the documents after the changes of its write, and includes those of every earlier write that expected or changed a document which this write changes.',
  first: 'An inserted document has the version 1, or the one that it comes with; each replace adds 1.',
  size: 'The size of a document is the size of its value as JSON in UTF-8, without id, unique text or what a store adds; a store accepts documents up to its limit, and returns DocumentTooLarge above it.',
  keyTexts:
    'A unique text, a text under a key and an entry of a list under a key have at most 1024 bytes in UTF-8, all of which count in comparisons, one under a key that a group count is within at most 512, and those under the keys of one index at most 1536 together; a write with longer ones returns DocumentTooLarge.',
  replaces:
    'A replace requires the document: it never inserts one, and it never changes the position of a document.',
  failed:
    'A write that failed without `mayYetApply` has not been applied and never will be; one that failed with it has been applied completely, will be, or never will be.',
  full: 'A write that does not fit on the disk returns `storageFull` and changes nothing; reads still work, and so do removals if the store reserves space.',
  older:
    'A process with older declarations reads as before or gets PortFailure; a write of it fails with PortFailure, or is found under the newer keys by every store that is opened later.',
  appended:
    'An appended document becomes visible with the changes or shortly after them, never without them, and is never lost.',
  version: 'Of two writes with the same version, one returns VersionConflict and changes nothing.',
  unique:
    'Of two documents with the same unique text, the later returns UniqueConflict and changes nothing; a removed or replaced document frees its unique text.',
  apart: 'Documents of other instances are never read, never changed, and never cause a conflict.',
  exact: 'A query returns exactly the documents that meet all its filters.',
  ids: 'A query with ids returns only documents with these ids, and one with other ids none with those.',
  absent:
    'In a query an absent value, null and the empty text are one value, which sorts before every other value.',
  ordered: 'Texts are compared and sorted by code point, numbers by value, false before true.',
  texts:
    'A filter on a key of texts or intervals tests whether the list contains a text, a text of a range, or none of some texts; a list of other values, or no list, contains none.',
  intervals: 'A range with `endsAbove` contains the intervals that end after it.',
  alternatives:
    'An alternative is met if every filter of one of its groups is met; without a group it never is.',
  ties: 'Documents that are equal in the order are sorted by their positions, in the direction of the first key.',
  positions: 'A query without an order sorts by the positions, in either direction.',
  commitOrder:
    'In a collection in commit order, once a query without an order has returned a document inserted at the next position, none becomes visible to such queries at a lower position; these queries may find a document later than others do.',
  walk: 'Following `next` returns each document once, and every page costs the same.',
  limitedInBytes:
    'A page with a limit in bytes has at least one document, and ends once it has reached the limit.',
  detail: 'A light document has all attributes except the heavy ones; a full document has all.',
  textsQuery:
    'A query for texts returns each text of the range once for each document that contains it and meets all filters, by the text and then by the position of the document; following `next` returns each once, and every page costs the same.',
  count: 'A count is the number of selected documents, or its limit if there are more.',
  countedTexts:
    'A count of texts returns, for each text under a key of texts, or each value of a key of one text, how many selected documents have it.',
  sample:
    'A count of texts of more documents than it counts is made in a sample of them, the same in every store.',
  related:
    'A query for related documents and counts returns, in the sequence of the request, the existing documents among the ids of each collection, each once, and the counts of each group.',
  groupCount:
    'A group count returns, for each text, how many documents with the requested values have it; it includes every earlier write, and its cost grows with the number of texts, not of documents.',
  snapshot:
    'A snapshot has every write that had returned before it was requested, whole writes alone, and none that begins after it was returned.',
} as const

/** Those of the comment of `WordsCondition`. */
export const searchSentences = {
  folded: 'A word is found in every letter case and accent, and in no other word.',
  prefix: 'The last word of a query finds all words that begin with it, and no other word does.',
  phrase: 'A phrase is found where its words follow each other in one text.',
  linked:
    'Words that an apostrophe or a hyphen links are found as words and as one, and so is a term with both readings.',
  terms: 'A query finds documents that contain all its terms, in any order and in different texts.',
  markup: 'Words are found across tags within them, and not across elements that separate them.',
  scripts:
    'Words of scripts without spaces are found as Intl.Segmenter separates them, and right-to-left words like others.',
  levels: 'A document is found at the best level that contains all terms, and only there.',
  combined: 'Words combine with every filter and order, and following `next` returns each document once.',
  current:
    'The next query finds the words of an inserted or replaced document, and not those that it no longer has.',
  removed: 'A removed document is not found, and neither are documents of other instances.',
  long: 'A word is found wherever it is among thousands.',
  hostile: 'No word or term is an instruction to the store.',
  complete:
    'Documents that were stored before their attributes were searched are found once the store is open.',
} as const
