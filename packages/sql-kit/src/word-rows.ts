/**
 * Words in a table with a row for each place of a word, for databases without a full-text index that finds what the port
 * defines. A phrase is a join of rows whose places follow each other.
 */
import {
  maxWordLength,
  searchedWords,
  searchLevels,
  type SearchLevel,
  type SearchTerm,
} from '@publishing-service/domain/search'
import type { Dialect, Words, WordsLayout } from './dialect.js'
import {
  textBytes,
  type Parameters,
  plainStatement,
  quoted,
  statementsWith,
  type Steps,
  withoutStatement,
} from './statement.js'

/** Places between two texts, so that no phrase is found across them. */
const gap = 2

/** Bytes of the longest word. */
const longestWord = 4 * maxWordLength

/** Rows that one statement inserts. */
const rowsAtOnce = 100

/** The levels by the number in the table: what is found at a level is also found at those with a greater number. */
const numberOf = (level: SearchLevel): number => searchLevels.indexOf(level)

/** After every word that begins with a prefix. */
const afterPrefix = (prefix: string): string => `${prefix}\u{10ffff}`

const tableOf = ({ table }: Pick<WordsLayout, 'table'>): string => quoted(`${table}_words`)

export const wordRows = ({
  types,
  placeholder,
  clustered,
}: Pick<Dialect, 'types' | 'placeholder' | 'clustered'>): Words => {
  const { bytes, integer } = types
  const statement = statementsWith(placeholder)

  function* remove(layout: WordsLayout, _instance: number, position: number): Steps<void> {
    yield statement(
      (parameters) => `DELETE FROM ${tableOf(layout)} WHERE position = ${parameters.add(position)}`,
    )
  }

  /** Selects the positions of documents with a reading of a term, at a level. */
  const readingSql = (
    table: string,
    instance: number,
    words: readonly string[],
    isPrefix: boolean,
    level: number,
    parameters: Parameters,
  ): string => {
    const joins = words.map((word, i) => {
      const row = `w${i}`
      const isRange = isPrefix && i === words.length - 1
      const tests = [
        `${row}.instance = ${parameters.add(instance)}`,
        isRange
          ? `${row}.word >= ${parameters.add(textBytes(word))} AND ${row}.word < ${parameters.add(textBytes(afterPrefix(word)))}`
          : `${row}.word = ${parameters.add(textBytes(word))}`,
        `${row}.level <= ${parameters.add(level)}`,
        ...(i === 0 ? [] : [`${row}.position = w0.position AND ${row}.place = w0.place + ${i}`]),
      ]
      return { from: `${table} AS ${row}`, where: tests.join(' AND ') }
    })
    return `SELECT w0.position FROM ${joins.map(({ from }) => from).join(', ')} WHERE ${joins.map(({ where }) => where).join(' AND ')}`
  }

  /** The condition for documents that contain all terms at a level. */
  const atLevel = (
    table: string,
    instance: number,
    terms: readonly SearchTerm[],
    level: number,
    parameters: Parameters,
  ): string =>
    terms
      .map(({ readings, isPrefix }) => {
        const found = readings.map(
          (words) => `d.position IN (${readingSql(table, instance, words, isPrefix, level, parameters)})`,
        )
        return `(${found.join(' OR ')})`
      })
      .join(' AND ')

  return {
    version: 1,
    create: (layout) => [
      plainStatement(
        `CREATE TABLE ${tableOf(layout)} (instance ${integer} NOT NULL, word ${bytes(longestWord)} NOT NULL, position ${integer} NOT NULL, place ${integer} NOT NULL, level ${integer} NOT NULL, PRIMARY KEY (instance, word, position, place))${clustered}`,
      ),
      plainStatement(`CREATE INDEX ${quoted(`${layout.table}_places`)} ON ${tableOf(layout)} (position)`),
    ],
    drop: (layout) => [plainStatement(`DROP TABLE IF EXISTS ${tableOf(layout)}`)],
    *put(layout, instance, position, value) {
      yield* remove(layout, instance, position)
      const rows: (readonly [Uint8Array, number, number])[] = []
      const own = searchedWords(layout.searched, value)
      let place = 0
      for (const level of searchLevels)
        for (const text of own[level]) {
          for (const word of text) rows.push([textBytes(word), place++, numberOf(level)])
          place += gap
        }
      for (let at = 0; at < rows.length; at += rowsAtOnce)
        yield statement((parameters) => {
          const values = rows
            .slice(at, at + rowsAtOnce)
            .map(([word, ...rest]) => `(${parameters.addAll([instance, word, position, ...rest])})`)
          return `INSERT INTO ${tableOf(layout)} (instance, word, position, place, level) VALUES ${values.join(', ')}`
        })
    },
    remove,
    find: (layout, instance, { terms, best }) => {
      const table = tableOf(layout)
      const level = numberOf(best ?? 'body')
      if (terms.length === 0) return withoutStatement(null)
      return withoutStatement({
        table: null,
        position: 'position',
        condition: (parameters) => {
          const found = atLevel(table, instance, terms, level, parameters)
          return best === undefined || level === 0
            ? found
            : `${found} AND NOT (${atLevel(table, instance, terms, level - 1, parameters)})`
        },
      })
    },
  }
}
