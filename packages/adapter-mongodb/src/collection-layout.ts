/**
 * The storage layout of a collection in MongoDB: the types of its keys, and an index for each filter and order. The
 * name of an index contains its whole definition, so that a name never means two indexes.
 */
import type { CreateIndexesOptions, IndexDescription } from 'mongodb'
import { isListType, type Collection, type GroupCount } from '@publishing-service/ports'
import { storedGroupCounts, type StoredGroupCount, groupCountPath } from './stored-group-count.js'

export type CollectionLayout = {
  readonly name: string
  /** Incremented when keys, group counts or heavy attributes change. Each document stores the number it was written with. */
  readonly number: number
  readonly heavy: ReadonlySet<string>
  readonly keys: Collection['keys']
  readonly indexes: Collection['indexes']
  readonly groupCounts: readonly StoredGroupCount[]
  readonly searched: NonNullable<Collection['searched']>
}

export type LayoutIndex = IndexDescription & CreateIndexesOptions & { readonly name: string }

/** The part of a declaration by which documents are stored. */
export type Declared = Pick<Collection, 'name' | 'heavy' | 'keys' | 'indexes' | 'groupCounts' | 'searched'>

/** The layout of a declaration. Group counts of missing keys, or of keys with another type, are omitted. */
export const layoutOf = (
  number: number,
  { name, heavy, keys, indexes, groupCounts, searched = [] }: Declared,
): CollectionLayout => {
  const isPlain = (key: string): boolean => Object.hasOwn(keys, key) && !isListType(keys[key])
  const possible = ({ key, within }: GroupCount): boolean => isListType(keys[key]) && within.every(isPlain)
  return {
    name,
    number,
    heavy: new Set(heavy),
    keys,
    indexes,
    groupCounts: storedGroupCounts(groupCounts.filter(possible)),
    searched,
  }
}

/** The path of a plain key in a stored document. */
export const keyPath = (key: string): string => `keys.${key}`

/** The path of a list of texts. It is separate because MongoDB allows one list per index. */
export const textsPath = (key: string): string => `texts.${key}`

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Prefix of indexes over keys, which change with the declarations. */
export const keyIndexPrefix = 'by_'

/** Indexes of earlier versions: over positions, which were not unique, and over documents that were appended with others. */
export const formerIndexes: readonly string[] = ['insertion', 'moving']

/** Every index is ascending: MongoDB reads it backwards for a descending order. */
const keyIndex = (keys: readonly string[], types: Collection['keys']): LayoutIndex => {
  const terms = keys.map((key) =>
    isListType(types[key])
      ? { path: textsPath(key), word: `${key}_has` }
      : { path: keyPath(key), word: `${key}_asc` },
  )
  return {
    name: keyIndexPrefix + terms.map(({ word }) => word).join('_'),
    key: new Map<string, 1>([
      ['instance', 1],
      ...terms.map(({ path }) => [path, 1] as const),
      ['sequence', 1],
    ]),
  }
}

/** The name of the index over a key of texts. */
export const textsIndex = (key: string): string => keyIndex([key], { [key]: 'texts' }).name

const groupCountIndex = ({ name }: StoredGroupCount): LayoutIndex => ({
  name: `${keyIndexPrefix}tally_${name}`,
  key: new Map<string, 1>([
    ['instance', 1],
    [groupCountPath(name), 1],
  ]),
})

const fixedIndexes: readonly LayoutIndex[] = [
  { name: 'one_unique', key: { instance: 1, unique: 1 }, unique: true },
  { name: 'one_claim', key: { claim: 1 }, unique: true, sparse: true },
  { name: 'one_position', key: { instance: 1, sequence: 1 }, unique: true },
  { name: 'layout', key: { layout: 1 } },
]

const wordsIndex: LayoutIndex = { name: 'words', key: { instance: 1, words: 1, sequence: 1 } }

/** MongoDB accepts 64, with the index over `_id`. */
const maxIndexes = 60

/** Throws if a key is not a valid name in MongoDB, or if a collection needs too many indexes. */
export const indexesOf = ({
  name,
  keys,
  indexes,
  groupCounts,
  searched = [],
}: Collection): readonly LayoutIndex[] => {
  const sequences = indexes.filter(({ length }) => length > 0)
  for (const key of [
    ...Object.keys(keys),
    ...sequences.flat(),
    ...groupCounts.flatMap((groupCount) => [groupCount.key, ...groupCount.within]),
  ]) {
    if (!plainName.test(key)) throw new Error(`A key of ${name} can't be named ${JSON.stringify(key)}`)
    if (keys[key] === undefined)
      throw new Error(`${name} has an index or a group count over ${key}, which is not a key`)
  }
  const byKeys = sequences.map((each) => keyIndex(each, keys))
  const all = [...byKeys, ...storedGroupCounts(groupCounts).map(groupCountIndex)]
  const needed = [
    ...fixedIndexes,
    ...(searched.length === 0 ? [] : [wordsIndex]),
    ...new Map(all.map((index) => [index.name, index])).values(),
  ]
  if (needed.length > maxIndexes)
    throw new Error(
      `${name} needs ${needed.length} indexes, and at most ${maxIndexes} are possible on MongoDB`,
    )
  return needed
}
