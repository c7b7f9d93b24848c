import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { type Document, MongoClient } from 'mongodb'
import type { Collection, Filter, Order } from '@publishing-service/ports'
import { type CollectionLayout, indexesOf, type PlainType } from './collection-layout.js'
import { cursorAt, pagePlan, type Step } from './page-steps.js'
import { contentOf, type StoredDocument } from './stored-document.js'
import { documentsOf, takeInDeclaration } from './take-in-declarations.js'
import { tallyStages } from './tally-stages.js'
import { all, newDatabase } from './test-support/database.js'
import { type MongodbServer, startMongodb } from './test-support/servers.js'

const articles: Collection = {
  name: 'articles',
  heavy: ['content'],
  keys: {
    title: 'text',
    section: 'text',
    type: 'text',
    issued: 'text',
    size: 'number',
    open: 'boolean',
    tags: 'texts',
  },
  indexes: [
    ['section', 'issued'],
    ['section', 'title'],
    ['type', 'issued'],
    ['tags', 'issued'],
  ],
  tallies: [
    { key: 'tags', within: [] },
    { key: 'tags', within: ['type'] },
  ],
}

const value = {
  title: 'a',
  section: 's',
  type: 't',
  issued: '2020-01-01T00:00:00',
  size: 1,
  open: true,
  tags: ['t', 'a'],
}
const sample = { text: 's', number: 1, boolean: true } as const

const filtersOf = (key: string, type: PlainType): readonly Filter[] => [
  { key, equals: sample[type] },
  { key, equals: null },
  { key, oneOf: [sample[type], null] },
  ...(type === 'boolean'
    ? []
    : [
        { key, atLeast: sample[type] },
        { key, above: sample[type] },
        { key, above: '' },
        { key, below: sample[type] },
      ]),
]

const keys = Object.entries(articles.keys).flatMap(([key, type]) =>
  type === 'texts' ? [] : [[key, type] as const],
)
const wheres: readonly (readonly Filter[])[] = [
  [],
  ...keys.flatMap(([key, type]) => filtersOf(key, type).map((filter) => [filter])),
  [{ key: 'tags', has: 'a' }],
  [{ key: 'type', equals: 't' }, { anyOf: [[{ key: 'tags', has: 'a' }], [{ key: 'size', above: 1 }]] }],
]
const orders: readonly (readonly Order[])[] = [
  [],
  ...keys.flatMap(([key]) => (['asc', 'desc'] as const).map((direction) => [{ key, direction }])),
]

/** The plan's stages, from whatever depth. */
const stagesOf = (plan: unknown): readonly string[] => {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf)
  if (typeof plan !== 'object' || plan === null) return []
  const own = 'stage' in plan && typeof plan.stage === 'string' ? [plan.stage] : []
  return [...own, ...Object.values(plan).flatMap(stagesOf)]
}

/** The keys that the step holds equal, and those that it compares. */
const conditionsIn = ({ filter }: Step) => {
  const conditions = ((filter['$and'] ?? []) as readonly Document[]).flatMap((each) => Object.entries(each))
  const isEqual = ([, condition]: readonly [string, unknown]) =>
    typeof condition !== 'object' || condition === null
  return {
    equal: new Set(conditions.filter(isEqual).map(([path]) => path)),
    all: new Set(conditions.map(([path]) => path)),
  }
}

/** Whether some index begins with what the step holds equal or compares, or gives the order itself. */
const indexServes = (step: Step): boolean =>
  indexesOf(articles).some(({ key }) => {
    const [first, ...rest] = key instanceof Map ? [...key] : Object.entries(key)
    if (first?.[0] !== 'instance') return false
    const { equal, all: compared } = conditionsIn(step)
    const [leading] = rest
    if (leading !== undefined && compared.has(leading[0])) return true
    const remaining = rest.slice(rest.findIndex(([path]) => !equal.has(path)))
    return JSON.stringify(remaining) === JSON.stringify([...step.sort])
  })

describe('Queries of MongoDB', function () {
  this.timeout(60_000)
  let server: MongodbServer
  let client: MongoClient
  let layout: CollectionLayout
  before(async () => {
    server = await startMongodb()
    client = new MongoClient(server.url(newDatabase()))
    layout = await takeInDeclaration(client.db(), articles)
  })
  after(async () => {
    await client.db().dropDatabase()
    await client.close()
    await server.dispose()
  })

  /** The steps of a first page, and those of the page behind a document. */
  const stepsOf = (where: readonly Filter[], order: readonly Order[]): readonly Step[] => {
    const query = { ...all, where, order }
    const first = pagePlan(layout, 1, query)
    const { stored } = contentOf(layout, { id: 'a', unique: null, value })
    const last: StoredDocument = { _id: '1/a', instance: 1, version: 1, sequence: 7, ...stored }
    return [...first.steps, ...pagePlan(layout, 1, { ...query, after: cursorAt(first.order, last) }).steps]
  }

  it('have an index for each filter and order, first page and later ones', () => {
    for (const where of wheres)
      for (const order of orders)
        for (const step of stepsOf(where, order))
          expect(indexServes(step), JSON.stringify({ ...step, sort: [...step.sort] })).to.equal(true)
  })

  it('never scan a collection where the server tells', async () => {
    let told = 0
    for (const where of wheres)
      for (const order of orders)
        for (const { filter, sort } of stepsOf(where, order)) {
          const cursor = documentsOf(client.db(), 'articles').find(filter, {
            sort: new Map(sort),
            limit: 101,
          })
          const { queryPlanner } = await cursor.explain('queryPlanner')
          const stages = stagesOf(queryPlanner)
          // FerretDB tells of SQLite's plan, which has no stages.
          if (stages.length === 0) return expect(queryPlanner).to.have.property('Plan')
          told++
          expect(stages, JSON.stringify(filter)).not.to.include('COLLSCAN')
        }
    expect(told).to.be.above(0)
  })

  it('read one after the other what an index gives in order: no sort of a whole collection', async () => {
    const perfect: readonly (readonly [readonly Filter[], readonly Order[]])[] = [
      ...orders.map((order) => [[], order] as const),
      [[{ key: 'section', equals: 's' }], [{ key: 'issued', direction: 'desc' }]],
      [[{ key: 'section', oneOf: ['s', 't'] }], [{ key: 'title', direction: 'asc' }]],
      [[{ key: 'tags', has: 'a' }], [{ key: 'issued', direction: 'desc' }]],
      [[{ key: 'issued', atLeast: 'a' }], [{ key: 'issued', direction: 'desc' }]],
    ]
    for (const [where, order] of perfect)
      for (const { filter, sort } of stepsOf(where, order)) {
        const cursor = documentsOf(client.db(), 'articles').find(filter, { sort: new Map(sort), limit: 101 })
        const stages = stagesOf((await cursor.explain('queryPlanner'))['queryPlanner'])
        if (stages.length === 0) return
        expect(stages, JSON.stringify(filter)).not.to.include('SORT')
      }
  })

  it('count a tally from its index alone: no document is read where the server tells', async () => {
    for (const within of [{}, { type: 't' }]) {
      const stages = tallyStages(layout, 1, 'tags', within) ?? expect.fail('no document can have the values')
      const plan = await documentsOf(client.db(), 'articles').aggregate(stages).explain('queryPlanner')
      const told = stagesOf(plan)
      if (told.length === 0) return expect(plan).to.have.property('queryPlanner')
      expect(told).to.include('IXSCAN')
      expect(told).not.to.include.oneOf(['FETCH', 'COLLSCAN'])
    }
  })
})
