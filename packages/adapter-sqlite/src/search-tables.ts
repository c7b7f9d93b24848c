/**
 * The tables by which words are found. An FTS5 table has one row of tokens for each document, under its sequence number.
 * It stores no texts. Each token begins with the number of the instance, so no search reads entries of another instance.
 */
// The writer, which is a thread of its own, loads no more of these packages than it needs.
import { foldingVersion, type SearchedAttribute } from '@publishing-service/domain/search'
import { type LevelWords, prefixToken, wordToken } from '@publishing-service/ports/search-tokens'
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

/** Incremented when other tokens are made of the same words. */
const tokensVersion = 1

/** A token that no other instance has. */
export const instanceToken = (instance: number, token: string): string => `${instance}${token}`

/** Separates texts, so that no phrase is found across them. */
const separator = 'z'

/** The tokens of a document, as FTS5 reads them. */
export const tokensText = (instance: number, levels: readonly LevelWords[]): string =>
  levels
    .flatMap(({ level, texts, prefixes }) => {
      const joined = (letter: string, words: readonly string[]): string => letter + words.join(` ${letter}`)
      const word = instanceToken(instance, wordToken(level, ''))
      const prefix = instanceToken(instance, prefixToken(level, ''))
      const all = texts.map((text) => joined(word, text))
      return prefixes.length === 0 ? all : [...all, joined(prefix, prefixes)]
    })
    .join(` ${separator} `)

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
    declaration: JSON.stringify([tokensVersion, foldingVersion, searched]),
    tokens,
    entries,
    vocabulary,
    create: [
      `CREATE VIRTUAL TABLE ${tokens} USING fts5(tokens, content='', contentless_delete=1, tokenize='ascii')`,
      // With the defaults of 4, 16 and 10, FTS5 merges so often that a write takes twice as long. The background pass over
      // the entries merges the other segments.
      ...[`'automerge', 64`, `'crisismerge', 128`, `'deletemerge', 80`].map(
        (option) => `INSERT INTO ${tokens} (${tokens}, rank) VALUES (${option})`,
      ),
      `CREATE TABLE ${entries} (sequence INTEGER PRIMARY KEY, version INTEGER NOT NULL, digest TEXT NOT NULL)`,
      `CREATE TABLE ${vocabulary} (word TEXT PRIMARY KEY) WITHOUT ROWID`,
      `CREATE TRIGGER ${trigger} AFTER DELETE ON ${quoted(documents)} BEGIN DELETE FROM ${tokens} WHERE rowid = OLD.sequence; DELETE FROM ${entries} WHERE sequence = OLD.sequence; END`,
    ],
  }
}
