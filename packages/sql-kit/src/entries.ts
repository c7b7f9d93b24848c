/** What the tables of a collection have of a document: the values of its keys, its lists, and what its groups count. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { type SearchLevel, searchLevels } from '@publishing-service/domain/search'
import { keyValue, textsUnder } from '@publishing-service/ports/key-values'
import { keyBytes, sameBytes, textBytes, type Parameter, type Row } from './statement.js'
import type { Dialect, WordsLayout } from './dialect.js'
import type { CollectionLayout, KeyColumn, ListTable } from './layout.js'

/** A document as texts, which are well-formed Unicode. */
export type DocumentTexts = {
  readonly id: string
  readonly unique: string | null
  readonly light: string
  readonly heavy: string | null
}

/** The values of keys by column, and the texts of lists by key. */
export type Entries = {
  readonly keys: ReadonlyMap<string, Uint8Array>
  readonly lists: ReadonlyMap<string, readonly string[]>
}

/** A document whose text is damaged has the entries of an empty one. */
export const entriesOf = ({ keys, lists }: CollectionLayout, value: JsonObject): Entries => ({
  keys: new Map(
    Array.from(keys.values(), ({ key, type, column }) => [column, keyBytes(keyValue(type, value, key))]),
  ),
  lists: new Map(Array.from(lists.keys(), (key) => [key, textsUnder(value, key)])),
})

const noBytes = new Uint8Array()
const space = ' '

export const valueOfColumn = ({ keys }: Entries, { column }: KeyColumn): Uint8Array =>
  keys.get(column) ?? noBytes

export const valuesOf = (entries: Entries, columns: readonly KeyColumn[]): readonly Uint8Array[] =>
  columns.map((column) => valueOfColumn(entries, column))

/** Whether columns have other values. */
export const differIn = (a: Entries, b: Entries, columns: readonly KeyColumn[]): boolean =>
  columns.some((column) => !sameBytes(valueOfColumn(a, column), valueOfColumn(b, column)))

/** The end of an interval; no bytes for a text without an end, which sort before every end. */
const endOf = (text: string): Uint8Array => {
  const at = text.indexOf(space)
  return at === -1 ? noBytes : textBytes(text.slice(at + 1))
}

export const without = (texts: readonly string[], others: readonly string[]): readonly string[] => {
  if (others.length === 0) return texts
  const excluded = new Set(others)
  return texts.filter((text) => !excluded.has(text))
}

/** Characters of searched texts. Of more, some words may be left out, so that those of a level depend on the others. */
const mostSeparate = 50_000

const digestOf = (texts: readonly string[]): string =>
  createHash('sha1').update(texts.join('\n')).digest('base64').slice(0, 12)

/** Identifies the searched texts of a document: a digest for each level, which words of other texts do not change. */
export const searchedDigests = ({ searched }: WordsLayout, value: JsonObject): string => {
  const texts = searched.map(({ name, level }) => ({ level, text: JSON.stringify(value[name] ?? null) }))
  const isLong = texts.reduce((length, { text }) => length + text.length, 0) > mostSeparate
  return searchLevels
    .map((at) => digestOf(texts.flatMap(({ level, text }) => (isLong || level === at ? [text] : []))))
    .join(' ')
}

/** The levels whose digests differ. Those of an earlier version are others. */
export const changedLevels = (before: string | null, after: string): readonly SearchLevel[] => {
  const [old, current] = [(before ?? '').split(' '), after.split(' ')]
  return searchLevels.filter((_, i) => old[i] !== current[i])
}

/** The lists of a document as JSON, by the columns that contain them. */
export const listColumns = (
  { lists }: CollectionLayout,
  entries: Entries,
): readonly [column: string, json: string | null][] =>
  Array.from(lists.values(), ({ key, column }) => {
    const texts = entries.lists.get(key) ?? []
    return [column, texts.length === 0 ? null : JSON.stringify(texts)]
  })

const isBytes = (column: Row[number] | undefined): column is Uint8Array => column instanceof Uint8Array

/** The texts in a column that has a list as JSON. */
export const listFrom = (column: Row[number] | undefined): readonly string[] => {
  const list: unknown = typeof column === 'string' ? JSON.parse(column) : []
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
}

/** The entries in the columns of the keys and lists of a stored document; a key that was not returned is that of `next`. */
export const storedEntries = (
  { keys, lists }: CollectionLayout,
  columns: Row,
  next: Entries | null,
): Entries => ({
  keys: new Map(
    Array.from(keys.values(), (key, i) => {
      const found = columns[i]
      if (isBytes(found)) return [key.column, found]
      return [key.column, next === null ? textBytes('') : valueOfColumn(next, key)]
    }),
  ),
  lists: new Map(Array.from(lists.values(), ({ key }, i) => [key, listFrom(columns[keys.size + i])])),
})

/** The row of a document without its position, by column. */
export const documentColumns = (
  layout: CollectionLayout,
  { nameParameter }: Pick<Dialect, 'nameParameter'>,
  inserted: {
    readonly instance: number
    readonly version: number
    readonly document: DocumentTexts
    readonly value: JsonObject
    readonly entries: Entries
  },
): readonly (readonly [column: string, Parameter])[] => {
  const { instance, version, document, value, entries } = inserted
  return [
    ['instance', instance],
    ['id', nameParameter(document.id)],
    ['version', version],
    ['unique_text', document.unique === null ? null : nameParameter(document.unique)],
    ...entries.keys,
    ...listColumns(layout, entries),
    ...(layout.words === null
      ? []
      : [['searched', nameParameter(searchedDigests(layout.words, value))] as const]),
    ['light', document.light],
    ['heavy', document.heavy],
  ]
}

/** The rows of texts in the table of a list. */
export const listRows = (
  { hasEnds, copied }: ListTable,
  instance: number,
  position: number,
  texts: readonly string[],
  entries: Entries,
): { readonly columns: readonly string[]; readonly rows: readonly (readonly Parameter[])[] } => {
  const copies = valuesOf(entries, copied)
  return {
    columns: [
      'instance',
      'text',
      'position',
      ...(hasEnds ? ['ends'] : []),
      ...copied.map(({ column }) => column),
    ],
    rows: texts.map((text) => [
      instance,
      textBytes(text),
      position,
      ...(hasEnds ? [endOf(text)] : []),
      ...copies,
    ]),
  }
}
