/**
 * Tables that are derived from the documents: one row for each text of a list, and counts of documents per text.
 * Triggers update them in the transaction that writes the document. Their text is compared with the schema of the file.
 */
import type { GroupCount } from '@publishing-service/ports'
import { emptyList, type KeyColumn, type ListColumn, plainName, quoted, unsampled } from './key-column.js'
import { indexedColumns, indexName, type LayoutIndex } from './layout-index.js'

export type DerivedTable = {
  readonly name: string
  /** The statement that creates the table. */
  readonly sql: string
  readonly indexes: readonly LayoutIndex[]
  readonly triggers: readonly { readonly name: string; readonly sql: string }[]
  /** Fills the table from the documents after one sequence number up to another, its two parameters. */
  readonly fill: string
}

/** A row for each document and text, with copies of the keys that the indexes order by. */
export type TextsTable = DerivedTable & {
  readonly key: string
  readonly copied: ReadonlyMap<string, KeyColumn>
}

/** A row for each text and combination of the values within, with the number of documents that have them. */
export type GroupCountTable = DerivedTable & {
  readonly groupCount: GroupCount
  readonly within: readonly KeyColumn[]
  /** Selects the texts of a group with their counts, by the instance and the values of `within`. */
  readonly select: string
}

/**
 * The texts of a row's list as `entry.value`, without those of another row's list if one is named. Entries of the
 * list that are not texts are ignored.
 */
const entriesOf = (texts: ListColumn, row: string, without: string | null): string => {
  const others =
    without === null
      ? ''
      : ` AND entry.value NOT IN (SELECT entry.value FROM ${entriesOf(texts, without, null)})`
  return `json_each(${texts.valueIn(row)}) AS entry WHERE entry.type = 'text' AND entry.value <> ''${others}`
}

/** A statement over the texts of a row, without those of another row if one is named. */
type TextsStatement = (row: string, without: string | null) => string

/**
 * A change of a key removes the rows of the old document and adds those of the new one. A change of only the list, such
 * as one more tag, changes only the rows of texts that are in one of the two lists.
 */
const triggersFor = (
  table: string,
  documents: string,
  texts: ListColumn,
  columns: readonly KeyColumn[],
  addRows: TextsStatement,
  removeRows: TextsStatement,
): DerivedTable['triggers'] => {
  const isListed = (row: string): string => `${texts.valueIn(row)} <> '${emptyList}'`
  const isListChanged = `${texts.valueIn('OLD')} <> ${texts.valueIn('NEW')}`
  const isKeyChanged = columns.map(({ valueIn }) => `${valueIn('OLD')} <> ${valueIn('NEW')}`).join(' OR ')
  const keys = columns.map(({ column }) => column).join(', ')
  const all = [
    ['insert', 'INSERT', isListed('NEW'), addRows('NEW', null)],
    ['delete', 'DELETE', isListed('OLD'), removeRows('OLD', null)],
    [
      'list',
      `UPDATE OF ${texts.column}`,
      columns.length === 0 ? isListChanged : `${isListChanged} AND NOT (${isKeyChanged})`,
      `${removeRows('OLD', 'NEW')} ${addRows('NEW', 'OLD')}`,
    ],
    ...(columns.length === 0
      ? []
      : [
          [
            'keys',
            `UPDATE OF ${keys}`,
            isKeyChanged,
            `${removeRows('OLD', null)} ${addRows('NEW', null)}`,
          ] as const,
        ]),
  ] as const
  return all.map(([word, event, condition, act]) => {
    // Names of columns have no space, so the name of a trigger is never that of a table.
    const name = `${table} ${word}`
    const sql = `CREATE TRIGGER ${quoted(name)} AFTER ${event} ON ${quoted(documents)} WHEN ${condition} BEGIN ${act} END`
    return { name, sql }
  })
}

const between = (documents: string): string =>
  `${quoted(documents)}.sequence > ? AND ${quoted(documents)}.sequence <= ?`

export const textsTable = (
  documents: string,
  texts: ListColumn,
  columns: readonly KeyColumn[],
  indexes: readonly (readonly string[])[],
): TextsTable => {
  const name = `${documents}.texts.${plainName(texts.key)}`
  const table = quoted(name)
  const copied = new Map(columns.map((column) => [column.key, column]))
  const rowsOf = (row: string): string => {
    const values = [
      `${row}.instance`,
      'entry.value',
      `${row}.sequence`,
      ...columns.map((each) => each.valueIn(row)),
    ]
    return `INSERT INTO ${table} SELECT DISTINCT ${values.join(', ')} FROM`
  }
  const removeRows: TextsStatement = (row, without) =>
    `DELETE FROM ${table} WHERE instance = ${row}.instance AND text IN (SELECT entry.value FROM ${entriesOf(texts, row, without)}) AND sequence = ${row}.sequence;`
  const indexOf = (keys: readonly string[]): LayoutIndex => {
    const index = indexName(name, keys)
    const terms = ['instance', 'text', ...indexedColumns(name, keys, copied), 'sequence']
    return { name: index, sql: `CREATE INDEX ${quoted(index)} ON ${table} (${terms.join(', ')})`, keys }
  }
  const copies = columns.map(({ copy }) => `${copy}, `).join('')
  return {
    key: texts.key,
    copied,
    name,
    sql: `CREATE TABLE ${table} (instance INTEGER NOT NULL, text TEXT NOT NULL, sequence INTEGER NOT NULL, ${copies}PRIMARY KEY (instance, text, sequence)) WITHOUT ROWID`,
    indexes: indexes.map(indexOf),
    triggers: triggersFor(
      name,
      documents,
      texts,
      columns,
      (row, without) => `${rowsOf(row)} ${entriesOf(texts, row, without)};`,
      removeRows,
    ),
    fill: `${rowsOf(quoted(documents))} ${quoted(documents)}, ${entriesOf(texts, quoted(documents), null)} AND ${between(documents)}`,
  }
}

/** The name of the index that SQLite creates for the primary key of a table without row ids. */
export const primaryKey = (table: string): string => `sqlite_autoindex_${table}_1`

export const groupCountTable = (
  documents: string,
  texts: ListColumn,
  groupCount: GroupCount,
  within: readonly KeyColumn[],
): GroupCountTable => {
  const name = [documents, 'tally', plainName(groupCount.key), ...groupCount.within.map(plainName)].join('.')
  const table = quoted(name)
  const columns = ['instance', ...within.map(({ column }) => column), 'text'].join(', ')
  const valuesIn = (row: string): string =>
    [
      `${row}.instance`,
      ...within.map(({ column, valueIn }) => `${valueIn(row)} AS ${column}`),
      'entry.value AS text',
    ].join(', ')
  const addRows: TextsStatement = (row, without) =>
    `INSERT INTO ${table} SELECT DISTINCT ${valuesIn(row)}, 1 FROM ${entriesOf(texts, row, without)} ON CONFLICT (${columns}) DO UPDATE SET count = count + 1;`
  const removeRows: TextsStatement = (row, without) => {
    const rows = [
      `instance = ${row}.instance`,
      ...within.map(({ column, valueIn }) => `${column} = ${valueIn(row)}`),
      `text IN (SELECT entry.value FROM ${entriesOf(texts, row, without)})`,
    ].join(' AND ')
    return `UPDATE ${table} SET count = count - 1 WHERE ${rows}; DELETE FROM ${table} WHERE ${rows} AND count = 0;`
  }
  const distinct = `SELECT DISTINCT ${quoted(documents)}.sequence, ${valuesIn(quoted(documents))} FROM ${quoted(documents)}, ${entriesOf(texts, quoted(documents), null)} AND ${between(documents)}`
  return {
    groupCount,
    within,
    name,
    select: `SELECT text, count FROM ${table} WHERE ${['instance', ...within.map(({ column }) => column)].map((column) => `${column} = ${unsampled}`).join(' AND ')}`,
    sql: `CREATE TABLE ${table} (instance INTEGER NOT NULL, ${within.map(({ copy }) => `${copy}, `).join('')}text TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (${columns})) WITHOUT ROWID`,
    indexes: [],
    triggers: triggersFor(name, documents, texts, within, addRows, removeRows),
    fill: `INSERT INTO ${table} SELECT ${columns}, count(*) FROM (${distinct}) GROUP BY ${columns} ON CONFLICT (${columns}) DO UPDATE SET count = count + excluded.count`,
  }
}
