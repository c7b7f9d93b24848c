/**
 * The sentences of the document store's port, word for word: each titles the tests that hold a store to it.
 * test/src/documentation/conformance.test.ts compares them with the port's doc comment.
 */
export const sentences = {
  readBack: 'A document that was inserted or replaced is read back equal, to the letter of every text.',
  durable:
    'A write that has answered is durable, and every later read sees it, in any process on the same data.',
  whole: 'A write applies whole or not at all.',
  size: "A document's size is the bytes of its value as JSON text in UTF-8, without its id, its unique text or what a store adds; a store takes documents up to its limit, and answers DocumentTooLarge above it.",
  keyTexts:
    'A unique text, a text under a key and an entry of a list under a key have at most 1024 bytes in UTF-8, all of which count in comparisons; a write with a longer one is answered DocumentTooLarge.',
  replaces:
    'A replace needs a document: it never inserts one, and it never changes the place of a document among the insertions.',
  failed:
    'A write that failed without `mayYetApply` has not been applied and never will be; one that failed with it has been applied whole, will be, or not at all.',
  full: 'A write that finds no room answers `storageFull` and changes nothing; reads go on, and so do removals and urgent writes where the store holds space back.',
  urgent: 'An urgent write is like any other where there is room.',
  older:
    'A write by a process with older declarations fails with PortFailure, or is found under the newer keys by every store that is opened later.',
  version: 'Of two writes that name the same version, one answers with VersionConflict and changes nothing.',
  unique:
    'Of two documents with the same unique text, the later answers with UniqueConflict and changes nothing; a removed or replaced document frees its unique text.',
  apart: 'Nothing of another instance is ever read, changed or in the way.',
  exact: 'A query gives exactly the documents that all its filters hold for.',
  absent:
    'To a query an absent value, null and the empty text are one value; it comes before every other value.',
  ordered: 'Text is compared and ordered by code point, numbers by size, false before true.',
  texts: 'A key of texts is asked whether its list has a text; a list of other things, or none, has no text.',
  alternatives:
    'An alternative holds where every filter of one of its groups holds; without a group it never does.',
  ties: 'Documents that the order leaves equal come in the order of their insertion, whatever the direction.',
  asked:
    'Insertions that one process asks for without waiting for each other come in the order in which it asked.',
  walk: 'Walking a result by `next` gives each document once, and costs the same for every page.',
  limitedInBytes:
    'A page that is limited in bytes holds one document at least, and no more once it has reached the limit.',
  detail: 'A light document has every attribute but the heavy ones; a full document has them all.',
  tally:
    'A tally gives, for each text that some document has, how many documents with the asked values have it; it follows every write at once, and its cost grows with the number of texts, not of documents.',
} as const
