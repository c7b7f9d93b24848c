/**
 * The words of a document in MongoDB: one list of all words, each after the letter of a level. The words of a level are
 * also in those after it, so the documents of a level are those that contain all words at this level. The list is part
 * of the document, so that one write stores both, and one query combines words with every filter and order.
 */
import type { Document as Condition } from 'mongodb'
import {
  searchedWords,
  searchLevels,
  type JsonObject,
  type SearchedAttribute,
  type SearchLevel,
} from '@publishing-service/domain'
import { matchesWords, readDocument, unreadable, type WordsCondition } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'

/** The texts of a stored document. */
type StoredTexts = { readonly light: string; readonly heavy?: string }

const letters: Readonly<Record<SearchLevel, string>> = { title: 'a', description: 'b', body: 'c' }

export const wordsOf = (searched: readonly SearchedAttribute[], value: JsonObject): readonly string[] => {
  const byLevel = searchedWords(searched, value)
  const levels = searchLevels.map((level, index) =>
    searchLevels
      .slice(0, index + 1)
      .flatMap((each) => byLevel[each].flat())
      .map((word) => `${letters[level]}${word}`),
  )
  return [...new Set(levels.flat())]
}

const hasPhrase = ({ terms }: WordsCondition): boolean => terms.some(({ words }) => words.length > 1)

/** The conditions that all words are in the list of a level. Words have only letters and digits. */
const allAt = ({ terms }: WordsCondition, level: SearchLevel): readonly Condition[] =>
  terms.flatMap(({ words, isPrefix }) =>
    words.map((word, index) =>
      isPrefix && index === words.length - 1
        ? { words: { $regex: `^${letters[level]}${word}` } }
        : { words: `${letters[level]}${word}` },
    ),
  )

const levelBefore = (level: SearchLevel): SearchLevel | undefined =>
  searchLevels[searchLevels.indexOf(level) - 1]

/** The conditions of documents with the words; those with a phrase must be tested too. */
export const wordsFilters = (condition: WordsCondition): readonly Condition[] => {
  const { best = 'body' } = condition
  const before = condition.best === undefined || hasPhrase(condition) ? undefined : levelBefore(best)
  return [
    ...allAt(condition, best),
    ...(before === undefined ? [] : [{ $nor: [{ $and: allAt(condition, before) }] }]),
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
