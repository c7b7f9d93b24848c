import { E, type Either } from '../fp.js'
import { visitWords } from './words.js'

/**
 * One part of a query: a word, or several words that follow each other in one text. The last word of a term that is a
 * prefix matches every word that begins with it.
 */
export type SearchTerm = { readonly words: readonly string[]; readonly isPrefix: boolean }

export const searchLimits = {
  /** Characters of `q`. */
  characters: 1000,
  /** Words of `q`. */
  words: 32,
} as const

const phraseMarks = /["“”„«»]/

const wordsOf = (text: string): readonly string[] => {
  const words: string[] = []
  visitWords(text, ({ word }) => words.push(word) > 0)
  return words
}

/**
 * The terms of `q`: words in any order, phrases in quotation marks, and the last word as a prefix unless it is in a
 * phrase. A quotation mark without another one after it has no meaning.
 */
export const parseSearchTerms = (text: string): Either<string, readonly SearchTerm[]> => {
  if (text.length > searchLimits.characters)
    return E.left(`must have at most ${searchLimits.characters} characters`)
  const parts = text.split(phraseMarks)
  // An even number of parts has an odd number of marks, of which the last one is not closed.
  const unclosed = parts.length % 2 === 0 ? parts.length - 1 : parts.length
  const terms = parts.flatMap((part, index): readonly SearchTerm[] => {
    const words = wordsOf(part)
    if (words.length === 0) return []
    return index % 2 === 1 && index < unclosed
      ? [{ words, isPrefix: false }]
      : words.map((word, i) => ({
          words: [word],
          isPrefix: index === parts.length - 1 && i === words.length - 1,
        }))
  })
  if (terms.length === 0) return E.left('must contain a word')
  if (terms.reduce((count, { words }) => count + words.length, 0) > searchLimits.words)
    return E.left(`must contain at most ${searchLimits.words} words`)
  const distinct = new Map(terms.map((term) => [JSON.stringify(term), term]))
  return E.right([...distinct.values()])
}
