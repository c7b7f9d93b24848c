import { commonStatements, type Dialect, textBytes, textFrom } from '@publishing-service/sql-kit'
import { postgresqlWords } from './postgresql-words.js'

/** PostgreSQL as a dialect of the kit. Ids and unique texts are bytes, because its texts can't contain U+0000. */
export const postgresqlDialect: Dialect = {
  ...commonStatements,
  types: { bytes: 'BYTEA', integer: 'BIGINT', position: 'BIGINT', name: 'BYTEA', document: 'TEXT' },
  placeholder: (index) => `$${index}`,
  nameParameter: textBytes,
  nameFrom: (column) => {
    if (!(column instanceof Uint8Array)) throw new Error('PostgreSQL returned no bytes in a column of names')
    return textFrom(column)
  },
  textSql: (column) => column,
  // Tables are heaps; their primary keys are indexes like others.
  clustered: '',
  indexEnd: ', position',
  readIndex: () => '',
  lockRow: ' FOR UPDATE',
  lockTable: (table) => `LOCK TABLE ${table} IN EXCLUSIVE MODE`,
  selective: null,
  readPositions: '',
  words: postgresqlWords,
}
