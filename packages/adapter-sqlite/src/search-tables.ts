/**
 * The tables by which words are found. An FTS5 table has one row of tokens for each document, under its sequence number.
 * It stores no texts. A token is the number of the instance, a letter, and a word or the beginning of one. The letter
 * is that of a level, and the words of a level are also in those after it. So no token is found in another instance, and
 * the documents of a level are those that contain all words at this level.
 */
import {
  searchedWords,
  searchLevels,
  type JsonObject,
  type SearchedAttribute,
  type SearchLevel,
} from '@publishing-service/domain'
import { plainName, quoted } from './key-column.js'

export type SearchTables = {
  readonly searched: readonly SearchedAttribute[]
  /** Everything that entries depend on: if it changes, they are made again. */
  readonly declaration: string
  /** The quoted names of the FTS5 table, of the table with the version of each entry, and of that with all words. */
  readonly tokens: string
  readonly entries: string
  readonly vocabulary: string
  /** The statements that create the tables. */
  readonly create: readonly string[]
}

/** Incremented when other tokens are made of the same texts. */
const tokensVersion = 1

/** Beginnings of words with one and two characters are tokens; fewer words begin with longer ones. */
export const prefixLength = 2

const wordLetters: Readonly<Record<SearchLevel, string>> = { title: 'a', description: 'b', body: 'c' }
const prefixLetters: Readonly<Record<SearchLevel, string>> = { title: 'p', description: 'q', body: 'r' }

export const wordToken = (instance: number, level: SearchLevel, word: string): string =>
  `${instance}${wordLetters[level]}${word}`

export const prefixToken = (instance: number, level: SearchLevel, prefix: string): string =>
  `${instance}${prefixLetters[level]}${prefix}`

/** A word in the vocabulary. */
export const vocabularyEntry = (instance: number, word: string): string => `${instance} ${word}`

/** Separates texts, so that no phrase is found across them. */
const separator = 'z '

/** The number of code units of the character at a position. */
const firstLength = (word: string, at = 0): number => ((word.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

/** The tokens of a document, and its words. */
export const tokensOf = (
  searched: readonly SearchedAttribute[],
  instance: number,
  value: JsonObject,
): { readonly tokens: string; readonly words: ReadonlySet<string> } => {
  const byLevel = searchedWords(searched, value)
  const texts: (readonly string[])[] = []
  const words = new Set<string>()
  const prefixes = new Set<string>()
  let tokens = ''
  for (const level of searchLevels) {
    texts.push(...byLevel[level])
    const letter = wordToken(instance, level, '')
    for (const text of texts) {
      for (const word of text) {
        tokens += `${letter}${word} `
      }
      tokens += separator
    }
    for (const text of byLevel[level])
      for (const word of text) {
        if (words.has(word)) continue
        words.add(word)
        const length = firstLength(word)
        prefixes.add(word.slice(0, length))
        prefixes.add(word.slice(0, length + firstLength(word, length)))
      }
    const prefixLetter = prefixToken(instance, level, '')
    for (const prefix of prefixes) tokens += prefixLetter + prefix + ' '
  }
  return { tokens, words }
}

type Names = Pick<SearchTables, 'tokens' | 'entries' | 'vocabulary'> & { readonly trigger: string }

const namesOf = (collection: string): Names => {
  const name = `search.${plainName(collection)}`
  return {
    tokens: quoted(`${name}.tokens`),
    entries: quoted(`${name}.entries`),
    vocabulary: quoted(`${name}.vocabulary`),
    trigger: quoted(`${name} delete`),
  }
}

/** The statements that drop the tables of a collection if they exist. */
export const dropSearchTables = (collection: string): readonly string[] => {
  const { trigger, tokens, entries, vocabulary } = namesOf(collection)
  return [
    `DROP TRIGGER IF EXISTS ${trigger}`,
    ...[tokens, entries, vocabulary].map((table) => `DROP TABLE IF EXISTS ${table}`),
  ]
}

/** The tables of a collection; null if it has no searched attribute. */
export const searchTables = (
  collection: string,
  documents: string,
  searched: readonly SearchedAttribute[] = [],
): SearchTables | null => {
  if (searched.length === 0) return null
  const { tokens, entries, vocabulary, trigger } = namesOf(collection)
  return {
    searched,
    declaration: JSON.stringify([tokensVersion, searched]),
    tokens,
    entries,
    vocabulary,
    create: [
      `CREATE VIRTUAL TABLE ${tokens} USING fts5(tokens, content='', contentless_delete=1, tokenize='ascii')`,
      // With the defaults of 4 and 10, FTS5 merges so often that a write takes twice as long.
      `INSERT INTO ${tokens} (${tokens}, rank) VALUES ('automerge', 8)`,
      `INSERT INTO ${tokens} (${tokens}, rank) VALUES ('deletemerge', 40)`,
      `CREATE TABLE ${entries} (sequence INTEGER PRIMARY KEY, version INTEGER NOT NULL, digest TEXT NOT NULL)`,
      `CREATE TABLE ${vocabulary} (word TEXT PRIMARY KEY) WITHOUT ROWID`,
      `CREATE TRIGGER ${trigger} AFTER DELETE ON ${quoted(documents)} BEGIN DELETE FROM ${tokens} WHERE rowid = OLD.sequence; DELETE FROM ${entries} WHERE sequence = OLD.sequence; END`,
    ],
  }
}
