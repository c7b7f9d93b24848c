import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import type { Filter, Order, Query } from '@publishing-service/ports'
import { collectionLayout } from './collection-layout.js'
import type { Parameter } from './key-column.js'
import { openReader } from './open-connection.js'
import { pagePlanner } from './page-planner.js'
import { analyse, dueAnalyses } from './statistics.js'
import { limitSlot, type Statement } from './query-plan.js'
import { migrateSchema } from './migrate-schema.js'
import { things } from './test-support/fixture-collection.js'
import { all, temporaryFolders } from './test-support/fixture.js'

const asc = (key: string): Order => ({ key, direction: 'asc' })
const desc = (key: string): Order => ({ key, direction: 'desc' })
const kind: Filter = { key: 'kind', equals: 'x' }
const open: Filter = { key: 'open', equals: true }

/** What an index alone can serve: filters by equality and the order, with a range on the order's first key. */
const served: readonly (readonly [readonly Filter[], readonly Order[]])[] = [
  [[], []],
  ...['title', 'kind', 'rank', 'open'].flatMap(
    (key) =>
      [
        [[], [asc(key)]],
        [[], [desc(key)]],
      ] as const,
  ),
  [[kind], []],
  [[kind], [asc('rank')]],
  [[kind], [desc('rank')]],
  [[kind], [asc('title')]],
  [[kind], [desc('title')]],
  [[{ key: 'kind', equals: null }], [desc('title')]],
  [[{ key: 'kind', oneOf: ['x'] }], [desc('title')]],
  [[kind], [desc('title'), asc('kind'), asc('title')]],
  [[kind, open], [asc('rank')]],
  [[open, kind], [desc('rank')]],
  [
    [kind, open],
    [desc('kind'), desc('rank')],
  ],
  [[kind], [asc('open'), asc('rank')]],
  [[kind], [desc('open'), desc('rank')]],
  [[], [asc('kind'), asc('rank')]],
  [[], [desc('kind'), desc('open'), desc('rank')]],
  [[{ key: 'rank', atLeast: 1, below: 5 }], [asc('rank')]],
  [[{ key: 'title', atMost: 'b' }], [desc('title')]],
  [[kind, { key: 'rank', atLeast: 1 }], [desc('rank')]],
]

const tagged: Filter = { key: 'tags', has: 'tag 1' }

/** What a walk along a list's texts serves: equal keys and the order by its index, any other filter on the way. */
const servedByTexts: typeof served = [
  [[tagged], []],
  [[tagged], [asc('title')]],
  [[tagged], [desc('title')]],
  [[kind, tagged], [asc('rank')]],
  [[tagged, kind], [desc('rank')]],
  [[tagged], [desc('kind'), desc('rank')]],
  [[{ anyOf: [[tagged]] }], [desc('title')]],
  [[tagged, { key: 'title', above: 't1' }], [asc('title')]],
  [[tagged, { key: 'rank', atLeast: 1, atMost: 5 }], [desc('title')]],
  [[{ key: 'rank', oneOf: [1, 2] }, tagged], [desc('title')]],
  [[tagged, { anyOf: [[open], [kind, { key: 'rank', equals: 1 }]] }], [desc('title')]],
  [[tagged, { key: 'tags', has: 'tag 2' }], [desc('title')]],
  [[{ key: 'places', has: 'place' }, tagged], [desc('title')]],
]

describe('Each read of a page', () => {
  const folder = temporaryFolders()
  const layout = collectionLayout(things)
  let database: Database.Database

  beforeEach(async () => {
    const file = join(await folder(), 'documents.sqlite')
    const made = await openReader(
      file,
      () => undefined,
      (opened) => migrateSchema(opened, [layout]),
    )
    made.close()
    database = new Database(file)
    database.exec(`INSERT INTO documents_things (instance, id, version, light, key_title, key_kind, key_rank, key_open, key_tags, key_places)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      SELECT 1, i, 1, json_object('title', 't' || (i % 100), 'kind', substr('xyz', i % 3, 1), 'rank', i % 7, 'open', json('true'), 'tags', json_array('tag ' || (i % 5), 'tag ' || (i % 7)), 'places', json_array('place')), 't' || (i % 100), substr('xyz', i % 3, 1), i % 7, 1, json_array('tag ' || (i % 5), 'tag ' || (i % 7)), json_array('place') FROM n`)
  })
  afterEach(() => database.close())

  const planned = (query: Query) =>
    pagePlanner(() => null)(layout, 1, query) ?? expect.fail('no document is asked for')

  const explained = (
    { sql, slots }: Statement,
    values: readonly Parameter[],
    ...more: readonly number[]
  ): readonly string[] => {
    const details = database
      .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...slots.map((slot) => values[slot]), ...more)
      .map(({ detail }) => detail)
    const reads: string[][] = [[]]
    for (const detail of details) {
      if (/^(MERGE .*|LEFT|RIGHT|CO-ROUTINE walked|SCAN walked|CORRELATED SCALAR SUBQUERY \d)$/.test(detail))
        reads.push([])
      else reads.at(-1)?.push(detail)
    }
    return reads.filter(({ length }) => length > 0).map((read) => read.join('; '))
  }

  /**
   * The plans of a page's reads, of the first page and of one after a cursor: each of the reads that SQLite merges,
   * and the lookups that test the rows of a walk.
   */
  const plansOf = (where: readonly Filter[], order: readonly Order[]): readonly string[] => {
    const query: Query = { ...all, where, order, limit: 100 }
    const keys = planned(query).order.map(
      ({ key }) => ({ title: 't5', kind: 'x', rank: 3, open: 1 })[key] ?? '',
    )
    return [query, { ...query, after: [...keys, 50] }].flatMap((each) => {
      const { plan, values } = planned(each)
      return explained('rows' in plan ? plan.rows : plan.walk.rows, values, 101, 0)
    })
  }

  for (const analysed of [false, true]) {
    it(`searches one index and sorts nothing, ${analysed ? 'with' : 'without'} statistics`, () => {
      if (analysed) for (const due of dueAnalyses(database)) analyse(database, due)
      for (const [where, order] of served) {
        for (const plan of plansOf(where, order)) {
          expect(plan, JSON.stringify({ where, order })).to.match(
            /^SEARCH documents_things USING INDEX documents_things_by\S* \(instance=\?[^;]*$/,
          )
        }
      }
    })
  }

  for (const analysed of [false, true]) {
    it(`walks along a list’s texts and sorts nothing, ${analysed ? 'with' : 'without'} statistics`, () => {
      if (analysed) for (const due of dueAnalyses(database)) analyse(database, due)
      for (const [where, order] of servedByTexts) {
        for (const plan of plansOf(where, order)) {
          const name = JSON.stringify({ where, order })
          // Another list's text is looked up for each document on the way.
          if (plan.startsWith('SEARCH listed')) {
            expect(plan, name).to.equal(
              'SEARCH listed USING PRIMARY KEY (instance=? AND text=? AND sequence=?)',
            )
            continue
          }
          const [first, last, ...rest] = plan.split('; ')
          expect(first, name).to.match(
            /^SEARCH documents_things\.texts\.tags USING (COVERING INDEX \S+_by_\S+|PRIMARY KEY) \(instance=\? AND text=\?/,
          )
          expect(last, name).to.equal('SEARCH documents_things USING INTEGER PRIMARY KEY (rowid=?)')
          expect(rest, name).to.deep.equal([])
        }
      }
    })
  }

  it('reads a page along the texts of a list from few of the documents that have the text', () => {
    const { plan, values } = planned({
      ...all,
      where: [tagged, { key: 'rank', atLeast: 1 }],
      order: [desc('title')],
    })
    if ('rows' in plan) return expect.fail('the rank is left to test')
    const { sql, slots } = plan.walk.rows
    let seen = 0
    database.function('seen', () => ++seen)
    const counting = sql.replace(' WHERE ', ' WHERE seen() > 0 AND ')
    expect(
      database
        .prepare(counting)
        .all(...slots.map((slot) => (slot === limitSlot ? 1000 : values[slot])), 20, 0).length,
    ).to.equal(20)
    expect(seen).to.be.within(20, 40)
  })

  it('searches for other orders and filters of a list', () => {
    for (const due of dueAnalyses(database)) analyse(database, due)
    for (const [where, order] of [
      [[tagged], [asc('rank')]],
      [[tagged, kind], [asc('title')]],
      [[{ key: 'places', has: 'place' }], [desc('title')]],
    ] as const) {
      for (const plan of plansOf(where, order))
        expect(plan)
          .to.match(/^SEARCH /)
          .and.not.include('SCAN')
    }
  })

  it('starts after the cursor: earlier rows are not read again', () => {
    for (const [order, expected] of [
      [[], ['instance=? AND sequence>?']],
      [[asc('title')], ['instance=? AND key_title=? AND sequence>?', 'instance=? AND key_title>?']],
      [[desc('title')], ['instance=? AND key_title=? AND sequence<?', 'instance=? AND key_title<?']],
    ] as const) {
      const [, ...following] = plansOf([], order)
      expect(following.map((plan) => /\(([^()]*)\)$/.exec(plan)?.[1])).to.deep.equal(expected)
    }
  })

  it('searches and sorts if no index serves both filter and order', () => {
    if (dueAnalyses(database).length === 0) expect.fail('statistics should be due')
    for (const due of dueAnalyses(database)) analyse(database, due)
    for (const [where, order] of [
      [[{ key: 'title', equals: 't5' }], [asc('rank')]],
      [[{ key: 'title', oneOf: ['t5', 't6'] }], [desc('rank')]],
      [[{ key: 'title', atLeast: 't5', below: 't6' }], [asc('rank')]],
      [[], [asc('title'), desc('rank')]],
    ] as const) {
      for (const plan of plansOf(where, order)) expect(plan).to.match(/^SEARCH documents_things USING INDEX/)
    }
  })

  it('rejects a cursor of another query', () => {
    expect(() => planned({ ...all, order: [asc('title')], after: [1] })).to.throw('another query')
    expect(() => planned({ ...all, after: 'a' })).to.throw('another query')
    expect(() => planned({ ...all, after: [[]] })).to.throw('Not a cursor')
  })
})
