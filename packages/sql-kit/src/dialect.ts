import type { SearchedAttribute, SearchLevel } from '@publishing-service/domain/search'
import type { JsonObject } from '@publishing-service/domain/json'
import type { WordsCondition } from '@publishing-service/ports'
import type { Parameter, Parameters, Statement, Steps } from './statement.js'

/** An index that does not exist yet. */
export type NewIndex = {
  /** Quoted. */
  readonly name: string
  /** As they are in parentheses after the name of the table. */
  readonly columns: string
  readonly isUnique: boolean
}

/** What differs between SQL databases. */
export type Dialect = {
  /**
   * Types of columns. `bytes` is that of a key, whose values have at most so many bytes; `position` that of a primary key,
   * `name` that of ids and unique texts, `document` of JSON.
   */
  readonly types: {
    readonly bytes: (most: number) => string
    readonly integer: string
    readonly position: string
    readonly name: string
    readonly document: string
  }
  /** The placeholder of the parameter with this number, from 1. */
  readonly placeholder: (index: number) => string
  /** Ids and unique texts as parameters: all characters count, also U+0000, trailing spaces and letter case. */
  readonly nameParameter: (text: string) => Parameter
  readonly nameFrom: (column: Parameter) => string
  /** An expression for the text in a column of bytes, which `nameFrom` reads. */
  readonly textSql: (column: string) => string
  /** The options of a table that its primary key orders, after a space; may be empty. */
  readonly clustered: string
  /** What an index ends in, so that it has the order of positions: empty if the database adds the primary key. */
  readonly indexEnd: string
  /**
   * For a database that adds up the declared bytes of the columns of an index: how many they may be, and a column of which
   * an index has so many first bytes. Null if the values are measured: those of an entry have at most 2 100 bytes.
   */
  readonly declaredIndexes: {
    readonly most: number
    readonly beginning: (column: string, bytes: number) => string
  } | null
  /** Statements that create all new indexes of a table, which may have rows. */
  readonly createIndexes: (table: string, indexes: readonly NewIndex[]) => readonly string[]
  /** Follows the name of a table, after a space, and makes the database read this index; may be empty. */
  readonly readIndex: (index: string) => string
  /** Ends a SELECT, after a space. No other transaction may change its row until the end of this one; may be empty. */
  readonly lockRow: string
  /** Ends a SELECT, after a space, whose rows other transactions may lock in the same way, and not change; may be empty. */
  readonly shareRow: string
  /** Locks this table until the end of the transaction, so that others only read it; null if a migration excludes all writes. */
  readonly lockTable: ((table: string) => string) | null
  /**
   * Which errors of a statement end its transaction, so that statements that were sent behind it change nothing (`all`), are
   * undone by the rollback (`none`), or are committed one by one (`some`). With `all`, a commit is sent with the statements
   * before it. With `none`, it is sent when these have succeeded. With `some`, no statement is sent before the one before it
   * has succeeded.
   */
  readonly errorsEndTransactions: 'all' | 'none' | 'some'
  /** Whether a comparison of rows, `(a, b) > (c, d)`, is read from an index over their columns. */
  readonly indexesCompareRows: boolean
  /**
   * An INSERT of one or more rows that inserts nothing and has 0 changes if a row violates a unique index. Other errors must
   * remain errors.
   */
  readonly insertIfFree: (table: string, columns: string, rows: string) => string
  /**
   * An INSERT of rows with these key columns and the column `documents`, which is added to that of the row with the same
   * key if there is one.
   */
  readonly insertOrAdd: (table: string, key: string, rows: string) => string
  readonly dropIndex: (index: string, table: string) => string
  /**
   * The number of documents up to which a condition counts as selective; null if the database estimates that itself,
   * and considers that a page ends early.
   */
  readonly selective: number | null
  /** A SELECT of positions that are a parameter, as a list in JSON. */
  readonly positionsFrom: (parameter: string) => string
  /** Follows the name of the documents' table if they are read by their positions; may be empty. */
  readonly readPositions: string
  /** The order of commits; null if transactions that insert in this order run one at a time: with `lockRow` they wait. */
  readonly commitOrder: CommitOrder | null
  /** The words of documents. */
  readonly words: Words
}

/** How transactions that run at the same time get positions in the order of commits. */
export type CommitOrder = {
  /** An expression for the position of the document with this number, from 0, among those that a transaction inserts so. */
  readonly position: (number: number) => string
  /** An expression for a position: all documents with lower ones are visible, or never will be. */
  readonly settled: string
  /** An INSERT of a row that inserts nothing if the id exists in its instance, and fails if the position does. */
  readonly insertOnce: (table: string, columns: string, row: string) => string
}

/** Statements that SQLite, PostgreSQL and others have in common. */
export const commonStatements: Pick<Dialect, 'createIndexes' | 'insertIfFree' | 'insertOrAdd' | 'dropIndex'> =
  {
    createIndexes: (table, indexes) =>
      indexes.map(
        ({ name, columns, isUnique }) =>
          `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${name} ON ${table} (${columns})`,
      ),
    insertIfFree: (table, columns, rows) =>
      `INSERT INTO ${table} (${columns}) VALUES ${rows} ON CONFLICT DO NOTHING`,
    insertOrAdd: (table, key, rows) =>
      `INSERT INTO ${table} (${key}, documents) VALUES ${rows} ON CONFLICT (${key}) DO UPDATE SET documents = ${table}.documents + excluded.documents`,
    dropIndex: (index) => `DROP INDEX ${index}`,
  }

/** What the words of a collection belong to. */
export type WordsLayout = {
  /** The quoted name of the documents' table, and the plain one, which begins names of further tables. */
  readonly documents: string
  readonly table: string
  readonly searched: readonly SearchedAttribute[]
}

/** How a database finds words. */
export type Words = {
  /** Changes when other entries are made of the same words, so that all are made again. */
  readonly version: number
  /** Creates what the words need. After the table of the documents, before its rows. */
  readonly create: (layout: WordsLayout) => readonly Statement[]
  /** Drops what there is of it: a collection may have had no searched attribute. */
  readonly drop: (layout: Pick<WordsLayout, 'table'>) => readonly Statement[]
  /** Writes the words of a document that is inserted, or whose searched texts have changed at these levels. */
  readonly put: (
    layout: WordsLayout,
    instance: number,
    position: number,
    value: JsonObject,
    levels: readonly SearchLevel[],
  ) => Steps<void>
  readonly remove: (layout: WordsLayout, instance: number, position: number) => Steps<void>
  /** Where the documents with the words are; null if none has them. May read what it needs to say so. */
  readonly find: (layout: WordsLayout, instance: number, words: WordsCondition) => Steps<FoundWords | null>
}

/** The documents with words. */
export type FoundWords = {
  /** A table whose rows are in the order of positions, with the alias `w`; null if the condition is on the documents, `d`. */
  readonly table: string | null
  /** The column of positions in that table. */
  readonly position: string
  readonly condition: (parameters: Parameters) => string
}
