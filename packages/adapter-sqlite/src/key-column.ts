/** How keys are named and typed in SQL, and computed from a document's JSON. */
import type { KeyValue, PlainType } from '@publishing-service/ports'

/** What a statement can be given. */
export type Parameter = string | number

/** Which of a document's two texts an attribute stands in. */
export type Source = 'light' | 'heavy'

export type KeyColumn = {
  readonly key: string
  readonly type: PlainType
  /** The column's name, quoted. */
  readonly column: string
  /** As it stands in CREATE TABLE and ALTER TABLE of the documents. */
  readonly definition: string
  /** As it stands in CREATE TABLE of a table that is kept by triggers. */
  readonly copy: string
  /** Gives the column's value for a document that was written before the key was declared. */
  readonly expression: string
  /** The key's value in a row of documents: `NEW`, `OLD`, or the table's name. */
  readonly valueIn: (row: string) => string
}

/** A key of texts: its list as JSON, which triggers spread over the tables that follow the documents. */
export type ListColumn = Pick<KeyColumn, 'key' | 'column' | 'definition' | 'expression' | 'valueIn'>

/** A list without texts, in its column. */
export const emptyList = '[]'

/** SQLite takes names that differ in case for one, so capitals and all but letters, digits and _ are spelt out. */
export const plainName = (name: string): string =>
  name.replace(/[^a-z0-9_]/g, (character) => `$${character.codePointAt(0)?.toString(16)}$`)

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const jsonPath = (key: string): string => {
  // JSON writes these in another way than the path does.
  if (JSON.stringify(key) !== `"${key}"`) throw new Error(`A key can't be named ${JSON.stringify(key)}`)
  return `'$."${key.replaceAll("'", "''")}"'`
}

/**
 * What an absent value, null and the empty text are in a key's column. It comes before every other value of the
 * type, and, unlike NULL, a comparison finds it: so one comparison with a cursor serves filter, order and page.
 */
export const absentValue = { text: '', number: Number.NEGATIVE_INFINITY, boolean: -1 } as const

/** A value as the column of a key of this type has it. */
export const columnValue = (type: PlainType, value: KeyValue): Parameter => {
  if (value === null) return absentValue[type]
  return typeof value === 'boolean' ? Number(value) : value
}

// A REAL column makes integers REAL: JSON writes 2^60 as 1152921504606847000, which as an integer is another number.
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
