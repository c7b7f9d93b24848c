/**
 * The tokens of the words of a document in MongoDB: one list, which is part of the document. So one write stores both,
 * and one query combines words with every filter and order.
 */
import type { Document as Condition } from 'mongodb'
import { searchLevels, type SearchLevel } from '@publishing-service/domain/search'
import {
  isPrefixToken,
  type LevelWords,
  matchesWords,
  prefixToken,
  readDocument,
  unreadable,
  wordToken,
  type WordsCondition,
} from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import type { WordsWith } from './vocabulary.js'

/** The texts of a stored document. */
type StoredTexts = { readonly light: string; readonly heavy?: string }

/** Each token once. */
export const tokenList = (levels: readonly LevelWords[]): readonly string[] => [
  ...new Set(
    levels.flatMap(({ level, texts, prefixes }) => [
      ...texts.flat().map((word) => wordToken(level, word)),
      ...prefixes.map((prefix) => prefixToken(level, prefix)),
    ]),
  ),
]

const hasPhrase = ({ terms }: WordsCondition): boolean =>
  terms.some(({ readings }) => readings.some((words) => words.length > 1))

/** The beginnings of words that a condition has, without those that are tokens. */
export const longPrefixes = ({ terms }: WordsCondition): readonly string[] =>
  terms
    .flatMap(({ readings, isPrefix }) => (isPrefix ? readings.flatMap((words) => words.slice(-1)) : []))
    .filter((prefix) => !isPrefixToken(prefix))

const beginningWith = (level: SearchLevel, prefix: string, wordsWith: WordsWith): Condition => {
  if (isPrefixToken(prefix)) return { words: prefixToken(level, prefix) }
  const words = wordsWith(prefix)
  // Words have only letters and digits, so none is an operator.
  return words === null
    ? { words: { $regex: `^${wordToken(level, prefix)}` } }
    : { words: { $in: words.map((word) => wordToken(level, word)) } }
}

/** The conditions that all terms are in the list, at a level. */
const allAt = ({ terms }: WordsCondition, level: SearchLevel, wordsWith: WordsWith): readonly Condition[] =>
  terms.flatMap(({ readings, isPrefix }) => {
    const alternatives = readings.map((words) =>
      words.map((word, index) =>
        isPrefix && index === words.length - 1
          ? beginningWith(level, word, wordsWith)
          : { words: wordToken(level, word) },
      ),
    )
    return alternatives.length === 1
      ? alternatives.flat()
      : [{ $or: alternatives.map((conditions) => ({ $and: conditions })) }]
  })

const levelBefore = (level: SearchLevel): SearchLevel | undefined =>
  searchLevels[searchLevels.indexOf(level) - 1]

/** The conditions of documents with the words; those with a phrase must be tested too. */
export const wordsFilters = (condition: WordsCondition, wordsWith: WordsWith): readonly Condition[] => {
  const { best = 'body' } = condition
  const before = condition.best === undefined || hasPhrase(condition) ? undefined : levelBefore(best)
  return [
    ...allAt(condition, best, wordsWith),
    ...(before === undefined ? [] : [{ $nor: [{ $and: allAt(condition, before, wordsWith) }] }]),
  ]
}

/** Tests documents for phrases; null without any. The list does not have the order of the words. */
export const testOfPhrases = (
  layout: CollectionLayout,
  words: WordsCondition | undefined,
): ((stored: StoredTexts) => boolean) | null =>
  words === undefined || !hasPhrase(words)
    ? null
    : ({ light, heavy }) => {
        const value = readDocument(light, heavy ?? null)
        return value !== unreadable && matchesWords(layout, words, value)
      }
