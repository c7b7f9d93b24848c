/**
 * The words of documents in SQLite: an FTS5 table with one row of tokens for each document, under its position. It stores
 * no texts. Each token begins with the number of the instance, so no search reads entries of another instance. A
 * vocabulary has all words that were ever in the documents of a collection, by which the beginnings of words are found.
 */
import type { SearchLevel, SearchTerm } from '@publishing-service/domain/search'
import {
  isPrefixToken,
  type LevelWords,
  prefixToken,
  vocabularyEntry,
  vocabularyRange,
  wordOfEntry,
  wordsByLevel,
  wordToken,
} from '@publishing-service/ports/search-tokens'
import {
  plainStatement,
  quoted,
  type Steps,
  withoutStatement,
  type Words,
  type WordsLayout,
} from '@publishing-service/sql-kit'

/** Incremented when other tokens are made of the same words. */
const version = 1

/** Words that a prefix is replaced by; with more, FTS5 merges all documents of the prefix before it returns the first. */
const maxExpansions = 1000

/** Words that a process remembers to be in the vocabulary of a collection. */
const knownWords = 100_000

/** Rows that wait until they are written together. */
const maxWaiting = 256

type Row = { readonly tokens: string; readonly words: readonly string[] }

export type SqliteWords = Words & {
  /**
   * Writes the rows of the documents that a transaction has written. Called at its end: FTS5 writes fewer segments if
   * rows come in ascending order.
   */
  readonly flush: () => Steps<void>
  /** Called after a transaction that was rolled back. */
  readonly forget: () => void
}

/** A token that no other instance has. */
const instanceToken = (instance: number, token: string): string => `${instance}${token}`

/** Separates texts, so that no phrase is found across them. */
const separator = 'z'

/** The tokens of a document, as FTS5 reads them. */
const tokensText = (instance: number, levels: readonly LevelWords[]): string =>
  levels
    .flatMap(({ level, texts, prefixes }) => {
      const joined = (letter: string, words: readonly string[]): string => letter + words.join(` ${letter}`)
      const word = instanceToken(instance, wordToken(level, ''))
      const prefix = instanceToken(instance, prefixToken(level, ''))
      const all = texts.map((text) => joined(word, text))
      return prefixes.length === 0 ? all : [...all, joined(prefix, prefixes)]
    })
    .join(` ${separator} `)

const namesOf = ({ table }: Pick<WordsLayout, 'table'>) => ({
  tokens: quoted(`${table}_tokens`),
  vocabulary: quoted(`${table}_words`),
})

export const sqliteWords = (): SqliteWords => {
  /** The rows to be written, null for those to be deleted, by table and position. */
  const waiting = new Map<string, { readonly layout: WordsLayout; readonly rows: Map<number, Row | null> }>()
  /** Entries that are in the vocabulary. */
  const known = new Set<string>()

  const rowsOf = (layout: WordsLayout): Map<number, Row | null> => {
    const found = waiting.get(layout.table) ?? { layout, rows: new Map<number, Row | null>() }
    waiting.set(layout.table, found)
    return found.rows
  }

  function* flush(): Steps<void> {
    for (const { layout, rows } of waiting.values()) {
      const { tokens, vocabulary } = namesOf(layout)
      for (const [position, row] of [...rows].toSorted(([a], [b]) => a - b)) {
        if (row === null) {
          yield { sql: `DELETE FROM ${tokens} WHERE rowid = ?`, parameters: [position] }
          continue
        }
        yield {
          sql: `INSERT OR REPLACE INTO ${tokens} (rowid, tokens) VALUES (?, ?)`,
          parameters: [position, row.tokens],
        }
        for (const entry of row.words) {
          if (known.has(`${layout.table} ${entry}`)) continue
          yield { sql: `INSERT OR IGNORE INTO ${vocabulary} (word) VALUES (?)`, parameters: [entry] }
          if (known.size === knownWords) known.clear()
          known.add(`${layout.table} ${entry}`)
        }
      }
    }
    waiting.clear()
  }

  function* expansions(
    layout: WordsLayout,
    instance: number,
    prefix: string,
  ): Steps<readonly string[] | null> {
    const { rows } = yield {
      sql: `SELECT word FROM ${namesOf(layout).vocabulary} WHERE word >= ? AND word < ? LIMIT ?`,
      parameters: [...vocabularyRange(instance, prefix), maxExpansions + 1],
    }
    return rows.length > maxExpansions ? null : rows.map(([entry]) => wordOfEntry(String(entry)))
  }

  type Part = (level: SearchLevel) => string

  /** Null if no document contains the reading. */
  function* partOfReading(
    layout: WordsLayout,
    instance: number,
    words: readonly string[],
    isPrefix: boolean,
  ): Steps<Part | null> {
    const inQuotes = (tokens: readonly string[]): string =>
      `"${tokens.map((token) => instanceToken(instance, token)).join(' ')}"`
    const phrase: Part = (level) => inQuotes(words.map((word) => wordToken(level, word)))
    if (!isPrefix) return phrase
    const [prefix = '', ...others] = words
    if (others.length > 0) return (level) => `${phrase(level)} *`
    if (isPrefixToken(prefix)) return (level) => inQuotes([prefixToken(level, prefix)])
    const found = yield* expansions(layout, instance, prefix)
    if (found === null) return (level) => `${phrase(level)} *`
    if (found.length === 0) return null
    return (level) => `(${found.map((word) => inQuotes([wordToken(level, word)])).join(' OR ')})`
  }

  /** Null if no document contains the term. */
  function* partOf(
    layout: WordsLayout,
    instance: number,
    { readings, isPrefix }: SearchTerm,
  ): Steps<Part | null> {
    const parts: Part[] = []
    for (const words of readings) {
      const part = yield* partOfReading(layout, instance, words, isPrefix)
      if (part !== null) parts.push(part)
    }
    return parts.length === 0 ? null : (level) => `(${parts.map((part) => part(level)).join(' OR ')})`
  }

  return {
    version,
    create: (layout) => {
      const { tokens, vocabulary } = namesOf(layout)
      return [
        `CREATE VIRTUAL TABLE ${tokens} USING fts5(tokens, content='', contentless_delete=1, tokenize='ascii')`,
        // With the defaults of 4, 16 and 10, FTS5 merges so often that a write takes twice as long.
        ...[`'automerge', 64`, `'crisismerge', 128`, `'deletemerge', 80`].map(
          (option) => `INSERT INTO ${tokens} (${tokens}, rank) VALUES (${option})`,
        ),
        `CREATE TABLE ${vocabulary} (word TEXT PRIMARY KEY) WITHOUT ROWID`,
      ].map(plainStatement)
    },
    drop: (layout) =>
      Object.values(namesOf(layout)).map((name) => plainStatement(`DROP TABLE IF EXISTS ${name}`)),
    *put(layout, instance, position, value) {
      const { levels, words } = wordsByLevel(layout.searched, value)
      const rows = rowsOf(layout)
      rows.set(position, {
        tokens: tokensText(instance, levels),
        words: Array.from(words, (word) => vocabularyEntry(instance, word)),
      })
      if (rows.size >= maxWaiting) yield* flush()
    },
    remove: (layout, _instance, position) => {
      rowsOf(layout).set(position, null)
      return withoutStatement(undefined)
    },
    *find(layout, instance, { terms, best }) {
      const parts: Part[] = []
      for (const term of terms) {
        const part = yield* partOf(layout, instance, term)
        if (part === null) return null
        parts.push(part)
      }
      if (parts.length === 0) return null
      const at: Part = (level) => `(${parts.map((part) => part(level)).join(' AND ')})`
      const wanted = {
        title: () => at('title'),
        description: () => `${at('description')} NOT ${at('title')}`,
        body: () => `${at('body')} NOT ${at('description')}`,
      }
      const match = best === undefined ? at('body') : wanted[best]()
      const { tokens } = namesOf(layout)
      return {
        table: tokens,
        position: 'rowid',
        condition: (parameters) => `w.tokens MATCH ${parameters.add(match)}`,
      }
    },
    flush,
    forget: () => {
      waiting.clear()
      known.clear()
    },
  }
}
