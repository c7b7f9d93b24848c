import { E, type Either } from '../fp.js'
import { joinedWords, visitWords, joinedTexts } from './words.js'
import { bodySchema } from '../markup/body-schema.js'
import { isJsonList, type Json, type JsonObject } from '../json.js'

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

const inlineElements = new Set(
  bodySchema.elements.filter(({ category }) => category === 'inline').map(({ name }) => name),
)

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const tagsAndReferences =
  /<!--[^]*?-->|<\/?([a-z][a-z0-9]*)(?:"[^"]*"|'[^']*'|[^"'>])*>|&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi

const characterAt = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : ' ')

/** The text of valid markup. Tags of inline elements are inside words, and other tags between them. */
export const plainText = (markup: string): string =>
  markup.replace(tagsAndReferences, (match, ...groups) => {
    // Named groups take twice as long.
    const [element, decimal, hexadecimal, name]: readonly (string | undefined)[] = groups
    if (element !== undefined)
      return inlineElements.has(element.toLowerCase()) && element.toLowerCase() !== 'br' ? '' : ' '
    if (decimal !== undefined) return characterAt(Number(decimal))
    if (hexadecimal !== undefined) return characterAt(Number.parseInt(hexadecimal, 16))
    return name === undefined ? '' : (characters[name] ?? match)
  })

/** How much a text says about its object: the title most. */
export const searchLevels = ['title', 'description', 'body'] as const

export type SearchLevel = (typeof searchLevels)[number]

/** An attribute that search reads: a text, a list of texts, or markup. */
export type SearchedAttribute = {
  readonly name: string
  readonly level: SearchLevel
  readonly isMarkup: boolean
}

/** The words of each text of a level; a text with linked words has further texts, in which they are joined. */
export type SearchedWords = Readonly<Record<SearchLevel, readonly (readonly string[])[]>>

/** Words of a document that are searched; the rest of a longer one is not found. */
const maxSearchedWords = 100_000

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return isJsonList(value) ? value.flatMap(textsIn) : []
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
    const links: number[] = []
    if (remaining > 0)
      visitWords(text, ({ word, isLinked }) => {
        if (isLinked) links.push(words.length)
        return words.push(word) < remaining
      })
    remaining -= words.length
    if (words.length > 0) found[level].push(words, ...joinedTexts(words, links))
  }
  return found
}

/** Whether the words of a reading are those of a text from a position on. */
export const occursAt = (
  words: readonly string[],
  wanted: readonly string[],
  isPrefix: boolean,
  at: number,
): boolean =>
  wanted.every((word, i) =>
    isPrefix && i === wanted.length - 1 ? words[at + i]?.startsWith(word) === true : words[at + i] === word,
  )

/** Whether a text with these words contains the term. */
const hasTerm = (words: readonly string[], { readings, isPrefix }: SearchTerm): boolean =>
  readings.some((wanted) => words.some((_, at) => occursAt(words, wanted, isPrefix, at)))

/** The first level that contains all terms, together with the levels before it; null if they are not all contained. */
export const bestLevel = (words: SearchedWords, terms: readonly SearchTerm[]): SearchLevel | null => {
  const read: (readonly string[])[] = []
  for (const level of searchLevels) {
    read.push(...words[level])
    if (terms.every((term) => read.some((each) => hasTerm(each, term)))) return level
  }
  return null
}
