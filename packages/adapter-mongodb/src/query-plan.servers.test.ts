import { after, before } from 'mocha'
import { type Document, MongoClient } from 'mongodb'
import { documentStorePlans } from '@publishing-service/conformance'
import type { Collection } from '@publishing-service/ports'
import { type CollectionLayout, indexesOf } from './collection-layout.js'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { pagePlan, type Step } from './page-steps.js'
import { migrateCollection } from './migrate-collection.js'
import { storedIn } from './stored-collection.js'
import { groupCountStages } from './group-count-stages.js'
import { newDatabase } from './test-support/database.js'
import { type MongodbServer, startMongodb } from './test-support/servers.js'

/** The stages of the plan, at any depth; none if the server does not report them, like FerretDB. */
const stagesOf = (plan: unknown): readonly string[] => {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf)
  if (typeof plan !== 'object' || plan === null) return []
  const own = 'stage' in plan && typeof plan.stage === 'string' ? [plan.stage] : []
  return [...own, ...Object.values(plan).flatMap(stagesOf)]
}

/** The keys that the step tests for equality, and those that it compares. */
const conditionsIn = ({ filter }: Step) => {
  const conditions = ((filter['$and'] ?? []) as readonly Document[]).flatMap((each) => Object.entries(each))
  const isEqual = ([, condition]: readonly [string, unknown]) =>
    typeof condition !== 'object' || condition === null
  return {
    equal: new Set(conditions.filter(isEqual).map(([path]) => path)),
    all: new Set(conditions.map(([path]) => path)),
  }
}

/** Whether an index begins with the keys that the step tests or compares, or has the order, forwards or backwards. */
const isServed = (collection: Collection, step: Step, isInOrder: boolean): boolean =>
  indexesOf(collection).some(({ key }) => {
    const [first, ...rest] = key instanceof Map ? [...key] : Object.entries(key)
    if (first?.[0] !== 'instance') return false
    const { equal, all: compared } = conditionsIn(step)
    const [leading] = rest
    if (!isInOrder && leading !== undefined && compared.has(leading[0])) return true
    const remaining = rest.slice(rest.findIndex(([path]) => !equal.has(path)))
    const sort = JSON.stringify([...step.sort])
    const reversed = remaining.map(([path, direction]) => [path, -Number(direction)] as const)
    return sort === JSON.stringify(remaining) || sort === JSON.stringify(reversed)
  })

let server: MongodbServer
before(async () => {
  server = await startMongodb()
})
after(() => server.dispose())

documentStorePlans({
  name: 'mongodbDocumentStore',
  open: async (collections) => {
    const url = server.url(newDatabase())
    const store = await mongodbDocumentStore({ url, collections })
    const client = new MongoClient(url)
    const layouts = new Map<string, CollectionLayout>()
    for (const each of collections) layouts.set(each.name, await migrateCollection(client.db(), each))
    const layoutOf = ({ name }: Collection): CollectionLayout => {
      const layout = layouts.get(name)
      if (layout === undefined) throw new Error(`${name} was not declared`)
      return layout
    }
    return {
      store,
      problemsOfPage: async (collection, instance, query, isInOrder) => {
        const faults: string[] = []
        for (const step of pagePlan(layoutOf(collection), instance, query, () => null).steps) {
          const sort = new Map(step.sort)
          const name = JSON.stringify({ filter: step.filter, sort: [...sort] })
          if (!isServed(collection, step, isInOrder)) faults.push(`no index for ${name}`)
          const cursor = storedIn(client.db(), layoutOf(collection)).documents.find(step.filter, {
            sort,
            limit: 101,
          })
          const { queryPlanner } = await cursor.explain('queryPlanner')
          const unwanted = isInOrder ? ['COLLSCAN', 'SORT'] : ['COLLSCAN']
          const stages = stagesOf(queryPlanner).filter((stage) => unwanted.includes(stage))
          faults.push(...stages.map((stage) => `${stage} for ${name}`))
        }
        return faults
      },
      problemsOfGroupCount: async (collection, instance, { key }, within) => {
        const stages = groupCountStages(layoutOf(collection), instance, key, within) ?? []
        const plan = await storedIn(client.db(), layoutOf(collection))
          .documents.aggregate(stages)
          .explain('queryPlanner')
        return stagesOf(plan).filter((stage) => stage === 'FETCH' || stage === 'COLLSCAN')
      },
      dispose: async () => {
        await store.close()
        await client.db().dropDatabase()
        await client.close()
      },
    }
  },
})
