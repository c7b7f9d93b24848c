/** The words of a text, folded, so that every store finds the same. */
import { foldLetters } from '../value/fold.js'

/** A word, and where it is in the text. */
export type Word = {
  readonly word: string
  readonly start: number
  readonly end: number
  /** Whether nothing but an apostrophe or a hyphen is between the word before and this one, as in «e-mail». */
  readonly isLinked: boolean
}

/** Characters of a folded word that count; the rest of a longer one is ignored. */
export const maxWordLength = 40

/** The first characters of a text. */
const truncated = (text: string): string =>
  text.length <= maxWordLength
    ? text
    : Array.from(text.slice(0, 2 * maxWordLength))
        .slice(0, maxWordLength)
        .join('')
        .toWellFormed()

// The first letter of a word is visible. Marks and invisible characters can follow each letter.
const runs = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}\u1806]*/gu

/** Apostrophes that Unicode calls letters. */
const letterApostrophes = /[\u02b9-\u02bf\ua78b\ua78c]/g

/** Apostrophes and hyphens, and the point in Catalan words. */
const linkCharacters = new Set(
  "'-`´·’‘‛′＇‐‑‧－﹣՚֊׳״־\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\ua78b\ua78c",
)

/** Those in ASCII. */
const isAsciiLink = (code: number): boolean => code === 0x27 || code === 0x2d || code === 0x60

/** Scripts that are written without spaces between words. */
const withoutSpaces =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Made for the first text that needs it, because that takes some milliseconds. */
let segmenter: Intl.Segmenter | undefined

/** A word as the sort key of a title has it, but only its letters and digits. */
const foldWord = (word: string): string =>
  truncated(
    foldLetters(word)
      .replace(letterApostrophes, '')
      .replace(/[^\p{L}\p{N}]+/gu, ''),
  )

/** Characters that Intl.Segmenter separates at a time: it needs quadratic time. */
const segmentedAtOnce = 200

function* segmentsOf(run: string): Generator<{ readonly segment: string; readonly index: number }, void> {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  for (let from = 0; from < run.length; from += segmentedAtOnce)
    for (const { segment, index } of segmenter.segment(run.slice(from, from + segmentedAtOnce)))
      yield { segment, index: from + index }
}

/** The words of a run that is not ASCII. */
function* wordsBeyondAscii(text: string): Generator<Word, void> {
  let last = -1
  for (const { 0: run, index } of text.replace(letterApostrophes, '’').matchAll(runs)) {
    const parts = withoutSpaces.test(run) ? segmentsOf(run) : [{ segment: run, index: 0 }]
    for (const part of parts) {
      const word = foldWord(part.segment)
      const start = index + part.index
      const isLinked = start === last + 1 && linkCharacters.has(text.charAt(last))
      last = start + part.segment.length
      if (word !== '') yield { word, start, end: last, isLinked }
    }
  }
}

const isUpperCase = (code: number): boolean => code >= 0x41 && code <= 0x5a

const isLowerCaseOrDigit = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)

/**
 * Calls `visit` with each word of a text, in its order, until it returns false. Words are runs of letters and digits,
 * and within them, for scripts that are written without spaces, the words that Intl.Segmenter finds. Most words are
 * ASCII, for which a regular expression and a generator take three times as long.
 */
export const visitWords = (text: string, visit: (word: Word) => boolean): void => {
  let start = -1
  /** Where the next word begins if it is linked to the last one. */
  let linked = -1
  let [isAscii, hasUpperCase] = [true, false]
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code > 0x7f || isLowerCaseOrDigit(code) || isUpperCase(code)) {
      if (start === -1) start = at
      if (code > 0x7f) isAscii = false
      else if (isUpperCase(code)) hasUpperCase = true
      continue
    }
    if (start === -1) continue
    let end = at
    if (isAscii) {
      const word = text.slice(start, Math.min(at, start + maxWordLength))
      if (!visit({ word: hasUpperCase ? word.toLowerCase() : word, start, end, isLinked: start === linked }))
        return
    } else {
      for (const each of wordsBeyondAscii(text.slice(start, at))) {
        const first = start + each.start
        const isLinked = each.isLinked || first === linked
        end = start + each.end
        if (!visit({ word: each.word, start: first, end, isLinked })) return
      }
    }
    linked = end === at && isAsciiLink(code) ? at + 1 : -1
    start = -1
    isAscii = true
    hasUpperCase = false
  }
}

// Linked words, such as those of «e-mail» and «O’Brien», are read in two ways: each word for itself, and all of them as
// one word (docs/behaviour/search.md#linked-words).

/** Words on each side of a joined word, by which phrases find it. */
const context = 4

/** Words that are linked to each other: the first one, and the one after the last. */
export type Group = { readonly from: number; readonly to: number }

/** The groups of words. `links` are the positions of words that are linked to the one before, in ascending order. */
const groupsOf = (links: readonly number[]): readonly Group[] => {
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
