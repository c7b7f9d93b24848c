/**
 * Linked words, such as those of «e-mail» and «O’Brien», are read in two ways: each word for itself, and all of them as
 * one word (docs/behaviour/search.md#linked-words).
 */
import { truncated } from './words.js'

/** Words on each side of a joined word, by which phrases find it. */
const context = 4

/** Words that are linked to each other: the first one, and the one after the last. */
export type Group = { readonly from: number; readonly to: number }

/** The groups of words. `links` are the positions of words that are linked to the one before, in ascending order. */
export const groupsOf = (links: readonly number[]): readonly Group[] => {
  const groups: Group[] = []
  for (const at of links) {
    const last = groups.at(-1)
    if (last?.to === at) groups[groups.length - 1] = { ...last, to: at + 1 }
    else groups.push({ from: at - 1, to: at + 1 })
  }
  return groups
}

/** Words as one. */
export const joined = (words: readonly string[], { from, to }: Group): string =>
  truncated(words.slice(from, to).join(''))

/** A part of a group that is read as one word too: without an elided word before it, or an ending after it. */
export const innerGroups = ({ from, to }: Group): readonly Group[] =>
  to - from < 3
    ? []
    : [
        { from, to: to - 1 },
        { from: from + 1, to },
      ]

/** The words with all groups joined, and where the joined ones are. */
const withGroupsJoined = (words: readonly string[], groups: readonly Group[]) => {
  const read: string[] = []
  const places: number[] = []
  let next = 0
  for (const group of groups) {
    for (; next < group.from; next += 1) read.push(words[next] ?? '')
    places.push(read.push(joined(words, group)) - 1)
    next = group.to
  }
  for (; next < words.length; next += 1) read.push(words[next] ?? '')
  return { read, places }
}

/** The words with linked ones joined; the same words if there are none. */
export const joinedWords = (words: readonly string[], links: readonly number[]): readonly string[] =>
  links.length === 0 ? words : withGroupsJoined(words, groupsOf(links)).read

/**
 * The second reading of a text as further texts: what surrounds each joined word, and the joined parts of long groups.
 * All of the text would double the cost of a write.
 */
export const joinedTexts = (
  words: readonly string[],
  links: readonly number[],
): readonly (readonly string[])[] => {
  if (links.length === 0) return []
  const groups = groupsOf(links)
  const { read, places } = withGroupsJoined(words, groups)
  const windows: { from: number; to: number }[] = []
  for (const place of places) {
    const last = windows.at(-1)
    const [from, to] = [Math.max(0, place - context), place + context + 1]
    if (last !== undefined && from <= last.to) last.to = to
    else windows.push({ from, to })
  }
  return [
    ...windows.map(({ from, to }) => read.slice(from, to)),
    ...groups.flatMap((group) => innerGroups(group).map((inner) => [joined(words, inner)])),
  ]
}
