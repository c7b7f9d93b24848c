/**
 * The tokens by which an index finds words. A token is a letter, and a word or the beginning of one. The letter is that
 * of a level, and the words of a level are also in those after it. So the documents of a level are those that contain all
 * words at this level. Words have only letters and digits.
 */
import type { JsonObject } from '@publishing-service/domain/json'
import {
  searchedWords,
  searchLevels,
  type SearchedAttribute,
  type SearchedWords,
  type SearchLevel,
} from '@publishing-service/domain/search'

/** Beginnings of words with one and two characters are tokens; fewer words begin with longer ones. */
const prefixLength = 2

const wordLetters: Readonly<Record<SearchLevel, string>> = { title: 'a', description: 'b', body: 'c' }
const prefixLetters: Readonly<Record<SearchLevel, string>> = { title: 'p', description: 'q', body: 'r' }

export const wordToken = (level: SearchLevel, word: string): string => `${wordLetters[level]}${word}`

/** The token of all words with this beginning. */
export const prefixToken = (level: SearchLevel, prefix: string): string => `${prefixLetters[level]}${prefix}`

/** Whether a beginning is short enough to be a token. */
export const isPrefixToken = (prefix: string): boolean => [...prefix].length <= prefixLength

/** The position after the character at a position, in UTF-16 units. */
const positionAfter = (text: string, at: number): number =>
  at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

const firstCharacter = (word: string): string => word.slice(0, positionAfter(word, 0))
const firstTwoCharacters = (word: string): string =>
  word.slice(0, positionAfter(word, positionAfter(word, 0)))

const isAdded = (texts: Set<string>, text: string): boolean => {
  const { size } = texts
  return texts.add(text).size > size
}

/** A word of an instance in the vocabulary of a collection: all words that were ever in its documents. */
export const vocabularyEntry = (instance: number, word: string): string => `${instance} ${word}`

/** The entries of words with a prefix: from the first bound, before the second. */
export const vocabularyRange = (instance: number, prefix: string): readonly [string, string] => {
  const first = vocabularyEntry(instance, prefix)
  return [first, `${first}\u{10ffff}`]
}

export const wordOfEntry = (entry: string): string => entry.slice(entry.indexOf(' ') + 1)

/** What is found at a level: the words of its texts and of those of the levels before it, and their beginnings. */
export type LevelWords = {
  readonly level: SearchLevel
  /** The words of each text, in its order. */
  readonly texts: readonly (readonly string[])[]
  readonly prefixes: readonly string[]
}

export type WordsByLevel = {
  readonly levels: readonly LevelWords[]
  readonly words: ReadonlySet<string>
}

/** The words that are found at each level, and all of them. */
export const foundByLevel = (own: SearchedWords): WordsByLevel => {
  const texts: (readonly string[])[] = []
  const words = new Set<string>()
  const prefixes = new Set<string>()
  const levels = searchLevels.map((level): LevelWords => {
    for (const text of own[level]) {
      texts.push(text)
      for (const word of text) {
        if (isAdded(words, word) && isAdded(prefixes, firstTwoCharacters(word)))
          prefixes.add(firstCharacter(word))
      }
    }
    return { level, texts: [...texts], prefixes: [...prefixes] }
  })
  return { levels, words }
}

/** The words of a document that are found at each level, and all of them. */
export const wordsByLevel = (searched: readonly SearchedAttribute[], value: JsonObject): WordsByLevel =>
  foundByLevel(searchedWords(searched, value))
