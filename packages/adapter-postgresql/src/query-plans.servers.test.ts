import pg from 'pg'
import { documentStorePlans } from '@publishing-service/conformance'
import {
  type CollectionLayout,
  layoutNamed,
  layoutsOf,
  ReadSteps,
  relatedSteps,
  runStepsLater,
  type Steps,
} from '@publishing-service/sql-kit'
import type { Collection } from '@publishing-service/ports'
import { expect } from 'chai'
import { after, before, it } from 'mocha'
import { execute } from './connections.js'
import { fillPostgresqlDatabase } from './fill-database.js'
import { postgresqlDialect as dialect } from './postgresql-dialect.js'
import { postgresqlDocumentStore } from './postgresql-document-store.js'
import { all, dropDatabase, newDatabase, things, withDriver } from './test-support/database.js'
import { type PostgresqlServer, startPostgresql } from './test-support/servers.js'

/** A node of a plan: https://www.postgresql.org/docs/current/using-explain.html */
type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (plan: PlanNode): readonly PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const isScan = (node: PlanNode): boolean => node['Node Type'].includes('Scan')
const isSort = (node: PlanNode): boolean => node['Node Type'].includes('Sort')
/** Whether it reads all rows of an instance, or of all instances. */
const readsAll = (node: PlanNode): boolean => / AND |\bid\b|position/.exec(node['Index Cond'] ?? '') === null

/** The nodes of the plan of each statement. */
const plansOf = async (
  client: pg.Client,
  steps: Steps<unknown>,
): Promise<readonly (readonly PlanNode[])[]> => {
  const plans: (readonly PlanNode[])[] = []
  await runStepsLater(steps, async (statement) => {
    const { rows } = await client.query<[[{ readonly Plan: PlanNode }]]>({
      text: `EXPLAIN (FORMAT JSON) ${statement.sql}`,
      values: [...statement.parameters],
      rowMode: 'array',
    })
    for (const [[{ Plan }]] of rows) plans.push(nodesOf(Plan))
    return execute(client, statement)
  })
  return plans
}

const layoutNamedIn = (collections: readonly Collection[], name: string): CollectionLayout =>
  layoutNamed(layoutsOf(collections, dialect), name)

let server: PostgresqlServer
before(async () => {
  server = await startPostgresql()
})
after(() => server.dispose())

documentStorePlans({
  name: 'postgresqlDocumentStore',
  open: async (collections) => {
    const database = await newDatabase(server)
    const url = server.url(database)
    const store = await postgresqlDocumentStore({ url, collections })
    const client = new pg.Client(url)
    await client.connect()
    // Few documents are read fastest as a whole, and then joined and sorted.
    for (const way of ['seqscan', 'bitmapscan', 'mergejoin', 'hashjoin'])
      await client.query(`SET enable_${way} = off`)
    let analyzed: Promise<unknown> | null = null
    const analyzedPlansOf: typeof plansOf = async (...of) => {
      await (analyzed ??= client.query('ANALYZE'))
      return plansOf(...of)
    }
    return {
      store,
      problemsOfPage: async ({ name }, instance, query, isInOrder) => {
        const layout = layoutNamedIn(collections, name)
        const plans = await analyzedPlansOf(client, new ReadSteps(layout, dialect).find(instance, query))
        return plans.flatMap((nodes) =>
          nodes.some(isSort) && (isInOrder || nodes.filter(isScan).some(readsAll))
            ? [JSON.stringify(nodes[0])]
            : nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => JSON.stringify(node)),
        )
      },
      problemsOfGroupCount: async ({ name: collection }, instance, { key }, within) => {
        const layout = layoutNamedIn(collections, collection)
        const relatedOf = relatedSteps(() => ({ layout, reads: new ReadSteps(layout, dialect) }), dialect)
        const plans = await analyzedPlansOf(
          client,
          relatedOf(instance, { documents: [], counts: [{ collection, key, within }] }),
        )
        return plans
          .flat()
          .filter(
            (node) =>
              isScan(node) && (node['Relation Name'] === layout.table || node['Node Type'] === 'Seq Scan'),
          )
          .map((node) => JSON.stringify(node))
      },
      dispose: async () => {
        await client.end()
        await store.close()
        await dropDatabase(server, database)
      },
    }
  },
})

it('reads the documents of rare alternatives, and not all in the order of the page', async () => {
  const database = await newDatabase(server)
  const url = server.url(database)
  const documents = Array.from({ length: 5000 }, (_, position) => ({
    collection: things.name,
    instance: 1,
    document: {
      id: `${position}`,
      unique: null,
      position,
      value: { title: `Thing ${position}`, tags: [`tag ${position % 1000}`] },
    },
  }))
  await fillPostgresqlDatabase({ url, collections: [things] }, documents)
  const where = [{ anyOf: ['tag 3', 'tag 500', 'tag 901'].map((has) => [{ key: 'tags', has }]) }]
  const layout = layoutNamedIn([things], things.name)
  for (const order of [[], [{ key: 'title', direction: 'asc' as const }]]) {
    const find = new ReadSteps(layout, dialect).find(1, { ...all, where, order, limit: 20 })
    const plans = await withDriver(url, (client) => plansOf(client, find))
    const ofDocuments = plans.flat().filter((node) => node['Relation Name'] === layout.table)
    expect(ofDocuments).to.have.length.greaterThan(0)
    expect(ofDocuments.filter(readsAll)).to.deep.equal([])
  }
  await dropDatabase(server, database)
})
