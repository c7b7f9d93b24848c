/** Writes the entries of documents by which their words are found, in the transaction that writes the documents. */
import { createHash } from 'node:crypto'
import type Database from 'better-sqlite3'
import type { JsonObject } from '@publishing-service/domain/json'
import { readDocument } from '@publishing-service/ports/document-text'
import { vocabularyEntry, wordsByLevel } from '@publishing-service/ports/search-tokens'
import type { CollectionLayout } from './collection-layout.js'
import { quoted } from './key-column.js'
import { tokensText, type SearchTables } from './search-tables.js'

/** The tables of each table of documents that is searched. */
export type SearchByTable = Readonly<Record<string, SearchTables>>

export const searchesOf = (layouts: Iterable<CollectionLayout>): SearchByTable =>
  Object.fromEntries(
    Array.from(layouts).flatMap(({ table, search }) => (search === null ? [] : [[table, search] as const])),
  )

export type StoredTexts = {
  readonly instance: number
  readonly sequence: number
  readonly version: number
  readonly light: string
  readonly heavy: string | null
}

export type SearchEntries = {
  /** Notes that a document was written. `flush` writes its entry. */
  readonly add: (table: string, document: StoredTexts) => void
  /**
   * Writes the entries of the documents that were added and whose texts have changed. Is called at the end of a
   * transaction, because FTS5 writes and merges fewer segments if all rows come at once, in ascending order.
   */
  readonly flush: () => void
  /** Writes missing and outdated entries of the next documents, or merges segments if there are none. */
  readonly index: (table: string) => void
  readonly removeAll: (table: string) => void
  /** Is called after a transaction that was rolled back. */
  readonly onRollback: () => void
}

/** Documents whose entries are compared, and those whose entries are written, by one call. */
const [comparedAtOnce, indexedAtOnce] = [2000, 50]

/** Pages of 4 KB that one call merges, in about 15 ms. */
const mergedAtOnce = 50

/** Words that a process remembers to be in the vocabulary of a collection. */
const knownWords = 100_000

const prepareFor = (database: Database.Database, table: string, search: SearchTables) => {
  const { tokens, entries, vocabulary } = search
  const documents = quoted(table)
  return {
    search,
    /** Entries that are in the vocabulary. */
    known: new Set<string>(),
    /** The version of a document, and the digest of its entry. */
    current: database
      .prepare<[number], readonly [version: number, digest: string | null]>(
        `SELECT d.version, e.digest FROM ${documents} AS d LEFT JOIN ${entries} AS e ON e.sequence = d.sequence WHERE d.sequence = ?`,
      )
      .raw(),
    putTokens: database.prepare<[number, string]>(
      `INSERT OR REPLACE INTO ${tokens} (rowid, tokens) VALUES (?, ?)`,
    ),
    putEntry: database.prepare<[number, number, string]>(
      `INSERT OR REPLACE INTO ${entries} (sequence, version, digest) VALUES (?, ?, ?)`,
    ),
    putWord: database.prepare<[string]>(`INSERT OR IGNORE INTO ${vocabulary} (word) VALUES (?)`),
    position: database.prepare<[string], number>('SELECT position FROM searches WHERE name = ?').pluck(),
    end: database
      .prepare<[number], number | null>(
        `SELECT max(sequence) FROM (SELECT sequence FROM ${documents} WHERE sequence > ? ORDER BY sequence LIMIT ${comparedAtOnce})`,
      )
      .pluck(),
    outdated: database.prepare<[number, number], StoredTexts & { readonly digest: string | null }>(
      `SELECT d.instance, d.sequence, d.version, d.light, d.heavy, e.digest FROM ${documents} AS d LEFT JOIN ${entries} AS e ON e.sequence = d.sequence WHERE d.sequence > ? AND d.sequence <= ? AND e.version IS NOT d.version ORDER BY d.sequence LIMIT ${indexedAtOnce}`,
    ),
    move: database.prepare<[number, string]>('UPDATE searches SET position = ? WHERE name = ?'),
    finish: database.prepare<[string]>('UPDATE searches SET position = 0, is_complete = 1 WHERE name = ?'),
    restart: database.prepare<[string]>('UPDATE searches SET position = 0, is_complete = 0 WHERE name = ?'),
    merge: database.prepare(`INSERT INTO ${tokens} (${tokens}, rank) VALUES ('merge', ${mergedAtOnce})`),
    clearTokens: database.prepare(`INSERT INTO ${tokens} (${tokens}) VALUES ('delete-all')`),
    clearEntries: database.prepare(`DELETE FROM ${entries}`),
  }
}

type Statements = ReturnType<typeof prepareFor>

/** Identifies the texts of a document. */
const digestOf = ({ searched }: SearchTables, value: JsonObject): string =>
  createHash('sha1')
    .update(JSON.stringify(searched.map(({ name }) => value[name] ?? null)))
    .digest('base64')
    .slice(0, 12)

export const searchEntries = (database: Database.Database, searches: SearchByTable): SearchEntries => {
  const prepared = new Map<string, Statements>()
  /** The last version of each document that the transaction has written, by table and sequence. */
  const added = new Map<Statements, Map<number, StoredTexts>>()

  const statementsOf = (table: string): Statements | null => {
    const search = searches[table]
    if (search === undefined) return null
    const statements = prepared.get(table) ?? prepareFor(database, table, search)
    prepared.set(table, statements)
    return statements
  }

  const write = (
    statements: Statements,
    { instance, sequence, version, light, heavy }: StoredTexts,
    currentDigest: string | null,
  ): void => {
    const { search, known } = statements
    // A damaged document has no words.
    const value = readDocument(light, heavy)
    const digest = digestOf(search, value)
    if (currentDigest !== digest) {
      const { levels, words } = wordsByLevel(search.searched, value)
      statements.putTokens.run(sequence, tokensText(instance, levels))
      for (const word of words) {
        const entry = vocabularyEntry(instance, word)
        if (known.has(entry)) continue
        statements.putWord.run(entry)
        if (known.size === knownWords) known.clear()
        known.add(entry)
      }
    }
    statements.putEntry.run(sequence, version, digest)
  }

  return {
    add: (table, document) => {
      const statements = statementsOf(table)
      if (statements === null) return
      const documents = added.get(statements) ?? new Map<number, StoredTexts>()
      added.set(statements, documents.set(document.sequence, document))
    },
    flush: () => {
      for (const [statements, documents] of added) {
        const inOrder = [...documents.values()].toSorted((a, b) => a.sequence - b.sequence)
        for (const document of inOrder) {
          const [version, digest = null] = statements.current.get(document.sequence) ?? []
          // A document without this version was removed later in the transaction.
          if (version === document.version) write(statements, document, digest)
        }
      }
      added.clear()
    },
    index: (table) => {
      const statements = statementsOf(table)
      if (statements === null) return
      const position = statements.position.get(table) ?? 0
      const end = statements.end.get(position) ?? null
      if (end === null) {
        statements.finish.run(table)
        return
      }
      const outdated = statements.outdated.all(position, end)
      if (outdated.length === 0) statements.merge.run()
      for (const document of outdated) write(statements, document, document.digest)
      statements.move.run(outdated.length < indexedAtOnce ? end : (outdated.at(-1)?.sequence ?? end), table)
    },
    removeAll: (table) => {
      const statements = statementsOf(table)
      if (statements === null) return
      statements.clearTokens.run()
      statements.clearEntries.run()
      statements.restart.run(table)
    },
    onRollback: () => {
      added.clear()
      for (const { known } of prepared.values()) known.clear()
    },
  }
}
