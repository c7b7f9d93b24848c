import { bytesIn, commonStatements, type Dialect, textBytes, textFrom } from '@publishing-service/sql-kit'
import { postgresqlWords } from './postgresql-words.js'

/**
 * The table with one row, whose number is added to those of transactions, so that positions grow even if the database is
 * restored into another cluster, where transactions are counted anew.
 */
export const positionsTable = 'publishing_positions'

/** Positions for the documents that one transaction inserts in the order of commits. */
const positionsOfTransaction = 4096

/** What is added to the number in the table for the first position of a transaction. */
export const positionsBefore = (transaction: string): string =>
  `${transaction}::text::bigint * ${positionsOfTransaction}`

/** The first position of a transaction. */
export const firstPosition = (transaction: string): string =>
  `(SELECT base FROM ${positionsTable}) + ${positionsBefore(transaction)}`

/** PostgreSQL as a dialect of the kit. Ids and unique texts are bytes, because its texts can't contain U+0000. */
export const postgresqlDialect: Dialect = {
  ...commonStatements,
  types: { bytes: () => 'BYTEA', integer: 'BIGINT', position: 'BIGINT', name: 'BYTEA', document: 'TEXT' },
  placeholder: (index) => `$${index}`,
  nameParameter: textBytes,
  nameFrom: (column) => textFrom(bytesIn(column)),
  textSql: (column) => column,
  // Tables are heaps; their primary keys are indexes like others.
  clustered: '',
  indexEnd: ', position',
  readIndex: () => '',
  lockRow: ' FOR UPDATE',
  shareRow: ' FOR SHARE',
  lockTable: (table) => `LOCK TABLE ${table} IN EXCLUSIVE MODE`,
  errorsEndTransactions: 'all',
  indexesCompareRows: true,
  declaredIndexes: null,
  selective: null,
  positionsFrom: (parameter) => `SELECT json_array_elements_text(${parameter}::json)::bigint`,
  readPositions: '',
  // Transactions are numbered before they commit. All below the oldest that is active have ended.
  commitOrder: {
    position: (number) => `${firstPosition('pg_current_xact_id()')} + ${number}`,
    settled: firstPosition('pg_snapshot_xmin(pg_current_snapshot())'),
    insertOnce: (table, columns, row) =>
      `INSERT INTO ${table} (${columns}) VALUES ${row} ON CONFLICT (instance, id) DO NOTHING`,
  },
  words: postgresqlWords,
}
