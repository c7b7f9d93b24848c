/** Which access path reads a page, and that all return the same page. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import type { JsonObject } from '@publishing-service/domain/json'
import { matchesFilter } from '@publishing-service/domain/lists'
import type { Collection, Filter, Order, Query } from '@publishing-service/ports'
import { collectionLayout } from './collection-layout.js'
import { documentReader } from './document-reader.js'
import { fillSqliteFile } from './fill-file.js'

const places: Collection = {
  name: 'places',
  heavy: ['text'],
  keys: {
    name: 'text',
    kind: 'text',
    rank: 'number',
    from: 'number',
    until: 'number',
    since: 'number',
    spans: 'texts',
  },
  ranged: ['since'],
  indexes: [
    ['name'],
    ['kind'],
    ['rank'],
    ['from'],
    ['until'],
    ['since'],
    ['spans'],
    ['kind', 'name'],
    ['spans', 'name'],
  ],
  groupCounts: [],
}

const total = 1600
/** A tenth of what a service has, for a tenth of the rows: 104 for a page of 20, and 832 for the next. */
const firstLimit = (wanted: number): number => 4 * wanted + 20

/** Names in an unrelated order; the later half continues, few of which are of the rare kind. */
const stateOf = (number: number): JsonObject => ({
  name: `n${String((number * 793) % total).padStart(5, '0')}`,
  kind: number % 100 === 0 ? 'rare' : number % 2 === 0 ? 'a' : 'b',
  rank: number % 40,
  from: number,
  until: number > total / 2 ? 100 : 10,
  since: number % 97 === 0 ? 0 : number,
  spans: [`span ${number % 3}`, ...(number % 3 === 0 ? ['third'] : [])],
  text: `text ${number}`,
})

const counts = /^SELECT count/
const walks = / AS walked WHERE /
const searches = / ORDER BY \+/

const asc = (key: string): Order => ({ key, direction: 'asc' })
const desc = (key: string): Order => ({ key, direction: 'desc' })

describe('A read of a page', () => {
  const layout = collectionLayout(places)
  const states = Array.from({ length: total }, (_, number) => stateOf(number))
  const ran: string[] = []
  let folder = ''
  let database: Database.Database
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sqlite-step-plan-'))
    const file = join(folder, 'documents.sqlite')
    fillSqliteFile(
      { file, collections: [places] },
      states.map((value, number) => ({
        collection: 'places',
        instance: 1,
        document: { id: String(number), unique: null, value },
      })),
    )
    database = new Database(file, { verbose: (sql) => ran.push(String(sql)) })
  })
  after(async () => {
    database.close()
    await rm(folder, { recursive: true })
  })

  const before_ = (a: number, b: number, order: readonly Order[]): number => {
    for (const { key, direction } of order) {
      const [left, right] = [states[a]?.[key] ?? '', states[b]?.[key] ?? '']
      if (left !== right) return left < right === (direction === 'asc') ? -1 : 1
    }
    return order[0]?.direction === 'desc' ? b - a : a - b
  }

  /** The ids of a page as they have to be. */
  const expected = ({ where, order, skip, limit }: Query): readonly string[] =>
    states
      .flatMap((state, number) => (where.every((filter) => matchesFilter(filter, state)) ? [number] : []))
      .toSorted((a, b) => before_(a, b, order))
      .slice(skip, skip + limit)
      .map(String)

  /** The statements that read a page, after a comparison of its first pages and one far in with what is right. */
  const waysOf = (
    where: readonly Filter[],
    order: readonly Order[],
    limitOf: (wanted: number) => number = firstLimit,
  ): readonly string[] => {
    const query: Query = { where, order, skip: 0, limit: 20, detail: 'light' }
    const reader = documentReader(database, limitOf)
    const read = (more: Partial<Query>) => reader.find(layout, 1, { ...query, ...more })
    ran.length = 0
    const first = read({})
    const ways = ran.filter((sql) => sql.includes('ORDER BY') || sql.includes('count(*)'))
    // What only counts reads an index alone: else it would read what fails a test before it has counted enough.
    for (const way of ways.filter((sql) => counts.test(sql)))
      expect(way).to.not.match(/EXISTS| UNION (?!ALL)/)
    const pages = [first.documents.map(({ id }) => id)]
    for (let { next } = first; next !== null && pages.length < 4;) {
      const page = read({ after: next })
      pages.push(page.documents.map(({ id }) => id))
      next = page.next
    }
    expect(pages.flat()).to.deep.equal(expected({ ...query, limit: 20 * pages.length }))
    for (const skip of [50, 90])
      expect(read({ skip, detail: 'full' }).documents.map(({ id }) => id)).to.deep.equal(
        expected({ ...query, skip }),
      )
    return ways
  }

  it('walks along an index that satisfies all filters', () => {
    for (const [where, order] of [
      [[], [asc('name')]],
      [[{ key: 'kind', equals: 'a' }], [desc('name')]],
      [[{ key: 'from', atLeast: 900 }], [asc('from')]],
      [[{ key: 'spans', has: 'third' }], [desc('name')]],
    ] as const)
      expect(waysOf(where, order)).to.have.lengthOf(1)
  })

  it('does not continue after a walk that returns the page', () => {
    for (const where of [
      [{ key: 'until', above: 50 }],
      [
        { key: 'until', above: 50 },
        { key: 'spans', has: 'span 1' },
      ],
      [{ anyOf: [[{ key: 'until', above: 50 }], [{ key: 'rank', equals: 7 }]] }],
    ] as const) {
      const ways = waysOf(where, [asc('name')])
      expect(ways).to.have.lengthOf(1)
      expect(ways[0]).to.match(walks)
    }
  })

  it('searches by the filter with few rows in its index, after the walk has reached its limit', () => {
    for (const where of [
      [{ key: 'from', atLeast: 1200, below: 1210 }],
      [
        { key: 'kind', equals: 'rare' },
        { key: 'until', above: 50 },
      ],
      [
        { key: 'from', above: 1590 },
        { key: 'kind', oneOf: ['a', 'b'] },
      ],
      [{ anyOf: [[{ key: 'kind', equals: 'rare' }], [{ key: 'from', above: 1595 }]] }],
    ] as const) {
      const ways = waysOf(where, [desc('rank')])
      expect(ways.filter((way) => walks.test(way))).to.have.lengthOf(1)
      expect(ways.at(-1)).to.match(searches)
      const plan = database
        .prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${ways.at(-1) ?? ''}`)
        .all()
        .map(({ detail }) => detail)
      expect(plan.join('; '))
        .to.match(/SEARCH documents_places USING INDEX documents_places_by_(from|kind)_/)
        .and.not.match(/SCAN documents_places/)
    }
  })

  it('searches by another filter if many documents have a text, and tests the text', () => {
    const ways = waysOf(
      [
        { key: 'spans', has: 'span 0' },
        { key: 'from', atLeast: 1200, below: 1210 },
      ],
      [asc('name')],
      () => 30,
    )
    expect(ways.filter((way) => walks.test(way))).to.have.lengthOf(1)
    expect(ways.at(-1)).to.match(searches).and.to.include('EXISTS').and.not.include(' IN (SELECT')
  })

  it('searches also in the order of insertion', () => {
    const ways = waysOf([{ key: 'from', above: 1200 }], [])
    expect(ways.filter((way) => walks.test(way))).to.have.lengthOf(1)
    expect(ways.at(-1)).to.match(searches)
  })

  it('continues the walk if the filters have more rows than a search may read', () => {
    const ways = waysOf([{ key: 'from', above: 300 }], [])
    expect(ways.filter((way) => walks.test(way))).to.have.lengthOf(2)
    expect(ways.at(-1)).to.match(walks)
  })

  it('continues the walk if a search is expected to read more rows than the walk', () => {
    // 16 of the first 240 rows meet both: some 320 contain the page, and each index finds 400 or more.
    const ways = waysOf(
      [
        { key: 'rank', below: 10 },
        { key: 'from', atLeast: 1180 },
      ],
      [asc('name')],
      () => 30,
    )
    expect(ways.filter((way) => walks.test(way))).to.have.lengthOf(3)
    expect(ways.filter((way) => searches.test(way))).to.deep.equal([])
  })

  it('skips the blocks of insertions that a range excludes', () => {
    for (const where of [
      [{ key: 'since', atLeast: 1290 }],
      [{ key: 'since', above: 1030, atMost: 1550 }],
      [
        { key: 'kind', equals: 'b' },
        { key: 'since', atLeast: 1030 },
      ],
      [
        { key: 'spans', has: 'third' },
        { key: 'since', atLeast: 1030 },
        { key: 'until', above: 50 },
      ],
    ] as const) {
      const ways = waysOf(where, [])
      expect(ways.at(-1)).to.match(walks).and.include('AS block')
      expect(ways.filter((way) => walks.test(way))).to.have.lengthOf(1)
      const plan = database
        .prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${ways.at(-1) ?? ''}`)
        .all()
        .map(({ detail }) => detail)
      expect(plan.join('; '))
        .to.match(/SEARCH block USING PRIMARY KEY/)
        .and.not.include('TEMP B-TREE')
    }
    // What begins in the first of them, and what is ordered by something else, is read as ever.
    waysOf([{ key: 'since', below: 1000 }], [])
    for (const way of waysOf([{ key: 'since', atLeast: 1290 }], [asc('name')]))
      expect(way).to.not.include('AS block')
    for (const way of waysOf([{ key: 'since', atLeast: 1290 }], [desc('since')]))
      expect(way).to.not.include('AS block')
  })

  it('reads nothing if two filters exclude every value of a key', () => {
    const kind = (filter: { readonly equals: string } | { readonly oneOf: readonly string[] }): Filter => ({
      key: 'kind',
      ...filter,
    })
    for (const where of [
      [kind({ equals: 'a' }), kind({ equals: 'b' })],
      [kind({ equals: 'rare' }), { key: 'rank', above: 3 }, kind({ oneOf: ['a', 'b'] })],
      [kind({ oneOf: ['a', 'rare'] }), kind({ oneOf: ['b', 'none'] })],
    ] as const)
      expect(waysOf(where, [asc('name')])).to.deep.equal([])
    for (const where of [
      [kind({ equals: 'a' }), kind({ equals: 'a' })],
      [kind({ oneOf: ['a', 'rare'] }), kind({ oneOf: ['b', 'rare'] })],
    ] as const)
      expect(waysOf(where, [asc('name')])).to.not.deep.equal([])
  })

  it('does not search if the walk has ended within its limit', () => {
    const ways = waysOf(
      [
        { key: 'kind', equals: 'rare' },
        { key: 'rank', equals: 0 },
        { key: 'until', above: 50 },
      ],
      [],
    )
    expect(ways.at(-2)).to.match(walks)
    expect(ways.at(-1)).to.match(counts)
  })

  it('merges the walks of alternatives, each along its own index', () => {
    const spans: Filter = {
      anyOf: [
        [{ key: 'spans', has: 'span 2' }],
        [{ key: 'spans', has: 'third' }],
        [{ key: 'spans', has: 'span 0' }],
        [{ key: 'spans', has: 'none' }],
      ],
    }
    for (const order of [[asc('name')], [desc('name')], []])
      for (const where of [
        [spans],
        [spans, { key: 'until', atMost: 50 }],
        [{ key: 'kind', oneOf: ['a', 'rare'] }],
        [
          { key: 'kind', oneOf: ['rare', 'b', 'none'] },
          { key: 'until', atMost: 50 },
        ],
      ] as const) {
        const ways = waysOf(where, order)
        expect(ways.at(-1)).to.match(/ UNION .* INDEXED BY /)
        const read = ways.at(-1) ?? ''
        const plan = database.prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${read}`).all()
        // A sort of the last terms is one of each row by itself: the terms before them are its own.
        expect(plan.map(({ detail }) => detail).join('; ')).to.not.include('TEMP B-TREE FOR ORDER BY')
      }
  })

  it('combines alternatives, and tests those that would need too many walks', () => {
    const numbers = Array.from({ length: 70 }, (_, rank) => rank)
    waysOf(
      [
        { key: 'rank', oneOf: numbers },
        { key: 'kind', oneOf: ['a', 'rare'] },
      ],
      [asc('name')],
    )
    waysOf(
      [
        { anyOf: [[{ key: 'kind', equals: 'a' }], [{ key: 'kind', equals: 'rare' }]] },
        { anyOf: [[{ key: 'spans', has: 'span 1' }], [{ key: 'spans', has: 'span 0' }]] },
      ],
      [asc('name')],
    )
  })
})
