import {
  bestLevel,
  parseSearchTerms,
  searchedWords,
  searchLevels,
  type SearchTerm,
} from '@publishing-service/domain/search'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { type Collection, type Document, singleChanges } from '@publishing-service/ports'
import { layoutNamed, layoutsOf } from '@publishing-service/sql-kit'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { fillPostgresqlDatabase } from './fill-database.js'
import { postgresqlDialect } from './postgresql-dialect.js'
import { postgresqlDocumentStore } from './postgresql-document-store.js'
import { all, newDatabase, right, withDriver } from './test-support/database.js'
import { type PostgresqlServer, startPostgresql } from './test-support/servers.js'

const searched = [
  { name: 'title', level: 'title', isMarkup: false },
  { name: 'description', level: 'description', isMarkup: false },
  { name: 'content', level: 'body', isMarkup: false },
] as const

const articles: Collection = {
  name: 'articles',
  heavy: ['content'],
  keys: { rank: 'number' },
  indexes: [['rank']],
  groupCounts: [],
  searched,
}
const instance = 1
const documents = 2000

/** The words whose divisor divides the number. */
const wordsOf = (number: number, divisors: Readonly<Record<string, number>>): string =>
  Object.entries(divisors)
    .flatMap(([word, divisor]) => (number % divisor === 0 ? [word] : []))
    .join(' ')

const valueOf = (number: number): JsonObject => ({
  title: wordsOf(number, { story: 1, market: 2, garden: 7, [`only${number}`]: 1 }),
  description: wordsOf(number, { market: 3, harbour: 2, bridge: 5, [`rare${number % 200}`]: 1 }),
  content: wordsOf(number, { garden: 3, bridge: 2, harbour: 7, market: 11, tower: 4, mill: 3, theatre: 2 }),
  rank: number,
})

const termsOf = (query: string): readonly SearchTerm[] => {
  const terms = parseSearchTerms(query)
  return E.isRight(terms) ? terms.right : expect.fail(query)
}

describe('postgresqlDocumentStore, words', function () {
  this.timeout(60_000)
  let server: PostgresqlServer
  before(async () => {
    server = await startPostgresql()
  })
  after(() => server.dispose())

  it('finds words that few and that many of 2000 documents contain, at each level', async () => {
    const url = server.url(await newDatabase(server))
    const values = Array.from({ length: documents }, (_, position) => ({
      position,
      value: valueOf(position),
    }))
    await fillPostgresqlDatabase(
      { url, collections: [articles] },
      values.map(({ position, value }) => ({
        collection: articles.name,
        instance,
        document: { id: `${position}`, unique: null, position, value },
      })),
    )
    const store = await postgresqlDocumentStore({ url, collections: [articles] })
    for (const query of [
      'story',
      'market',
      'nowhere',
      'only77',
      'rare7',
      'market harbour',
      'garden bridge',
      'market rare9',
      'story only500 bridge',
      'market harbour garden bridge tower mill theatre',
      '"garden bridge"',
      '"market garden" story',
      'ga br',
      'theat harb',
      'only19',
    ]) {
      const terms = termsOf(query)
      const levels = values.map(({ value }) => bestLevel(searchedWords(searched, value), terms))
      for (const best of [undefined, ...searchLevels])
        for (const order of [[], [{ key: 'rank', direction: 'desc' as const }]]) {
          const expected = values.flatMap(({ position }, i) => {
            const level = levels[i] ?? null
            return level !== null && (best === undefined || level === best) ? [`${position}`] : []
          })
          if (order.length > 0) expected.reverse()
          const words = best === undefined ? { terms } : { terms, best }
          const found = await right(
            store.find(articles.name, instance, { ...all, order, limit: documents, words }),
          )
          expect(
            found.documents.map(({ id }) => id),
            JSON.stringify({ query, best, order }),
          ).to.deep.equal(expected)
        }
    }
    await store.close()
  })

  it('writes the words of texts that a change changes, and no others', async () => {
    const url = server.url(await newDatabase(server))
    const store = await postgresqlDocumentStore({ url, collections: [articles] })
    let position = 0
    const { insert, replace } = singleChanges(store, () => ++position)
    const { table } = layoutNamed(layoutsOf([articles], postgresqlDialect), articles.name)
    /** Where the rows of words are: another place after each write. */
    const places = (): Promise<readonly string[]> =>
      withDriver(url, async (client) => {
        const { rows } = await client.query<{ ctid: string }>(
          `SELECT ctid::text FROM "${table}_words" ORDER BY position, part`,
        )
        return rows.map(({ ctid }) => ctid)
      })
    let document: Document = await right(
      insert(articles.name, instance, { id: 'a', unique: null, value: valueOf(2) }),
    )
    /** Whether a change writes the rows of the head and of the body. */
    const written = async (change: JsonObject): Promise<readonly boolean[]> => {
      const old = await places()
      const { id, version, value } = document
      const changed = { id, version, unique: null, value: { ...value, ...change } }
      document = await right(replace(articles.name, instance, changed))
      return (await places()).map((place, i) => place !== old[i])
    }
    expect(await written({ rank: 5 })).to.deep.equal([false, false])
    expect(await written({ title: 'Another' })).to.deep.equal([true, false])
    expect(await written({ description: 'Others' })).to.deep.equal([true, false])
    expect(await written({ content: 'Words' })).to.deep.equal([false, true])
    expect(await written({ title: 'Both', content: 'Long words '.repeat(10_000) })).to.deep.equal([
      true,
      true,
    ])
    // Of such a length some words could be left out, more of them after a longer title.
    expect(await written({ title: 'A longer one' })).to.deep.equal([true, true])
    expect(await written({ rank: 6 })).to.deep.equal([false, false])
    await store.close()
  })
})
