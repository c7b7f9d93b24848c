import pg from 'pg'
import { documentStorePlans } from '@publishing-service/conformance'
import { layoutNamed, layoutsOf, readSteps, runStepsLater, type Steps } from '@publishing-service/sql-kit'
import { after, before } from 'mocha'
import { execute } from './connections.js'
import { postgresqlDialect as dialect } from './postgresql-dialect.js'
import { postgresqlDocumentStore } from './postgresql-document-store.js'
import { dropDatabase, newDatabase } from './test-support/database.js'
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
    const layouts = layoutsOf(collections, dialect)
    const reads = readSteps(dialect)
    let analyzed: Promise<unknown> | null = null
    /** The nodes of the plan of each statement. */
    const plansOf = async (steps: Steps<unknown>): Promise<readonly (readonly PlanNode[])[]> => {
      await (analyzed ??= client.query('ANALYZE'))
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
    return {
      store,
      problemsOfPage: async ({ name }, instance, query, isInOrder) => {
        const plans = await plansOf(reads.find(layoutNamed(layouts, name), instance, query))
        return plans.flatMap((nodes) =>
          nodes.some(isSort) && (isInOrder || nodes.filter(isScan).some(readsAll))
            ? [JSON.stringify(nodes[0])]
            : nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => JSON.stringify(node)),
        )
      },
      problemsOfGroupCount: async ({ name }, instance, { key }, within) => {
        const layout = layoutNamed(layouts, name)
        const plans = await plansOf(reads.countGroups(layout, instance, key, within))
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
