import type { Collection } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Dialect } from './dialect.js'
import { indexesOf, layoutOf, layoutsOf } from './layout.js'
import { migrationOf } from './migrate-steps.js'
import { runSteps } from './statement.js'
import { exampleDialect } from './test-support/example-store.js'

const articles: Collection = {
  name: 'articles',
  heavy: [],
  keys: {
    kind: 'text',
    section: 'text',
    live: 'text',
    issued: 'text',
    rank: 'number',
    open: 'boolean',
    tags: 'texts',
  },
  indexes: [
    ['kind', 'section', 'live', 'issued'],
    ['section', 'live', 'rank'],
    ['tags', 'section', 'issued'],
    ['live', 'issued'],
  ],
  groupCounts: [{ key: 'tags', within: ['kind', 'open'] }],
}

const most = 3072

/** Declares lengths as InnoDB does. */
const dialect: Dialect = {
  ...exampleDialect,
  types: { ...exampleDialect.types, bytes: (bytes) => `VARBINARY(${bytes})` },
  declaredIndexes: { most, beginning: (column, bytes) => `${column}(${bytes})` },
}

/** The columns of an index or a key, with the bytes that it has of each; integers have 8. */
const declaredIn = (columns: string, lengths: ReadonlyMap<string, number>) =>
  columns.split(', ').map((each) => {
    const [, name = '', beginning] = /^(\w+)(?:\((\d+)\))?$/.exec(each) ?? []
    return { name, bytes: beginning === undefined ? (lengths.get(name) ?? 8) : Number(beginning) }
  })

const lengthsIn = (sql: string): ReadonlyMap<string, number> =>
  new Map(
    [...sql.matchAll(/(\w+) VARBINARY\((\d+)\)/g)].map(
      ([, name = '', bytes]) => [name, Number(bytes)] as const,
    ),
  )

describe('The tables of a collection', () => {
  const layout = layoutOf(articles, dialect)
  const tables = layout.create.map(({ sql }) => sql).filter((sql) => sql.startsWith('CREATE TABLE'))

  it('have columns as long as the longest values of their keys', () => {
    const lengths = lengthsIn(tables[0] ?? '')
    const lengthOf = (key: string) => lengths.get(layout.keys.get(key)?.column ?? '')
    expect(Object.keys(articles.keys).map(lengthOf)).to.deep.equal([512, 1024, 1024, 1024, 8, 1, undefined])
  })

  it('have indexes and primary keys with declared lengths within a limit, and with their last columns whole', () => {
    const all = new Map(tables.flatMap((sql) => [...lengthsIn(sql)]))
    const sum = (columns: string) => declaredIn(columns, all).reduce((total, { bytes }) => total + bytes, 0)
    for (const { columns, created } of indexesOf(layout)) {
      expect(sum(created.columns), created.columns).to.be.at.most(most)
      const last = columns.at(-1)?.column ?? 'instance'
      expect(created.columns.split(', ')).to.include(last)
    }
    for (const sql of tables) expect(sum(/PRIMARY KEY \((.*?)\)/.exec(sql)?.[1] ?? '')).to.be.at.most(most)
  })

  it('have whole columns in their indexes where values are measured', () => {
    for (const { columns, created } of indexesOf(layoutOf(articles, exampleDialect)))
      expect(created.columns).to.include(columns.map(({ column }) => column).join(', '))
  })

  it('get all their indexes at once', () => {
    const calls: (readonly [table: string, count: number])[] = []
    const layouts = layoutsOf([articles], {
      ...dialect,
      createIndexes: () => [],
    })
    const recording: Dialect = {
      ...dialect,
      createIndexes: (table, indexes) => {
        calls.push([table, indexes.length])
        return []
      },
    }
    runSteps(
      migrationOf(layouts, recording).migrate(() => undefined),
      () => ({ rows: [], changes: 0 }),
    )
    // Three of articles and that of their instances; one of tags.
    expect(calls.map(([, count]) => count)).to.deep.equal([4, 1])
    expect(new Set(calls.map(([table]) => table)).size).to.equal(2)
  })
})
