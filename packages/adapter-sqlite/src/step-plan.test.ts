/** Which way a page is read, by how many rows its filters leave, and that every way gives the same page. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import { meets, type JsonObject } from '@publishing-service/domain'
import type { Collection, Filter, Order, Query } from '@publishing-service/ports'
import { collectionLayout } from './collection-layout.js'
import { documentReader } from './document-reader.js'
import { fillSqliteFile } from './fill-file.js'
import type { ReadLimits } from './page-rows.js'

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
  unordered: ['until'],
  indexes: [
    ['kind', 'name'],
    ['spans', 'name'],
  ],
  tallies: [],
}

const total = 1600
/** A tenth of what a service has, for a tenth of the rows. */
const limits: ReadLimits = { few: 25, tried: (wanted) => 4 * wanted + 20, sorted: 500 }

/** Names in no order of the rest; the later half goes on, of which few are of the rare kind. */
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

const sorts = /ORDER BY .* LIMIT/
const counts = /^SELECT count/
const tries = / AS walked WHERE /

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
    return a - b
  }

  /** The ids of a page as they have to be. */
  const expected = ({ where, order, skip, limit }: Query): readonly string[] =>
    states
      .flatMap((state, number) => (where.every((filter) => meets(filter, state)) ? [number] : []))
      .toSorted((a, b) => before_(a, b, order))
      .slice(skip, skip + limit)
      .map(String)

  /** The statements of a page’s reads, behind the comparison of its first pages and one far in with what is right. */
  const waysOf = (where: readonly Filter[], order: readonly Order[]): readonly string[] => {
    const query: Query = { where, order, skip: 0, limit: 20, detail: 'light' }
    const reader = documentReader(database, limits)
    const read = (more: Partial<Query>) => reader.find(layout, 1, { ...query, ...more })
    ran.length = 0
    const first = read({})
    const ways = ran.filter((sql) => sql.includes('ORDER BY') || sql.includes('count(*)'))
    // What only counts tests nothing: else it would read all that fails before it has counted enough.
    for (const way of ways.filter((sql) => counts.test(sql)))
      expect(way).to.not.match(/EXISTS| OR | UNION (?!ALL)/)
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

  it('walks along an index that settles all', () => {
    for (const [where, order] of [
      [[], [asc('name')]],
      [[{ key: 'kind', equals: 'a' }], [desc('name')]],
      [[{ key: 'from', atLeast: 900 }], [asc('from')]],
      [[{ key: 'spans', has: 'third' }], [desc('name')]],
    ] as const)
      expect(waysOf(where, order)).to.have.lengthOf(1)
  })

  it('sorts few rows that an index finds, before anything else', () => {
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
    ] as const) {
      const ways = waysOf(where, [desc('rank')])
      expect(ways.slice(0, -1).every((way) => counts.test(way))).to.equal(true)
      expect(ways.at(-1)).to.match(sorts).and.not.match(tries)
    }
  })

  it('tries a walk, and is done where it gives a whole page', () => {
    for (const where of [
      [{ key: 'until', above: 50 }],
      [
        { key: 'until', above: 50 },
        { key: 'spans', has: 'span 1' },
      ],
      [{ anyOf: [[{ key: 'until', above: 50 }], [{ key: 'rank', equals: 7 }]] }],
    ] as const) {
      const ways = waysOf(where, [asc('name')])
      expect(ways.at(-1)).to.match(tries)
      expect(ways.slice(0, -1).every((way) => counts.test(way))).to.equal(true)
    }
  })

  it('sorts some thousands where the walk that was tried begins badly', () => {
    const ways = waysOf([{ key: 'from', above: 1200 }], [])
    expect(ways.findIndex((way) => tries.test(way))).to.be.within(0, ways.length - 2)
    expect(ways.at(-1)).to.match(/INDEXED BY "documents_places_by_from_asc"/)
  })

  it('sorts more than that where the walk gives no page by then', () => {
    const ways = waysOf([{ key: 'from', above: 800 }], [])
    expect(ways.filter((way) => tries.test(way))).to.have.lengthOf(2)
    expect(ways.at(-1)).to.match(/INDEXED BY "documents_places_by_from_asc"/)
  })

  it('walks on where the walk gives the page before it has read as many rows as an index finds', () => {
    const ways = waysOf([{ key: 'from', above: 300 }], [])
    expect(ways.filter((way) => tries.test(way))).to.have.lengthOf(2)
    expect(ways.at(-1)).to.match(tries)
  })

  it('passes over the stretches of the order of creation that a range leaves out', () => {
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
      expect(ways.at(-1)).to.match(tries).and.include('stretch')
      expect(ways.filter((way) => tries.test(way))).to.have.lengthOf(1)
      const plan = database
        .prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${ways.at(-1) ?? ''}`)
        .all()
        .map(({ detail }) => detail)
      expect(plan.join('; '))
        .to.match(/SEARCH stretch USING PRIMARY KEY/)
        .and.not.include('TEMP B-TREE')
    }
    // What begins in the first of them, and what is ordered by something else, is read as ever.
    waysOf([{ key: 'since', below: 1000 }], [])
    for (const way of waysOf([{ key: 'since', atLeast: 1290 }], [asc('name')]))
      expect(way).to.not.include('stretch')
    for (const way of waysOf([{ key: 'since', atLeast: 1290 }], [desc('since')]))
      expect(way).to.not.include('stretch')
  })

  it('reads nothing where two filters leave a key no value', () => {
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

  it('is content with a walk that has ended', () => {
    const ways = waysOf(
      [
        { key: 'kind', equals: 'rare' },
        { key: 'rank', equals: 0 },
        { key: 'until', above: 50 },
      ],
      [],
    )
    expect(ways.at(-2)).to.match(tries)
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

  it('finds alternatives by an index for each, where a walk finds none of them', () => {
    const late: Filter = {
      anyOf: [
        [{ key: 'kind', equals: 'rare' }],
        [
          { key: 'from', above: 1595 },
          { key: 'until', above: 50 },
        ],
      ],
    }
    const ways = waysOf([late], [asc('rank')])
    expect(ways.at(-1)).to.match(/ UNION /)
    expect(ways.some((way) => tries.test(way))).to.equal(false)
  })

  it('multiplies alternatives, and tests what would be too many walks', () => {
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
