/**
 * The words of documents in SQLite: an FTS5 table with one row of tokens for each document, under its position. It stores
 * no texts. Each token begins with the number of the instance, so no search reads entries of another instance. A
 * vocabulary has all words that were ever in the documents of a collection, by which the beginnings of words are found.
 *
 * A write only notes that the words of its document have changed, in its own transaction. They are indexed soon after it,
 * with those of other writes, and in any case before the next search: that takes a third of the time, because FTS5 writes
 * a segment for each transaction.
 */
import { searchLevels, type SearchLevel, type SearchTerm } from '@publishing-service/domain/search'
import { readDocument } from '@publishing-service/ports/document-text'
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
  type CollectionLayout,
  plainStatement,
  quoted,
  type Statement,
  type Steps,
  type Words,
  type WordsLayout,
} from '@publishing-service/sql-kit'

/** Incremented when other tokens are made of the same words. */
const version = 2

/** Words that a prefix is replaced by; with more, FTS5 merges all documents of the prefix before it returns the first. */
const maxExpansions = 1000

/** Words that a process remembers to be in the vocabulary of a collection. */
const mostRemembered = 100_000

/** Documents whose positions are read at once. */
const indexedAtOnce = 1000

/** Pages of segments that are merged at once, which takes some milliseconds. */
const mergedAtOnce = 100

export type SqliteWords = Words & {
  /** Whether the words of all documents of a collection are indexed. */
  readonly areIndexed: (layout: CollectionLayout) => Steps<boolean>
  /** Indexes the words of all documents of a collection that have changed. */
  readonly index: (layout: CollectionLayout) => Steps<void>
  /** Merges some pages of segments, if there are several of a similar size. */
  readonly mergeSome: (layout: CollectionLayout) => Steps<void>
  /** Merges the segments of many documents into one, in steps, so that a search reads one: of a million in a tenth of the time. */
  readonly merge: (layout: CollectionLayout) => Steps<void>
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

/**
 * Words that follow each other in one text. The last of them is a whole word or its beginning; a beginning that is short is a
 * token.
 */
type Phrase = { readonly words: readonly string[]; readonly last: 'word' | 'beginning' | 'token' }

/** Matches the documents that contain at this level one phrase of each term, as FTS5 reads it. */
const matchAt = (instance: number, level: SearchLevel, terms: readonly (readonly Phrase[])[]): string => {
  const phraseText = ({ words, last }: Phrase): string => {
    const tokenOf = last === 'token' ? prefixToken : wordToken
    const tokens = words.map((word) => instanceToken(instance, tokenOf(level, word)))
    return `"${tokens.join(' ')}"${last === 'beginning' ? ' *' : ''}`
  }
  return `(${terms.map((phrases) => `(${phrases.map(phraseText).join(' OR ')})`).join(' AND ')})`
}

const namesOf = ({ table }: Pick<WordsLayout, 'table'>) => ({
  tokens: quoted(`${table}_tokens`),
  vocabulary: quoted(`${table}_words`),
  unindexed: quoted(`${table}_unindexed`),
})

/** Merges so many pages of segments of a similar size; of all segments, if the number is negative. */
const mergeStatement = (layout: WordsLayout, pages: number): Statement => {
  const { tokens } = namesOf(layout)
  return { sql: `INSERT INTO ${tokens} (${tokens}, rank) VALUES ('merge', ?)`, parameters: [pages] }
}

function* note({ table }: WordsLayout, position: number): Steps<void> {
  yield {
    sql: `INSERT OR IGNORE INTO ${namesOf({ table }).unindexed} (position) VALUES (?)`,
    parameters: [position],
    isBlind: true,
  }
}

/** Adds words to the vocabularies of collections, and remembers those that are there. */
class Vocabulary {
  /** Words that are in the vocabulary, by collection and instance. */
  readonly #known = new Map<string, Set<string>>()
  #remembered = 0

  forget(): void {
    this.#known.clear()
    this.#remembered = 0
  }

  *add(layout: WordsLayout, instance: number, words: ReadonlySet<string>): Steps<void> {
    const key = `${layout.table} ${instance}`
    const found = this.#known.get(key) ?? new Set<string>()
    const { vocabulary } = namesOf(layout)
    let added = 0
    for (const word of words) {
      if (found.has(word)) continue
      yield {
        sql: `INSERT OR IGNORE INTO ${vocabulary} (word) VALUES (?)`,
        parameters: [vocabularyEntry(instance, word)],
      }
      found.add(word)
      added += 1
    }
    if (added === 0) return
    this.#remembered += added
    if (this.#remembered <= mostRemembered) this.#known.set(key, found)
    else this.forget()
  }
}

function* indexDocument(layout: WordsLayout, vocabulary: Vocabulary, position: number): Steps<void> {
  const { tokens } = namesOf(layout)
  const { rows } = yield {
    sql: `SELECT instance, light, heavy FROM ${layout.documents} WHERE position = ?`,
    parameters: [position],
  }
  const [row] = rows
  if (row === undefined) {
    yield { sql: `DELETE FROM ${tokens} WHERE rowid = ?`, parameters: [position] }
    return
  }
  const [instance, light, heavy = null] = row
  const value = readDocument(String(light), heavy === null ? null : String(heavy))
  const { levels, words } = wordsByLevel(layout.searched, value)
  yield {
    sql: `INSERT OR REPLACE INTO ${tokens} (rowid, tokens) VALUES (?, ?)`,
    parameters: [position, tokensText(Number(instance), levels)],
  }
  yield* vocabulary.add(layout, Number(instance), words)
}

function* expansions(layout: WordsLayout, instance: number, prefix: string): Steps<readonly string[] | null> {
  const { rows } = yield {
    sql: `SELECT word FROM ${namesOf(layout).vocabulary} WHERE word >= ? AND word < ? LIMIT ?`,
    parameters: [...vocabularyRange(instance, prefix), maxExpansions + 1],
  }
  return rows.length > maxExpansions ? null : rows.map(([entry]) => wordOfEntry(String(entry)))
}

/** The phrases of which a document that contains the term has at least one. */
function* phrasesOf(
  layout: WordsLayout,
  instance: number,
  { readings, isPrefix }: SearchTerm,
): Steps<readonly Phrase[]> {
  const phrases: Phrase[] = []
  for (const words of readings) {
    const [prefix = '', ...others] = words
    if (!isPrefix) phrases.push({ words, last: 'word' })
    else if (others.length > 0) phrases.push({ words, last: 'beginning' })
    else if (isPrefixToken(prefix)) phrases.push({ words, last: 'token' })
    else {
      const found = yield* expansions(layout, instance, prefix)
      if (found === null) phrases.push({ words, last: 'beginning' })
      else for (const word of found) phrases.push({ words: [word], last: 'word' })
    }
  }
  return phrases
}

export const sqliteWords = (): SqliteWords => {
  const vocabulary = new Vocabulary()
  return {
    version,
    create: (layout) => {
      const { tokens, vocabulary: words, unindexed } = namesOf(layout)
      return [
        `CREATE VIRTUAL TABLE ${tokens} USING fts5(tokens, content='', contentless_delete=1, tokenize='ascii')`,
        // With the defaults of 4, 16 and 10, FTS5 merges so often that a write takes twice as long.
        ...[`'automerge', 64`, `'crisismerge', 128`, `'deletemerge', 80`].map(
          (option) => `INSERT INTO ${tokens} (${tokens}, rank) VALUES (${option})`,
        ),
        `CREATE TABLE ${words} (word TEXT PRIMARY KEY) WITHOUT ROWID`,
        `CREATE TABLE ${unindexed} (position INTEGER PRIMARY KEY)`,
      ].map(plainStatement)
    },
    drop: (layout) =>
      Object.values(namesOf(layout)).map((name) => plainStatement(`DROP TABLE IF EXISTS ${name}`)),
    put: (layout, _instance, position) => note(layout, position),
    remove: (layout, _instance, position) => note(layout, position),
    *find(layout, instance, { terms, best }) {
      if (terms.length === 0) return null
      const wanted: (readonly Phrase[])[] = []
      for (const term of terms) {
        const phrases = yield* phrasesOf(layout, instance, term)
        if (phrases.length === 0) return null
        wanted.push(phrases)
      }
      const level = best ?? 'body'
      const before = best === undefined ? undefined : searchLevels[searchLevels.indexOf(best) - 1]
      const match = matchAt(instance, level, wanted)
      const unwanted = before === undefined ? '' : ` NOT ${matchAt(instance, before, wanted)}`
      const { tokens } = namesOf(layout)
      return {
        table: tokens,
        position: 'rowid',
        condition: (parameters) => `w.tokens MATCH ${parameters.add(match + unwanted)}`,
      }
    },
    *areIndexed({ words }) {
      if (words === null) return true
      const { rows } = yield plainStatement(`SELECT 1 FROM ${namesOf(words).unindexed} LIMIT 1`)
      return rows.length === 0
    },
    *index({ words }) {
      if (words === null) return
      const { unindexed } = namesOf(words)
      for (;;) {
        // In the order of positions, for which FTS5 writes fewer segments.
        const { rows } = yield plainStatement(
          `SELECT position FROM ${unindexed} ORDER BY position LIMIT ${indexedAtOnce}`,
        )
        const last = rows.at(-1)?.[0]
        if (last === undefined) return
        for (const [position] of rows) yield* indexDocument(words, vocabulary, Number(position))
        yield { sql: `DELETE FROM ${unindexed} WHERE position <= ?`, parameters: [last] }
      }
    },
    *mergeSome({ words }) {
      if (words !== null) yield mergeStatement(words, mergedAtOnce)
    },
    *merge({ words }) {
      if (words === null) return
      const changes = function* (): Steps<number> {
        const { rows } = yield plainStatement('SELECT total_changes()')
        return Number(rows[0]?.[0])
      }
      // A negative number starts a merge of all segments, and positive ones continue it until nothing is changed.
      for (let [before, pages] = [yield* changes(), -mergedAtOnce]; ; pages = mergedAtOnce) {
        yield mergeStatement(words, pages)
        const after = yield* changes()
        if (after - before < 2) return
        before = after
      }
    },
    forget: () => vocabulary.forget(),
  }
}
