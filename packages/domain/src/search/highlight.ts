import type { SearchTerm } from './search-terms.js'
import { visitWords, type Word } from './words.js'

/** Characters of a passage, about. */
const passageLength = 200

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const isFound = (word: string, terms: readonly SearchTerm[]): boolean =>
  terms.some(({ words, isPrefix }) =>
    words.some((each, i) => word === each || (isPrefix && i === words.length - 1 && word.startsWith(each))),
  )

/** The first word that is found, and those after it in the passage. */
const foundWords = (text: string, terms: readonly SearchTerm[]): readonly Word[] => {
  const found: Word[] = []
  visitWords(text, (word) => {
    const [first] = found
    if (first !== undefined && word.end - first.start > passageLength) return false
    if (isFound(word.word, terms)) found.push(word)
    return true
  })
  return found
}

/** The position of the next space before or after a position. */
const spaceBefore = (text: string, at: number): number => text.lastIndexOf(' ', at) + 1
const spaceAfter = (text: string, at: number): number => {
  const found = text.indexOf(' ', at)
  return found === -1 ? text.length : found
}

const passage = (text: string, found: readonly Word[], first: Word): string => {
  const before = Math.max(0, first.start - passageLength / 4)
  const start = before === 0 ? 0 : Math.max(Math.min(spaceBefore(text, before), first.start), before)
  const after = Math.min(text.length, start + passageLength)
  const last = found.findLast(({ end }) => end <= Math.max(after, first.end)) ?? first
  const end = Math.max(last.end, Math.min(spaceAfter(text, after), after + passageLength / 4))
  let marked = start === 0 ? '' : '… '
  let position = start
  for (const word of found) {
    if (word.end > end) break
    marked += `${escaped(text.slice(position, word.start))}<mark>${escaped(text.slice(word.start, word.end))}</mark>`
    position = word.end
  }
  return `${marked}${escaped(text.slice(position, end))}${end < text.length ? ' …' : ''}`
}

/**
 * A passage of the first of the texts that contains a word of the query, with the words in `<mark>`, as HTML whose only
 * element is `mark`; null if no text contains one.
 */
export const highlight = (texts: Iterable<string>, terms: readonly SearchTerm[]): string | null => {
  for (const each of texts) {
    const text = each.replace(/\s+/g, ' ').trim()
    const found = foundWords(text, terms)
    const [first] = found
    if (first !== undefined) return passage(text, found, first)
  }
  return null
}
