/** Conditions on words as FTS5 expressions. Words have only letters and digits, so no word is an operator. */
import type { SearchLevel, SearchTerm } from '@publishing-service/domain/search'
import {
  isPrefixToken,
  prefixToken,
  requireSearched,
  vocabularyRange,
  wordOfEntry,
  wordToken,
  type WordsCondition,
} from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import type { ReadRows } from './page-rows.js'
import { instanceToken } from './search-tables.js'

/** Words that a prefix is replaced by; with more, FTS5 merges all documents of the prefix before it returns the first. */
const maxExpansions = 1000

/** The expression that matches the documents, or null if there are none. */
export const searchMatch = (
  rows: ReadRows,
  layout: CollectionLayout,
  instance: number,
  { terms, best }: WordsCondition,
): string | null => {
  requireSearched(layout.declared)
  const { search } = layout
  if (search === null) return null

  const expansions = (prefix: string): readonly string[] | null => {
    const found = rows<readonly [string]>(
      `SELECT word FROM ${search.vocabulary} WHERE word >= ? AND word < ? LIMIT ?`,
      [...vocabularyRange(instance, prefix), maxExpansions + 1],
    )
    return found.length > maxExpansions ? null : found.map(([entry]) => wordOfEntry(entry))
  }

  type Part = (level: SearchLevel) => string

  const inQuotes = (tokens: readonly string[]): string =>
    `"${tokens.map((token) => instanceToken(instance, token)).join(' ')}"`

  /** Null if no document contains the reading. */
  const partOfReading = (words: readonly string[], isPrefix: boolean): Part | null => {
    const phrase: Part = (level) => inQuotes(words.map((word) => wordToken(level, word)))
    if (!isPrefix) return phrase
    const [prefix = '', ...others] = words
    if (others.length > 0) return (level) => `${phrase(level)} *`
    if (isPrefixToken(prefix)) return (level) => inQuotes([prefixToken(level, prefix)])
    const found = expansions(prefix)
    if (found === null) return (level) => `${phrase(level)} *`
    if (found.length === 0) return null
    return (level) => `(${found.map((word) => inQuotes([wordToken(level, word)])).join(' OR ')})`
  }

  /** Null if no document contains the term. */
  const partOf = ({ readings, isPrefix }: SearchTerm): Part | null => {
    const parts = readings.map((words) => partOfReading(words, isPrefix)).filter((part) => part !== null)
    return parts.length === 0 ? null : (level) => `(${parts.map((part) => part(level)).join(' OR ')})`
  }

  const parts = terms.map(partOf)
  const possible = parts.filter((part) => part !== null)
  if (possible.length < parts.length || possible.length === 0) return null
  const at: Part = (level) => `(${possible.map((part) => part(level)).join(' AND ')})`
  if (best === 'title') return at('title')
  if (best === 'description') return `${at('description')} NOT ${at('title')}`
  return best === undefined ? at('body') : `${at('body')} NOT ${at('description')}`
}
