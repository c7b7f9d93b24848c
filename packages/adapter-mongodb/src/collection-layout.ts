/**
 * How a declared collection lies in MongoDB: the types of its keys, and an index for every filter and order of them.
 * An index's name tells all that it holds, so that one name never stands for two indexes.
 */
import type { CreateIndexesOptions, IndexDescription } from 'mongodb'
import type { Collection } from '@publishing-service/ports'

export type KeyType = Collection['keys'][string]

export type CollectionLayout = {
  readonly name: string
  /** Raised when keys or heavy attributes change; each document tells by which it was written. */
  readonly number: number
  readonly heavy: ReadonlySet<string>
  readonly keys: ReadonlyMap<string, KeyType>
}

export type LayoutIndex = IndexDescription & CreateIndexesOptions & { readonly name: string }

/** Where a key lies within a stored document. */
export const keyPath = (key: string): string => `keys.${key}`

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Marks the indexes that hold keys, which come and go with the declarations. */
export const keyIndexPrefix = 'by_'

type Direction = 1 | -1

/**
 * The sequence ascends behind a descending key too, since ties come in the order of their insertion whatever the
 * direction: one index read from both ends would not do.
 */
const keyIndex = (keys: readonly string[], last: Direction): LayoutIndex => {
  const terms = keys.map((key, i) => [key, i === keys.length - 1 ? last : 1] as const)
  const words = terms.map(([key, direction]) => `${key}_${direction === 1 ? 'asc' : 'desc'}`)
  return {
    name: keyIndexPrefix + words.join('_'),
    key: new Map<string, Direction>([
      ['instance', 1],
      ...terms.map(([key, direction]) => [keyPath(key), direction] as const),
      ['sequence', 1],
    ]),
  }
}

const fixedIndexes: readonly LayoutIndex[] = [
  { name: 'one_unique', key: { instance: 1, unique: 1 }, unique: true },
  { name: 'insertion', key: { instance: 1, sequence: 1 } },
  { name: 'layout', key: { layout: 1 } },
]

/** Throws where a key can't be named in MongoDB. */
export const indexesOf = ({ name, keys, indexes }: Collection): readonly LayoutIndex[] => {
  const sequences = [...Object.keys(keys).map((key) => [key]), ...indexes.filter(({ length }) => length > 0)]
  for (const key of sequences.flat()) {
    if (!plainName.test(key)) throw new Error(`A key of ${name} can't be named ${JSON.stringify(key)}`)
    if (keys[key] === undefined) throw new Error(`${name} has an index over ${key}, which is no key`)
  }
  const byKeys = sequences.flatMap((each) => [keyIndex(each, 1), keyIndex(each, -1)])
  return [...fixedIndexes, ...new Map(byKeys.map((index) => [index.name, index])).values()]
}
