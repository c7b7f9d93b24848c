/** The names, types and values of keys in SQL. */
import type { KeyValue, PlainType } from '@publishing-service/ports'

/** A parameter of a statement. */
export type Parameter = string | number

/**
 * A parameter that SQLite does not compare with the samples of its statistics. If it did, it would plan the statement anew
 * for each value, which takes longer than to read a document.
 */
export const unsampled = '+?'

/** Which of the two texts of a document contains an attribute. */
export type Source = 'light' | 'heavy'

export type KeyColumn = {
  readonly key: string
  readonly type: PlainType
  /** The column's name, quoted. */
  readonly column: string
  /** Its definition in CREATE TABLE and ALTER TABLE of the documents. */
  readonly definition: string
  /** Its definition in CREATE TABLE of a derived table. */
  readonly copy: string
  /** Computes the column's value for a document that was written before the key was declared. */
  readonly expression: string
  /** The key's value in a row of documents: `NEW`, `OLD`, or the table's name. */
  readonly valueIn: (row: string) => string
}

/** A key of texts: its list as JSON, from which triggers fill the derived tables. */
export type ListColumn = Pick<KeyColumn, 'key' | 'column' | 'definition' | 'expression' | 'valueIn'>

/** The column of a list without texts. */
export const emptyList = '[]'

/** Escapes all characters but lower-case letters, digits and _: names in SQLite are case-insensitive. */
export const plainName = (name: string): string =>
  name.replace(/[^a-z0-9_]/g, (character) => `$${character.codePointAt(0)?.toString(16)}$`)

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const jsonPath = (key: string): string => {
  // Names that JSON escapes are not supported: the path would escape them in another way.
  if (JSON.stringify(key) !== `"${key}"`) throw new Error(`A key can't be named ${JSON.stringify(key)}`)
  return `'$."${key.replaceAll("'", "''")}"'`
}

/**
 * The value in a key's column for an absent value, null and the empty text. It sorts before every other value of the
 * type. Unlike NULL it can be compared, so filters, orders and cursors need no special case.
 */
export const absentValue = { text: '', number: Number.NEGATIVE_INFINITY, boolean: -1 } as const

/** The value in a column of this type. */
export const columnValue = (type: PlainType, value: KeyValue): Parameter => {
  if (value === null) return absentValue[type]
  return typeof value === 'boolean' ? Number(value) : value
}

// A REAL column converts integers: JSON writes 2^60 as 1152921504606847000, which is another number as an integer.
export const columnTypes: Readonly<Record<PlainType, string>> = {
  text: 'TEXT NOT NULL',
  number: 'REAL NOT NULL',
  boolean: 'INTEGER NOT NULL',
}

const defaultValues: Readonly<Record<PlainType, string>> = { text: "''", number: '-9e999', boolean: '-1' }

const expressions: Readonly<Record<PlainType, (source: string, path: string) => string>> = {
  text: (source, path) =>
    `CASE json_type(${source}, ${path}) WHEN 'text' THEN ${source} ->> ${path} ELSE '' END`,
  number: (source, path) =>
    `CASE WHEN json_type(${source}, ${path}) IN ('integer', 'real') THEN ${source} ->> ${path} ELSE -9e999 END`,
  boolean: (source, path) =>
    `CASE json_type(${source}, ${path}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE -1 END`,
}

export const listColumn = (key: string, source: Source): ListColumn => {
  const column = quoted(`key_${plainName(key)}`)
  const path = jsonPath(key)
  return {
    key,
    column,
    definition: `${column} TEXT NOT NULL DEFAULT '${emptyList}'`,
    expression: `CASE json_type(${source}, ${path}) WHEN 'array' THEN ${source} -> ${path} ELSE '${emptyList}' END`,
    valueIn: (row) => `${row}.${column}`,
  }
}

export const keyColumn = (key: string, type: PlainType, source: Source): KeyColumn => {
  const column = quoted(`key_${plainName(key)}`)
  const copy = `${column} ${columnTypes[type]}`
  return {
    key,
    type,
    column,
    definition: `${copy} DEFAULT ${defaultValues[type]}`,
    copy,
    expression: expressions[type](source, jsonPath(key)),
    valueIn: (row) => `${row}.${column}`,
  }
}
