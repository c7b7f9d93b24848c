/**
 * What a document holds for a tally: one text of its values within and of its list, `["published","article",["a"]]`.
 * An index over it alone answers the tally, and no document is read. The writer keeps it by the write itself, so a
 * tally follows every write, and nothing that dies half way leaves a count wrong.
 */
import type { KeyValue, GroupCount } from '@publishing-service/ports'

export type StoredGroupCount = GroupCount & { readonly name: string }

/** Where the text of a tally lies within a stored document. */
export const groupCountPath = (name: string): string => `tallied.${name}`

/** Whether the longer one answers the other as well: its values begin with the other's. */
const covers = (longer: GroupCount, other: GroupCount): boolean =>
  longer.key === other.key &&
  longer.within.length > other.within.length &&
  other.within.every((key, i) => longer.within[i] === key)

/** Those of the declared tallies that answer them all, each once. */
export const storedGroupCounts = (declared: readonly GroupCount[]): readonly StoredGroupCount[] => {
  const named = declared.map((tally) => ({ ...tally, name: [tally.key, ...tally.within].join('-') }))
  const once = [...new Map(named.map((tally) => [tally.name, tally])).values()]
  return once.filter((tally) => !once.some((other) => covers(other, tally)))
}

/** The kept tally that answers for these keys, and in which order it wants their values; null where there is none. */
export const findStoredGroupCount = (
  kept: readonly StoredGroupCount[],
  key: string,
  asked: readonly string[],
): { readonly name: string; readonly within: readonly string[] } | null => {
  for (const tally of kept) {
    const within = tally.within.slice(0, asked.length)
    if (tally.key === key && within.length === asked.length && asked.every((each) => within.includes(each)))
      return { name: tally.name, within }
  }
  return null
}

export const groupCountText = (values: readonly KeyValue[], texts: readonly string[]): string =>
  JSON.stringify([...values, texts])

/** The texts that begin with these values: from the first one on, below the second. */
export const groupCountRange = (values: readonly KeyValue[]): readonly [string, string] =>
  values.length === 0
    ? ['[', '\\']
    : [`${JSON.stringify(values).slice(0, -1)},`, `${JSON.stringify(values).slice(0, -1)}-`]

/** The list in a text that `tallyText` made. */
export const listIn = (text: string): readonly string[] => {
  const parts = JSON.parse(text) as readonly unknown[]
  return parts.at(-1) as readonly string[]
}
