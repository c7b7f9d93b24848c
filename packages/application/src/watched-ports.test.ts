/** What is measured and logged of the calls of ports. */
import { asyncRequestScopes } from '@publishing-service/adapter-system'
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { Metrics, RequestScope, Traces } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collections } from './collections.js'
import { recordingSender } from './test-support/recording-sender.js'
import { createStage, article, unavailable } from './test-support/stage.js'
import { watchedPorts } from './watched-ports.js'

type Observed = { readonly measure: string; readonly labels: object; readonly milliseconds: number }

/** Metrics that note what they are told. */
const notingMetrics = () => {
  const observed: Observed[] = []
  const counted: { readonly measure: string; readonly labels: object }[] = []
  const metrics: Metrics = {
    isRead: true,
    observe: (measure, labels, milliseconds) => observed.push({ measure, labels, milliseconds }),
    count: (measure, labels) => counted.push({ measure, labels }),
    level: () => undefined,
  }
  return { metrics, observed, counted }
}

describe('calls of ports', () => {
  it('are measured with their outcomes', async () => {
    const { metrics, observed } = notingMetrics()
    const inner = memoryDocumentStore(collections)
    let isOut = false
    const documents: typeof inner = {
      ...inner,
      get: (...call) => (isOut ? async () => E.left(unavailable) : inner.get(...call)),
    }
    const stage = await createStage({ documents, metrics })
    await stage.create(content, article('measured'))
    const writes = observed.filter(
      ({ measure, labels }) => measure === 'storeCall' && 'call' in labels && labels.call === 'write',
    )
    expect(writes.length).to.be.above(0)
    for (const { labels } of writes) expect(labels).to.deep.equal({ call: 'write', outcome: 'succeeded' })
    isOut = true
    await watchedPorts({ ...stage, documents, metrics }).documents.get('content', 1, 'none')()
    expect(observed.at(-1)?.labels).to.deep.equal({ call: 'get', outcome: 'PortFailure' })
  })

  it('are summed for the request that they are made for, and named with it in the log', async () => {
    const requestScopes = asyncRequestScopes()
    const stage = await createStage()
    const { documents } = watchedPorts({ ...stage, requestScopes })
    const scopeOf = (request: string): RequestScope => ({ request, waited: new Map() })
    const [one, other] = [scopeOf('one'), scopeOf('other')]
    const read = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) await documents.get('content', 1, 'none')()
    }
    await Promise.all([
      requestScopes.run(one, () => read(3)),
      requestScopes.run(other, () => read(2)),
      read(1),
    ])
    expect(one.waited.get('store')?.calls).to.equal(3)
    expect(other.waited.get('store')?.calls).to.equal(2)
    expect(one.waited.get('store')?.milliseconds).to.be.at.least(0)
  })

  it('are not watched if nobody asks', async () => {
    const stage = await createStage()
    const { documents } = stage
    expect(watchedPorts({ ...stage, documents }).documents).to.equal(documents)
  })

  it('are spans with their outcomes, within the one that has begun them', async () => {
    const spans: { readonly name: string; readonly parent: string | null; outcome: string | null }[] = []
    let current: string | null = null
    const traces: Traces = {
      receive: () => {
        throw new Error('there is no request')
      },
      begin: (name, { call }) => {
        const span = { name: `${name} ${String(call)}`, parent: current, outcome: null as string | null }
        spans.push(span)
        return {
          headers: { traceparent: 'that of the test' },
          run: async (task) => {
            const before = current
            current = span.name
            return task().finally(() => {
              current = before
            })
          },
          end: ({ outcome, isError }) => {
            span.outcome = isError ? `error ${outcome}` : outcome
          },
        }
      },
    }
    const sender = recordingSender()
    const stage = await createStage({ webhookSender: sender })
    const { documents, webhookSender } = watchedPorts({
      ...stage,
      traces,
      webhookSender: sender,
      documents: {
        ...stage.documents,
        getRelated: () => async () => E.left(unavailable),
        get: () => async () => {
          throw new Error('a defect')
        },
        count:
          (...call) =>
          async () => {
            await documents.find('content', 1, { where: [], order: [], skip: 0, limit: 1, detail: 'light' })()
            return stage.documents.count(...call)()
          },
      },
    })
    await documents.count('content', 1, { where: [] }, 1)()
    await documents.getRelated(1, { documents: [], counts: [] })()
    await documents
      .get('content', 1, 'none')()
      .catch(() => undefined)
    expect(spans).to.deep.equal([
      { name: 'store count', parent: null, outcome: 'succeeded' },
      { name: 'store find', parent: 'store count', outcome: 'succeeded' },
      { name: 'store getRelated', parent: null, outcome: 'error PortFailure' },
      { name: 'store get', parent: null, outcome: 'error defect' },
    ])
    await webhookSender.send({ url: 'https://a.example/x', id: 'i', time: 0, body: '{}', secrets: [] })
    expect(sender.messages.at(-1)?.headers).to.deep.equal({ traceparent: 'that of the test' })
  })
})
