/**
 * The words of documents in PostgreSQL: a table with a row for each document. Its `tsvector` has the tokens of the
 * document without positions, each after the number of the instance, so that its index alone finds words and their
 * beginnings at each level. `texts` has the words in their order; phrases are found there, among the rows that contain
 * their words. Positions of a `tsvector` would end after 16 383 words, and after 256 of one word.
 */
import type { SearchLevel, SearchTerm } from '@publishing-service/domain/search'
import {
  isPrefixToken,
  type LevelWords,
  prefixToken,
  wordsByLevel,
  wordToken,
} from '@publishing-service/ports/search-tokens'
import {
  type Parameters,
  plainStatement,
  quoted,
  withoutStatement,
  type Words,
  type WordsLayout,
} from '@publishing-service/sql-kit'

/** Incremented when other rows are made of the same words. */
const version = 1

/** UTF-16 units of a word in the index, which has entries of at most 2 KB; of a longer word, the first ones. */
const longestWord = 100

/** Bytes of all tokens of a document; a `tsvector` has at most 1 MiB. */
const mostBytes = 1_000_000

/** The token of a document that has more, in place of all others: its words are found in its texts. */
const manyWords = (instance: number): string => `${instance}z`

const shortened = (word: string): string => (word.length > longestWord ? word.slice(0, longestWord) : word)

const tokensOf = (instance: number, levels: readonly LevelWords[]): string => {
  const tokens = new Set<string>()
  for (const { level, texts, prefixes } of levels) {
    for (const text of texts)
      for (const word of text) tokens.add(`${instance}${wordToken(level, shortened(word))}`)
    for (const prefix of prefixes) tokens.add(`${instance}${prefixToken(level, prefix)}`)
  }
  const all = [...tokens].join(' ')
  return Buffer.byteLength(all) > mostBytes ? manyWords(instance) : all
}

/** Each text between spaces, and a bar after it, so that no phrase is found across texts. */
const joined = (texts: readonly (readonly string[])[]): string =>
  texts.map((text) => ` ${text.join(' ')} |`).join('')

const characters = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const tableOf = ({ table }: Pick<WordsLayout, 'table'>): string => quoted(`${table}_words`)

/** A token in a `tsquery`. */
const inQuotes = (token: string): string => `'${token.replaceAll(/['\\]/g, '$&$&')}'`

type Reading = SearchTerm['readings'][number]

/** The `tsquery` that all documents with the reading at this level match. */
const queryOfReading = (instance: number, words: Reading, isPrefix: boolean, level: SearchLevel): string => {
  const [first = ''] = words
  if (isPrefix && words.length === 1 && isPrefixToken(first))
    return inQuotes(`${instance}${prefixToken(level, first)}`)
  const all = words.map((word, i) => {
    const token = inQuotes(`${instance}${wordToken(level, shortened(word))}`)
    return isPrefix && i === words.length - 1 ? `${token}:*` : token
  })
  return all.length === 1 ? all.join('') : `(${all.join(' & ')})`
}

const queryOf = (instance: number, terms: readonly SearchTerm[], level: SearchLevel): string =>
  terms
    .map(
      ({ readings, isPrefix }) =>
        `(${readings.map((words) => queryOfReading(instance, words, isPrefix, level)).join(' | ')})`,
    )
    .join(' & ')

/** Whether only documents with the terms match their query. */
const isExact = (terms: readonly SearchTerm[]): boolean =>
  terms.every(({ readings }) =>
    readings.every(([first = '', ...others]) => others.length === 0 && first.length <= longestWord),
  )

/** Where the texts of a level, and of those before it, end in `texts`. */
const ends: Readonly<Record<SearchLevel, string>> = {
  title: 'w.titles_end',
  description: 'w.descriptions_end',
  body: 'length(w.texts)',
}

/** The level before a level, whose words are found at it too. */
const levelBefore: Readonly<Record<SearchLevel, SearchLevel | null>> = {
  title: null,
  description: 'title',
  body: 'description',
}

/** The SQL condition for the rows whose texts at this level contain the terms. */
const textsCondition = (terms: readonly SearchTerm[], level: SearchLevel, parameters: Parameters): string =>
  terms
    .map(({ readings, isPrefix }) => {
      const places = readings.map((words) => {
        const text = ` ${words.join(' ')}${isPrefix ? '' : ' '}`
        return `strpos(w.texts, ${parameters.add(text)}) BETWEEN 1 AND ${ends[level]}`
      })
      return `(${places.join(' OR ')})`
    })
    .join(' AND ')

export const postgresqlWords: Words = {
  version,
  create: (layout) => [
    plainStatement(
      `CREATE TABLE ${tableOf(layout)} (position BIGINT PRIMARY KEY, tokens TSVECTOR NOT NULL, titles_end INTEGER NOT NULL, descriptions_end INTEGER NOT NULL, texts TEXT NOT NULL)`,
    ),
    plainStatement(
      `CREATE INDEX ${quoted(`${layout.table}_tokens`)} ON ${tableOf(layout)} USING GIN (tokens)`,
    ),
  ],
  drop: (layout) => [plainStatement(`DROP TABLE IF EXISTS ${tableOf(layout)}`)],
  *put(layout, instance, position, value) {
    const { levels } = wordsByLevel(layout.searched, value)
    const textsAt = (at: SearchLevel): string => joined(levels.find(({ level }) => level === at)?.texts ?? [])
    yield {
      sql: `INSERT INTO ${tableOf(layout)} VALUES ($1, $2, $3, $4, $5) ON CONFLICT (position) DO UPDATE SET tokens = excluded.tokens, titles_end = excluded.titles_end, descriptions_end = excluded.descriptions_end, texts = excluded.texts`,
      parameters: [
        position,
        tokensOf(instance, levels),
        characters(textsAt('title')),
        characters(textsAt('description')),
        textsAt('body'),
      ],
      isBlind: true,
    }
  },
  *remove(layout, _instance, position) {
    yield { sql: `DELETE FROM ${tableOf(layout)} WHERE position = $1`, parameters: [position], isBlind: true }
  },
  find: (layout, instance, { terms, best }) => {
    if (terms.length === 0) return withoutStatement(null)
    const level = best ?? 'body'
    const other = best === undefined ? null : levelBefore[best]
    const isSure = isExact(terms)
    const many = inQuotes(manyWords(instance))
    const without = other === null || !isSure ? '' : ` & !(${queryOf(instance, terms, other)})`
    const query = `(${queryOf(instance, terms, level)}${without}) | ${many}`
    return withoutStatement({
      table: tableOf(layout),
      position: 'position',
      condition: (parameters) => {
        const inTexts = (at: SearchLevel): string => textsCondition(terms, at, parameters)
        const tokens = `w.tokens @@ ${parameters.add(query)}::tsquery`
        const texts = `${inTexts(level)}${other === null ? '' : ` AND NOT (${inTexts(other)})`}`
        return isSure
          ? `${tokens} AND (NOT w.tokens @@ ${parameters.add(many)}::tsquery OR (${texts}))`
          : `${tokens} AND ${texts}`
      },
    })
  },
}
