import { E, type Either } from '../fp.js'
import { joinedWords, visitWords } from './words.js'

/**
 * One part of a query: a word, or several words that follow each other in one text. Linked words have two readings, and
 * one of them has to be found. The last word of a term that is a prefix matches every word that begins with it.
 */
export type SearchTerm = { readonly readings: readonly (readonly string[])[]; readonly isPrefix: boolean }

export const searchLimits = {
  /** Characters of `q`. */
  characters: 1000,
  /** Words of `q`. */
  words: 32,
} as const

const phraseMarks = /["“”„«»]/

type Words = { readonly words: string[]; readonly links: number[] }

const termOf = ({ words, links }: Words, isPrefix: boolean): SearchTerm => ({
  readings: links.length === 0 ? [words] : [words, joinedWords(words, links)],
  isPrefix,
})

const wordsOf = (text: string): Words => {
  const words: string[] = []
  const links: number[] = []
  visitWords(text, ({ word, isLinked }) => {
    if (isLinked) links.push(words.length)
    words.push(word)
    return true
  })
  return { words, links }
}

/** Each word for itself, and linked ones together. */
const separate = ({ words, links }: Words): readonly Words[] => {
  const separated: Words[] = []
  for (const [at, word] of words.entries()) {
    const last = links.includes(at) ? separated.at(-1) : undefined
    if (last === undefined) separated.push({ words: [word], links: [] })
    else last.links.push(last.words.push(word) - 1)
  }
  return separated
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
    if (words.words.length === 0) return []
    if (index % 2 === 1 && index < unclosed) return [termOf(words, false)]
    const isLast = index === parts.length - 1
    return separate(words).map((each, i, { length }) => termOf(each, isLast && i === length - 1))
  })
  if (terms.length === 0) return E.left('must contain a word')
  if (terms.reduce((count, { readings: [words = []] }) => count + words.length, 0) > searchLimits.words)
    return E.left(`must contain at most ${searchLimits.words} words`)
  const distinct = new Map(terms.map((term) => [JSON.stringify(term), term]))
  return E.right([...distinct.values()])
}
