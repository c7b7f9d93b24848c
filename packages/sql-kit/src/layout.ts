/**
 * The tables of a collection. Its documents are in one table with a column of bytes for each key; each key of texts or
 * intervals has a table with a row for each text, and each group count a table with a row for each text and group. The
 * names of the tables contain a hash of all that their rows depend on: a declaration with other rows has other tables, so
 * that a process with another declaration cannot write to these.
 */
import { createHash } from 'node:crypto'
import { foldingVersion } from '@publishing-service/domain/search'
import {
  type Collection,
  type GroupCount,
  isListType,
  keyTextLimit,
  maxKeyTextBytes,
  type PlainType,
} from '@publishing-service/ports'
import type { Dialect, NewIndex, WordsLayout } from './dialect.js'
import { plainStatement, quoted, type Statement } from './statement.js'

/** Incremented when the tables or rows of the same declaration change. */
const layoutVersion = 1

/** The table with a row for each collection: its layout as it was migrated. */
export const layoutsTable = 'publishing_layouts'

export type KeyColumn = {
  readonly key: string
  readonly type: PlainType
  readonly column: string
  /** The most bytes of a value. */
  readonly bytes: number
  /** Whether light documents lack the attribute. */
  readonly isHeavy: boolean
}

export type Index = {
  readonly name: string
  /** What creates it. */
  readonly created: NewIndex
  /** The keys in their order; a key of texts or intervals is not among them. */
  readonly columns: readonly KeyColumn[]
  /** The quoted name of its table. */
  readonly table: string
  /** Follows the name of the table in a SELECT that reads this index. */
  readonly read: string
}

/** The table of a key of texts or intervals: instance, text, ends, position, and the copied keys. */
export type ListTable = {
  readonly key: string
  /** The column of the documents that has the list as JSON. */
  readonly column: string
  /** The quoted name. */
  readonly table: string
  readonly hasEnds: boolean
  /** The keys that its indexes need, as in the documents. */
  readonly copied: readonly KeyColumn[]
  readonly indexes: readonly Index[]
}

/** The table of a group count: instance, the keys of the group, text, count. */
export type CountTable = GroupCount & {
  readonly table: string
  readonly columns: readonly KeyColumn[]
}

export type CollectionLayout = {
  readonly name: string
  readonly collection: Collection
  readonly heavy: ReadonlySet<string>
  /** The name of the documents' table, and the same quoted. */
  readonly table: string
  readonly documents: string
  readonly keys: ReadonlyMap<string, KeyColumn>
  readonly lists: ReadonlyMap<string, ListTable>
  readonly counts: readonly CountTable[]
  readonly indexes: readonly Index[]
  /** Null if no attribute is searched. */
  readonly words: WordsLayout | null
  /** The names of all tables but those of the words. */
  readonly tables: readonly string[]
  readonly create: readonly Statement[]
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 10)

/** Names have at most 63 bytes in some databases, and their letter case is ignored in others. */
const plainName = (name: string, length: number): string => name.replace(/[^a-z0-9_]/g, '_').slice(0, length)

const eachOnce = (sequences: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(sequences.map((keys) => [keys.join('\n'), keys])).values(),
]

/** The first columns of the indexes of documents and of lists. */
const instanceColumn = 'instance'
const textColumns = 'instance, text'

/** Bytes of an integer in an index. */
const integerBytes = 8

const bytesOfType = { number: 8, boolean: 1 } as const

/**
 * The columns of an index, behind others of so many bytes and before the position. If the database adds up declared bytes and
 * these are too many, the index has the beginnings of long columns. The last one is whole, because pages are read in its order.
 */
const indexedColumns = (
  columns: readonly KeyColumn[],
  before: number,
  { declaredIndexes }: Pick<Dialect, 'declaredIndexes'>,
): readonly string[] => {
  const room = (declaredIndexes?.most ?? Infinity) - before - integerBytes
  const total = columns.reduce((sum, { bytes }) => sum + bytes, 0)
  const last = columns.at(-1)
  if (declaredIndexes === null || last === undefined || total <= room)
    return columns.map(({ column }) => column)
  const part = Math.floor((room - last.bytes) / (columns.length - 1))
  return columns.map((each) =>
    each === last || each.bytes <= part ? each.column : declaredIndexes.beginning(each.column, part),
  )
}

/** All indexes of the tables; migrations create those that are missing, and drop others. */
export const indexesOf = ({ indexes, lists }: CollectionLayout): readonly Index[] => [
  ...indexes,
  ...[...lists.values()].flatMap((list) => list.indexes),
]

export const layoutOf = (collection: Collection, dialect: Dialect): CollectionLayout => {
  const { name, groupCounts, searched = [] } = collection
  const { types, words } = dialect
  const heavy = new Set(collection.heavy)
  const names = Object.keys(collection.keys).toSorted()
  const keys = new Map<string, KeyColumn>()
  for (const [i, key] of names.entries()) {
    const type = collection.keys[key]
    if (type !== undefined && !isListType(type))
      keys.set(key, {
        key,
        type,
        column: `k${i}_${plainName(key, 40)}`,
        bytes: type === 'text' ? keyTextLimit(collection, key) : bytesOfType[type],
        isHeavy: heavy.has(key),
      })
  }
  const plainKey = (key: string): KeyColumn => {
    const column = keys.get(key)
    if (column === undefined) throw new Error(`Collection ${name} declares no plain key ${key}`)
    return column
  }
  const listNames = names.filter((key) => isListType(collection.keys[key]))
  const listIndexes = new Map(
    listNames.map((key) => [
      key,
      // The primary key is the index over the text alone.
      eachOnce(
        collection.indexes.flatMap(([first, ...rest]) => (first === key && rest.length > 0 ? [rest] : [])),
      ),
    ]),
  )
  const hash = hashOf([
    layoutVersion,
    collection.heavy.toSorted(),
    names.map((key) => [key, collection.keys[key]]),
    [...listIndexes].map(([key, indexes]) => [key, [...new Set(indexes.flat())].toSorted()]),
    groupCounts,
    searched.length === 0 ? null : [searched, foldingVersion, words.version],
    name,
  ])
  const table = `${plainName(name, 24)}_${hash}`
  const documents = quoted(table)

  const indexOn = (on: string, first: string, sequence: readonly string[]): Index => {
    const columns = sequence.map(plainKey)
    const index = `${table}_${hashOf([on, sequence])}`
    const before = first === instanceColumn ? integerBytes : integerBytes + maxKeyTextBytes
    const indexed = [first, ...indexedColumns(columns, before, dialect)].join(', ')
    return {
      name: index,
      columns,
      table: on,
      read: dialect.readIndex(quoted(index)),
      created: { name: quoted(index), columns: `${indexed}${dialect.indexEnd}`, isUnique: false },
    }
  }

  const lists = new Map(
    listNames.map((key, i): readonly [string, ListTable] => {
      const own = quoted(`${table}_l${i}`)
      const indexes = listIndexes.get(key) ?? []
      return [
        key,
        {
          key,
          column: `l${i}_${plainName(key, 40)}`,
          table: own,
          hasEnds: collection.keys[key] === 'intervals',
          copied: [...new Set(indexes.flat())].map(plainKey),
          indexes: indexes.map((sequence) => indexOn(own, textColumns, sequence)),
        },
      ]
    }),
  )
  const counts = groupCounts.map(({ key, within }, i): CountTable => ({
    key,
    within,
    table: quoted(`${table}_c${i}`),
    columns: within.map(plainKey),
  }))
  const ownIndexes = eachOnce([
    [],
    ...collection.indexes.filter(([first]) => first !== undefined && !isListType(collection.keys[first])),
  ])

  const { bytes, integer, name: nameType, document } = types
  const defined = (columns: readonly KeyColumn[]): readonly string[] =>
    columns.map(({ column, bytes: most }) => `${column} ${bytes(most)} NOT NULL`)
  const text = `text ${bytes(maxKeyTextBytes)} NOT NULL`
  const createDocuments = [
    `position ${types.position} PRIMARY KEY`,
    `instance ${integer} NOT NULL`,
    `id ${nameType} NOT NULL`,
    `version ${integer} NOT NULL`,
    `unique_text ${nameType}`,
    ...defined([...keys.values()]),
    ...[...lists.values()].map(({ column }) => `${column} ${document}`),
    ...(searched.length === 0 ? [] : [`searched ${nameType} NOT NULL`]),
    // Long texts are the last columns, so that a filter over keys does not read them.
    `light ${document} NOT NULL`,
    `heavy ${document}`,
  ]
  const create = [
    `CREATE TABLE ${documents} (${createDocuments.join(', ')})`,
    ...dialect.createIndexes(documents, [
      { name: quoted(`${table}_id`), columns: 'instance, id', isUnique: true },
      { name: quoted(`${table}_unique`), columns: 'instance, unique_text', isUnique: true },
    ]),
    ...[...lists.values()].map(({ table: own, hasEnds, copied }) => {
      const columns = [
        `instance ${integer} NOT NULL`,
        text,
        `position ${integer} NOT NULL`,
        ...(hasEnds ? [`ends ${bytes(maxKeyTextBytes)} NOT NULL`] : []),
        ...defined(copied),
      ]
      return `CREATE TABLE ${own} (${columns.join(', ')}, PRIMARY KEY (instance, text, position))${dialect.clustered}`
    }),
    ...counts.map(({ table: own, columns }) => {
      const group = ['instance', ...columns.map(({ column }) => column), 'text'].join(', ')
      return `CREATE TABLE ${own} (instance ${integer} NOT NULL, ${[...defined(columns), text, `documents ${integer} NOT NULL`].join(', ')}, PRIMARY KEY (${group}))${dialect.clustered}`
    }),
  ]
  const wordsLayout = searched.length === 0 ? null : { documents, table, searched }
  return {
    name,
    collection,
    heavy,
    table,
    documents,
    keys,
    lists,
    counts,
    indexes: ownIndexes.map((sequence) => indexOn(documents, instanceColumn, sequence)),
    words: wordsLayout,
    tables: [
      table,
      ...listNames.map((_, i) => `${table}_l${i}`),
      ...groupCounts.map((_, i) => `${table}_c${i}`),
    ],
    create: [...create.map(plainStatement), ...(wordsLayout === null ? [] : words.create(wordsLayout))],
  }
}

/** The layouts of collections by name. */
export type Layouts = ReadonlyMap<string, CollectionLayout>

/** Computes the layouts of declared collections: once for a store, at its start. */
export const layoutsOf = (collections: readonly Collection[], dialect: Dialect): Layouts =>
  new Map(collections.map((collection) => [collection.name, layoutOf(collection, dialect)]))

/** The layout of a collection. Throws if it is not declared, which is a defect of the caller. */
export const layoutNamed = (layouts: Layouts, name: string): CollectionLayout => {
  const layout = layouts.get(name)
  if (layout === undefined) throw new Error(`No collection ${name} was declared to this store`)
  return layout
}
