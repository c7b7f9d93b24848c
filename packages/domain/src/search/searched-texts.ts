import { bodySchema } from '../markup/body-schema.js'
import type { Json, JsonObject } from '../json.js'
import type { SearchTerm } from './search-terms.js'
import { joinedTexts, visitWords } from './words.js'

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
