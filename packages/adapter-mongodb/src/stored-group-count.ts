/**
 * The text that a document stores for a group count: its values and its list, `["published","article",["a"]]`. The group
 * count is computed from an index over it, without reading documents. The text is part of the document, so a crash cannot
 * make a count wrong.
 */
import type { KeyValue, GroupCount } from '@publishing-service/ports'

export type StoredGroupCount = GroupCount & { readonly name: string }

/** The path of the text of a group count in a stored document. */
export const groupCountPath = (name: string): string => `tallied.${name}`

/** Whether the longer group count also serves the other: its values begin with those of the other. */
const covers = (longer: GroupCount, other: GroupCount): boolean =>
  longer.key === other.key &&
  longer.within.length > other.within.length &&
  other.within.every((key, i) => longer.within[i] === key)

/** The smallest set of group counts that serves all declared ones. */
export const storedGroupCounts = (declared: readonly GroupCount[]): readonly StoredGroupCount[] => {
  const named = declared.map((groupCount) => ({
    ...groupCount,
    name: [groupCount.key, ...groupCount.within].join('-'),
  }))
  const once = [...new Map(named.map((groupCount) => [groupCount.name, groupCount])).values()]
  return once.filter((groupCount) => !once.some((other) => covers(other, groupCount)))
}

/** The stored group count for these keys, with the order of their values; null if there is none. */
export const findStoredGroupCount = (
  stored: readonly StoredGroupCount[],
  key: string,
  requested: readonly string[],
): { readonly name: string; readonly within: readonly string[] } | null => {
  for (const each of stored) {
    const within = each.within.slice(0, requested.length)
    if (
      each.key === key &&
      within.length === requested.length &&
      requested.every((name) => within.includes(name))
    )
      return { name: each.name, within }
  }
  return null
}

export const groupCountText = (values: readonly KeyValue[], texts: readonly string[]): string =>
  JSON.stringify([...values, texts])

/** The range of texts that begin with these values: from the first, below the second. */
export const groupCountRange = (values: readonly KeyValue[]): readonly [string, string] =>
  values.length === 0
    ? ['[', '\\']
    : [`${JSON.stringify(values).slice(0, -1)},`, `${JSON.stringify(values).slice(0, -1)}-`]

/** The list in a text of `groupCountText`. */
export const listIn = (text: string): readonly string[] => {
  const parts = JSON.parse(text) as readonly unknown[]
  return parts.at(-1) as readonly string[]
}
