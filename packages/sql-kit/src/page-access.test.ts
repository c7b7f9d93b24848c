import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Filter, Order } from '@publishing-service/domain/filters'
import { type Collection, queryConditions } from '@publishing-service/ports'
import { type Dialect, runSteps, type Statement } from '@publishing-service/sql-kit'
import { layoutOf } from './layout.js'
import { type Access, pageAccess } from './page-access.js'
import { exampleDialect } from './test-support/example-store.js'

const articles: Collection = {
  name: 'articles',
  heavy: [],
  keys: { live: 'text', title: 'text', kind: 'text', tags: 'texts' },
  indexes: [['live'], ['title'], ['kind'], ['tags', 'title']],
  groupCounts: [],
}
/** Its statements name the index that is read, as those of SQLite do. */
const dialect: Dialect = { ...exampleDialect, selective: 1000, readIndex: (index) => ` INDEXED BY ${index}` }
const byTitle: readonly Order[] = [{ key: 'title', direction: 'asc' }]
const live: Filter = { key: 'live', atMost: '2026-11-28T01:22:15' }

/** The accesses of a page, of so many documents altogether, of which so many meet a condition. */
const planned = (all: number, found: number) => {
  const { accessesOf } = pageAccess(layoutOf(articles, dialect), dialect)
  const counted: string[] = []
  const execute = ({ sql, parameters }: Statement) => {
    counted.push(sql)
    const count = Math.min(sql.includes(' AND ') ? found : all, Number(parameters.at(-1)))
    return { rows: [[count]], changes: 0 }
  }
  const accesses = (where: readonly Filter[], order: readonly Order[]): readonly Access[] => {
    const conditions = queryConditions(articles, where) ?? []
    return runSteps(
      accessesOf({ instance: 1, conditions, words: null, ids: null, order, ties: 'asc' }),
      execute,
    )
  }
  return { accesses, counted }
}

describe('A page', () => {
  it('of a condition that few documents meet is found among these', () => {
    const [access] = planned(100_000, 400).accesses([live], byTitle)
    expect(access?.few).not.to.equal(null)
  })

  it('of a condition that most documents of a small publication meet is read along the index', () => {
    const [access] = planned(900, 890).accesses([live], byTitle)
    expect(access?.few).to.equal(null)
    expect(access?.from).to.match(/INDEXED BY/)
  })

  it('of such a condition is sorted where no index has the order', () => {
    const [access] = planned(900, 890).accesses([live], [{ key: 'live', direction: 'asc' }, ...byTitle])
    expect(access?.few).not.to.equal(null)
  })

  it('of a time counts its documents once, and not again a second later', () => {
    const { accesses, counted } = planned(100_000, 50_000)
    accesses([live], byTitle)
    accesses([{ key: 'live', atMost: '2026-11-28T01:22:16' }], byTitle)
    expect(counted).to.have.length(1)
    accesses([{ key: 'kind', equals: 'a' }], byTitle)
    accesses([{ key: 'kind', equals: 'b' }], byTitle)
    expect(counted).to.have.length(3)
  })

  it('of several texts of a list is read text by text, if these are not many', () => {
    const anyOf = (texts: number): Filter => ({
      anyOf: Array.from({ length: texts }, (_, i) => [{ key: 'tags', has: `tag ${i}` }]),
    })
    const { accesses } = planned(100_000, 50_000)
    expect(accesses([anyOf(3)], byTitle).map(({ list }) => list?.text)).to.deep.equal([
      'tag 0',
      'tag 1',
      'tag 2',
    ])
    expect(accesses([anyOf(3)], [{ key: 'live', direction: 'asc' }])).to.have.length(1)
    expect(accesses([anyOf(40)], byTitle)).to.have.length(1)
  })
})
