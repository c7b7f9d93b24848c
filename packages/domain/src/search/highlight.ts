import { occursAt, type SearchTerm } from './searched-texts.js'
import { innerGroups, joined, type Group, visitWords, type Word } from './words.js'

/** Characters of a passage, about, and those before its first word that is found. */
const [passageLength, lengthBefore] = [200, 50]

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** Passes the positions of each occurrence that ends at the end of these words. */
const endingTerms = (
  words: readonly string[],
  terms: readonly SearchTerm[],
  onFound: (from: number) => void,
): void => {
  for (const { readings, isPrefix } of terms)
    for (const reading of readings) {
      const from = words.length - reading.length
      if (from >= 0 && occursAt(words, reading, isPrefix, from)) onFound(from)
    }
}

type Found = {
  /** The words up to the end of the passage. */
  readonly words: readonly Word[]
  /** Whether the text has more words. */
  readonly hasMore: boolean
  /** The positions of the words that are found. */
  readonly found: ReadonlySet<number>
}

const foundWords = (text: string, terms: readonly SearchTerm[]): Found => {
  const words: Word[] = []
  const found = new Set<number>()
  let first = Infinity
  /** Both readings of the text so far, and the words of each group. */
  const plain: string[] = []
  const read: string[] = []
  const groups: Group[] = []
  const mark = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) found.add(at)
    first = Math.min(first, from)
  }
  const endGroup = (): void => {
    const group = groups.at(-1)
    if (group === undefined || plain.length === read.length) return
    endingTerms(read, terms, (from) => mark(groups[from]?.from ?? group.from, group.to))
    for (const inner of innerGroups(group))
      endingTerms([joined(plain, inner)], terms, () => mark(inner.from, inner.to))
  }
  let hasMore = false
  visitWords(text, (word) => {
    if (!word.isLinked) endGroup()
    if (word.start - (words[first]?.start ?? Infinity) > passageLength) {
      hasMore = true
      return false
    }
    const from = word.isLinked ? (groups.pop()?.from ?? plain.length) : plain.length
    if (word.isLinked) read.pop()
    words.push(word)
    plain.push(word.word)
    endingTerms(plain, terms, (at) => mark(at, plain.length))
    groups.push({ from, to: plain.length })
    read.push(joined(plain, { from, to: plain.length }))
    return true
  })
  if (!hasMore) endGroup()
  return { words, hasMore, found }
}

/** The place of each mark: found words, with those that are linked to each other in one. */
const marksOf = ({ words, found }: Found): readonly Pick<Word, 'start' | 'end'>[] => {
  const marks: { start: number; end: number }[] = []
  for (const [at, { start, end, isLinked }] of words.entries()) {
    const last = marks.at(-1)
    if (!found.has(at)) continue
    if (last !== undefined && isLinked && found.has(at - 1)) last.end = end
    else marks.push({ start, end })
  }
  return marks
}

const passage = (text: string, place: Found): string | null => {
  const { words, hasMore } = place
  const marks = marksOf(place)
  const [first] = marks
  if (first === undefined) return null
  const near = words.find(({ start, isLinked }) => !isLinked && start >= first.start - lengthBefore)
  const start = first.start <= lengthBefore ? 0 : Math.min(near?.start ?? first.start, first.start)
  const most = Math.max(first.end, start + passageLength)
  const last = words.findLast(({ end }) => end <= most)
  const isLastWord = !hasMore && last === words.at(-1)
  const isWhole = isLastWord && text.length <= most + lengthBefore
  const end = isWhole ? text.length : (last?.end ?? first.end)
  let marked = start === 0 ? '' : '… '
  let position = start
  for (const mark of marks) {
    if (mark.end > end) break
    marked += `${escaped(text.slice(position, mark.start))}<mark>${escaped(text.slice(mark.start, mark.end))}</mark>`
    position = mark.end
  }
  return `${marked}${escaped(text.slice(position, end))}${end < text.length ? ' …' : ''}`
}

/**
 * A passage of the first of the texts that contains a term of the query, with its words in `<mark>`, as HTML whose only
 * element is `mark`; null if no text contains one. It begins and ends at a word.
 */
export const highlight = (texts: Iterable<string>, terms: readonly SearchTerm[]): string | null => {
  for (const each of texts) {
    const text = each.replace(/\s+/g, ' ').trim()
    const found = passage(text, foundWords(text, terms))
    if (found !== null) return found
  }
  return null
}
