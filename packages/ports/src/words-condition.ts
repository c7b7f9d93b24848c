/** Conditions on words: rules that all stores share. */
import type { JsonObject } from '@publishing-service/domain/json'
import { bestLevel, searchedWords, type SearchedWords } from '@publishing-service/domain/search'
import type { Collection, WordsCondition } from './document-store.js'

type Searched = Pick<Collection, 'name' | 'searched'>

// Values of a store in memory are frozen, so the words of each are found once.
const cache = new WeakMap<JsonObject, SearchedWords>()

const wordsOf = (searched: NonNullable<Collection['searched']>, value: JsonObject): SearchedWords => {
  const known = cache.get(value)
  if (known !== undefined) return known
  const words = searchedWords(searched, value)
  if (Object.isFrozen(value)) cache.set(value, words)
  return words
}

/** The searched attributes of a collection. Throws if it has none, which is a defect of the caller. */
export const requireSearched = ({ name, searched = [] }: Searched): NonNullable<Collection['searched']> => {
  if (searched.length === 0) throw new Error(`Collection ${name} declares no searched attribute`)
  return searched
}

/** Whether a document meets the condition. */
export const matchesWords = (
  collection: Searched,
  { terms, best }: WordsCondition,
  value: JsonObject,
): boolean => {
  const level = bestLevel(wordsOf(requireSearched(collection), value), terms)
  return level !== null && (best === undefined || level === best)
}
