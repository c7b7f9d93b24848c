/** The words of texts and of queries. */
export { foldingVersion } from '../value/folding-version.js'
export { maxWordLength } from '../search/words.js'
export {
  parseSearchTerms,
  searchLimits,
  type SearchTerm,
  bestLevel,
  searchedTexts,
  searchedWords,
  searchLevels,
  type SearchedAttribute,
  type SearchedWords,
  type SearchLevel,
} from '../search/searched-texts.js'
