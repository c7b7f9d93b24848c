import type { Json, JsonObject } from '../json.js'
import { plainText } from './plain-text.js'
import type { SearchTerm } from './search-terms.js'
import { visitWords } from './words.js'

/** How much a text says about its object: the title most. */
export const searchLevels = ['title', 'description', 'body'] as const

export type SearchLevel = (typeof searchLevels)[number]

/** An attribute that search reads: a text, a list of texts, or markup. */
export type SearchedAttribute = {
  readonly name: string
  readonly level: SearchLevel
  readonly isMarkup: boolean
}

/** The words of each text of a level. */
export type SearchedWords = Readonly<Record<SearchLevel, readonly (readonly string[])[]>>

/** Words of a document that are searched; the rest of a longer one is not found. */
export const maxSearchedWords = 100_000

const isList = (json: Json): json is readonly Json[] => Array.isArray(json)

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return isList(value) ? value.flatMap(textsIn) : []
}

/** The texts of a document that are searched, without markup, the most significant first. */
export const searchedTexts = (
  searched: readonly SearchedAttribute[],
  value: JsonObject,
): readonly { readonly level: SearchLevel; readonly text: string }[] =>
  searchLevels.flatMap((level) =>
    searched
      .filter((each) => each.level === level)
      .flatMap(({ name, isMarkup }) =>
        textsIn(value[name] ?? null).map((text) => ({ level, text: isMarkup ? plainText(text) : text })),
      ),
  )

export const searchedWords = (searched: readonly SearchedAttribute[], value: JsonObject): SearchedWords => {
  const found: Record<SearchLevel, (readonly string[])[]> = { title: [], description: [], body: [] }
  let remaining = maxSearchedWords
  for (const { level, text } of searchedTexts(searched, value)) {
    const words: string[] = []
    if (remaining > 0) visitWords(text, ({ word }) => words.push(word) < remaining)
    remaining -= words.length
    if (words.length > 0) found[level].push(words)
  }
  return found
}

const occursAt = (words: readonly string[], { words: wanted, isPrefix }: SearchTerm, at: number): boolean =>
  wanted.every((word, i) =>
    isPrefix && i === wanted.length - 1 ? words[at + i]?.startsWith(word) === true : words[at + i] === word,
  )

/** Whether a text with these words contains the term. */
const hasTerm = (words: readonly string[], term: SearchTerm): boolean =>
  words.some((_, at) => occursAt(words, term, at))

/** The first level that contains all terms, together with the levels before it; null if they are not all contained. */
export const bestLevel = (words: SearchedWords, terms: readonly SearchTerm[]): SearchLevel | null => {
  const read: (readonly string[])[] = []
  for (const level of searchLevels) {
    read.push(...words[level])
    if (terms.every((term) => read.some((each) => hasTerm(each, term)))) return level
  }
  return null
}
