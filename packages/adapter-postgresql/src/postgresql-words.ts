/**
 * The words of documents in PostgreSQL: a table with two rows for each document, one of its title and description and one of
 * its body, so that a change of a title does not write the words of the body. The `tsvector` of a row has its tokens without
 * positions, each after the number of the instance, so that its index alone finds words and their beginnings at each level.
 * `texts` has the words in their order; phrases are found there, among the rows that contain their words. Positions of a
 * `tsvector` would end after 16 383 words, and after 256 of one word.
 */
import {
  searchedWords,
  type SearchedWords,
  type SearchLevel,
  type SearchTerm,
} from '@publishing-service/domain/search'
import {
  foundByLevel,
  isPrefixToken,
  type LevelWords,
  prefixToken,
  wordToken,
} from '@publishing-service/ports/search-tokens'
import {
  type Parameter,
  type Parameters,
  plainStatement,
  quoted,
  statementsWith,
  type Steps,
  type Words,
  type WordsLayout,
} from '@publishing-service/sql-kit'

/** Incremented when other rows are made of the same words. */
const version = 2

/** UTF-16 units of a word in the index, which has entries of at most 2 KB; of a longer word, the first ones. */
const longestWord = 100

/** Bytes of all tokens of a row; a `tsvector` has at most 1 MiB. */
const mostBytes = 1_000_000

/** The parts of a document that have a row: the head with the levels `title` and `description`, and the body. */
const parts = { head: 0, body: 1 } as const

type Part = keyof typeof parts

const partOf = (level: SearchLevel): Part => (level === 'body' ? 'body' : 'head')

/** The token of a row that has more, in place of all others: its words are found in its texts. */
const manyWords = (instance: number, part: Part): string => `${instance}${part === 'head' ? 'y' : 'z'}`

const shortened = (word: string): string => (word.length > longestWord ? word.slice(0, longestWord) : word)

const tokensOf = (instance: number, part: Part, levels: readonly LevelWords[]): string => {
  const tokens = new Set<string>()
  for (const { level, texts, prefixes } of levels) {
    for (const text of texts)
      for (const word of text) tokens.add(`${instance}${wordToken(level, shortened(word))}`)
    for (const prefix of prefixes) tokens.add(`${instance}${prefixToken(level, prefix)}`)
  }
  const all = [...tokens].join(' ')
  return Buffer.byteLength(all) > mostBytes ? manyWords(instance, part) : all
}

/** Each text between spaces, and a bar after it, so that no phrase is found across texts. */
const joined = (texts: readonly (readonly string[])[]): string =>
  texts.map((text) => ` ${text.join(' ')} |`).join('')

const characters = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** The row of a part, after its position. */
const rowOf = (instance: number, part: Part, { title, description, body }: SearchedWords): Parameter[] => {
  const own: SearchedWords =
    part === 'head' ? { title, description, body: [] } : { title: [], description: [], body }
  const levels = foundByLevel(own).levels.filter(({ level }) => partOf(level) === part)
  const titles = joined(own.title)
  return [
    parts[part],
    tokensOf(instance, part, levels),
    characters(titles),
    titles + joined(own.description) + joined(own.body),
  ]
}

const statement = statementsWith((index) => `$${index}`)

const tableOf = ({ table }: Pick<WordsLayout, 'table'>): string => quoted(`${table}_words`)

/** A token in a `tsquery`. */
const inQuotes = (token: string): string => `'${token.replaceAll(/['\\]/g, '$&$&')}'`

type Reading = SearchTerm['readings'][number]

/** The `tsquery` that all rows with the reading at this level match. */
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

/** The `tsquery` that all rows with the terms at one of these levels match. */
const queryOf = (instance: number, terms: readonly SearchTerm[], levels: readonly SearchLevel[]): string =>
  terms
    .map(({ readings, isPrefix }) => {
      const found = levels.flatMap((level) =>
        readings.map((words) => queryOfReading(instance, words, isPrefix, level)),
      )
      return `(${found.join(' | ')})`
    })
    .join(' & ')

/** Whether only rows with the terms match their query. */
const isExact = (terms: readonly SearchTerm[]): boolean =>
  terms.every(({ readings }) =>
    readings.every(([first = '', ...others]) => others.length === 0 && first.length <= longestWord),
  )

/** The SQL condition for the rows `w` whose texts contain the terms; those of the titles come first. */
const textsCondition = (terms: readonly SearchTerm[], isTitle: boolean, parameters: Parameters): string =>
  terms
    .map(({ readings, isPrefix }) => {
      const places = readings.map((words) => {
        const text = ` ${words.join(' ')}${isPrefix ? '' : ' '}`
        return `strpos(w.texts, ${parameters.add(text)}) BETWEEN 1 AND ${isTitle ? 'w.titles_end' : 'length(w.texts)'}`
      })
      return `(${places.join(' OR ')})`
    })
    .join(' AND ')

/** What a row is tested for. */
type RowTest = {
  readonly instance: number
  readonly terms: readonly SearchTerm[]
  /** The levels by which a row of each part is found. */
  readonly levels: readonly SearchLevel[]
  /** Whether rows with all terms in titles are left out. */
  readonly isWithoutTitles?: boolean
}

/** The SQL condition for the rows `w` that contain all terms at one of the levels. */
const rowCondition = (
  { instance, terms, levels, isWithoutTitles = false }: RowTest,
  parameters: Parameters,
): string => {
  const isSure = isExact(terms)
  const many = levels.map((level) => inQuotes(manyWords(instance, partOf(level)))).join(' | ')
  const without = isWithoutTitles && isSure ? ` & !(${queryOf(instance, terms, ['title'])})` : ''
  const query = `(${queryOf(instance, terms, levels)}${without}) | ${many}`
  const isHead = levels.every((level) => partOf(level) === 'head')
  const tokens = `${isHead ? `w.part = ${parts.head} AND ` : ''}w.tokens @@ ${parameters.add(query)}::tsquery`
  const isTitle = levels.includes('title')
  const inTexts = (): string => {
    const found = textsCondition(terms, isTitle, parameters)
    return isWithoutTitles ? `${found} AND NOT (${textsCondition(terms, true, parameters)})` : found
  }
  return isSure
    ? `${tokens} AND (NOT w.tokens @@ ${parameters.add(many)}::tsquery OR (${inTexts()}))`
    : `${tokens} AND ${inTexts()}`
}

/** The levels by which words are found anywhere: the head has what is found at `description`. */
const anywhere = ['description', 'body'] as const

/** Terms that may be read first. */
const mostJoined = 3

/** The longest, which are likely to be the rarest, come first. */
const longestFirst = (terms: readonly SearchTerm[]): readonly SearchTerm[] => {
  const lengthOf = ({ readings }: SearchTerm): number =>
    Math.min(...readings.map((words) => words.join(' ').length))
  return terms.toSorted((a, b) => lengthOf(b) - lengthOf(a))
}

/** Documents that are read by their positions, if no more meet a test. */
const mostFew = 300

/** The positions of the documents that meet the first test that few meet. Of rare words, the database estimates too many. */
function* fewPositions(table: string, tests: readonly RowTest[]): Steps<readonly number[] | null> {
  for (const test of tests.slice(0, mostJoined)) {
    const { rows } = yield statement(
      (parameters) =>
        `SELECT w.position FROM ${table} AS w WHERE ${rowCondition(test, parameters)} LIMIT ${mostFew + 1}`,
    )
    if (rows.length <= mostFew) return rows.map(([position]) => Number(position))
  }
  return null
}

export const postgresqlWords: Words = {
  version,
  create: (layout) => [
    plainStatement(
      `CREATE TABLE ${tableOf(layout)} (position BIGINT, part SMALLINT, tokens TSVECTOR NOT NULL, titles_end INTEGER NOT NULL, texts TEXT NOT NULL, PRIMARY KEY (position, part))`,
    ),
    plainStatement(
      `CREATE INDEX ${quoted(`${layout.table}_tokens`)} ON ${tableOf(layout)} USING GIN (tokens)`,
    ),
  ],
  drop: (layout) => [plainStatement(`DROP TABLE IF EXISTS ${tableOf(layout)}`)],
  *put(layout, instance, position, value, levels) {
    const changed = new Set(levels.map(partOf))
    const read = layout.searched.filter(({ level }) => changed.has('body') || partOf(level) === 'head')
    const own = searchedWords(read, value)
    const written = new Set(read.map(({ level }) => partOf(level)).filter((part) => changed.has(part)))
    if (written.size === 0) return
    yield {
      ...statement((parameters) => {
        const rows = Array.from(
          written,
          (part) => `(${parameters.addAll([position, ...rowOf(instance, part, own)])})`,
        )
        return `INSERT INTO ${tableOf(layout)} VALUES ${rows.join(', ')} ON CONFLICT (position, part) DO UPDATE SET tokens = excluded.tokens, titles_end = excluded.titles_end, texts = excluded.texts`
      }),
      isBlind: true,
    }
  },
  *remove(layout, _instance, position) {
    yield { sql: `DELETE FROM ${tableOf(layout)} WHERE position = $1`, parameters: [position], isBlind: true }
  },
  *find(layout, instance, { terms, best }) {
    if (terms.length === 0) return null
    const table = tableOf(layout)
    const ofHead: RowTest | null =
      best === 'title' || best === 'description'
        ? { instance, terms, levels: [best], isWithoutTitles: best === 'description' }
        : null
    const tests =
      ofHead === null
        ? longestFirst(terms).map((term): RowTest => ({ instance, terms: [term], levels: anywhere }))
        : [ofHead]
    const few = yield* fewPositions(table, tests)
    if (few?.length === 0) return null
    if (few === null && ofHead !== null)
      return { table, position: 'position', condition: (parameters) => rowCondition(ofHead, parameters) }
    /** Whether the database chooses which is read first. With each, planning takes twice as long. */
    const isJoined = (i: number): boolean => few === null && i < mostJoined
    return {
      table: null,
      position: 'position',
      condition: (parameters) => {
        const conditions = tests.map((test, i) => {
          const row = rowCondition(test, parameters)
          return isJoined(i)
            ? `d.position IN (SELECT w.position FROM ${table} AS w WHERE ${row})`
            : // With OFFSET, it is tested for each document.
              `EXISTS (SELECT 1 FROM ${table} AS w WHERE w.position = d.position AND ${row} OFFSET 0)`
        })
        if (few !== null) conditions.push(`d.position = ANY (${parameters.add(`{${few.join()}}`)}::bigint[])`)
        if (best === 'body') {
          const row = rowCondition({ instance, terms, levels: ['description'] }, parameters)
          conditions.push(`NOT EXISTS (SELECT 1 FROM ${table} AS w WHERE w.position = d.position AND ${row})`)
        }
        return conditions.join(' AND ')
      },
    }
  },
}
