/**
 * How a declared collection lies in MongoDB: the types of its keys, and an index for every filter and order of them.
 * An index's name tells all that it holds, so that one name never stands for two indexes.
 */
import type { CreateIndexesOptions, IndexDescription } from 'mongodb'
import type { Collection, GroupCount } from '@publishing-service/ports'
import { storedGroupCounts, type StoredGroupCount, groupCountPath } from './stored-group-count.js'

export type CollectionLayout = {
  readonly name: string
  /** Raised when keys, tallies or heavy attributes change; each document tells by which it was written. */
  readonly number: number
  readonly heavy: ReadonlySet<string>
  readonly keys: Collection['keys']
  readonly groupCounts: readonly StoredGroupCount[]
}

export type LayoutIndex = IndexDescription & CreateIndexesOptions & { readonly name: string }

/** What of a declaration says how documents are written. */
export type Declared = Pick<Collection, 'name' | 'heavy' | 'keys' | 'groupCounts'>

/** The layout of a declaration; tallies over keys that it doesn't have, or of another type, are left out. */
export const layoutOf = (number: number, { name, heavy, keys, groupCounts }: Declared): CollectionLayout => {
  const isPlain = (key: string): boolean => Object.hasOwn(keys, key) && keys[key] !== 'texts'
  const possible = ({ key, within }: GroupCount): boolean => keys[key] === 'texts' && within.every(isPlain)
  return {
    name,
    number,
    heavy: new Set(heavy),
    keys,
    groupCounts: storedGroupCounts(groupCounts.filter(possible)),
  }
}

/** Where a plain key lies within a stored document. */
export const keyPath = (key: string): string => `keys.${key}`

/** Where a list of texts lies: apart, since MongoDB refuses a list in an index that holds another one. */
export const textsPath = (key: string): string => `texts.${key}`

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Marks the indexes that hold keys, which come and go with the declarations. */
export const keyIndexPrefix = 'by_'

type Direction = 1 | -1

/**
 * The sequence ascends behind a descending key too, since ties come in the order of their insertion whatever the
 * direction: one index read from both ends would not do.
 */
const keyIndex = (keys: readonly string[], types: Collection['keys'], last: Direction): LayoutIndex => {
  const terms = keys.map((key, i) =>
    types[key] === 'texts'
      ? { path: textsPath(key), word: `${key}_has`, direction: 1 as const }
      : i === keys.length - 1 && last === -1
        ? { path: keyPath(key), word: `${key}_desc`, direction: -1 as const }
        : { path: keyPath(key), word: `${key}_asc`, direction: 1 as const },
  )
  return {
    name: keyIndexPrefix + terms.map(({ word }) => word).join('_'),
    key: new Map<string, Direction>([
      ['instance', 1],
      ...terms.map(({ path, direction }) => [path, direction] as const),
      ['sequence', 1],
    ]),
  }
}

const tallyIndex = ({ name }: StoredGroupCount): LayoutIndex => ({
  name: `${keyIndexPrefix}tally_${name}`,
  key: new Map<string, Direction>([
    ['instance', 1],
    [groupCountPath(name), 1],
  ]),
})

const fixedIndexes: readonly LayoutIndex[] = [
  { name: 'one_unique', key: { instance: 1, unique: 1 }, unique: true },
  { name: 'insertion', key: { instance: 1, sequence: 1 } },
  { name: 'layout', key: { layout: 1 } },
]

/** Throws where a key can't be named in MongoDB. */
export const indexesOf = ({ name, keys, indexes, groupCounts }: Collection): readonly LayoutIndex[] => {
  const sequences = [...Object.keys(keys).map((key) => [key]), ...indexes.filter(({ length }) => length > 0)]
  for (const key of [...sequences.flat(), ...groupCounts.flatMap((tally) => [tally.key, ...tally.within])]) {
    if (!plainName.test(key)) throw new Error(`A key of ${name} can't be named ${JSON.stringify(key)}`)
    if (keys[key] === undefined)
      throw new Error(`${name} has an index or a tally over ${key}, which is no key`)
  }
  const byKeys = sequences.flatMap((each) => [keyIndex(each, keys, 1), keyIndex(each, keys, -1)])
  const all = [...byKeys, ...storedGroupCounts(groupCounts).map(tallyIndex)]
  return [...fixedIndexes, ...new Map(all.map((index) => [index.name, index])).values()]
}
