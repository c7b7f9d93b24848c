import { expect } from 'chai'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import type { DocumentStore } from '@publishing-service/ports'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { all, failed, newDatabase, right, things } from './test-support/database.js'
import {
  isFerretdb,
  type MongodbServer,
  startMongodb,
  unreliableConnection,
  type UnreliableConnection,
} from './test-support/servers.js'

const deadline = 1500
const insertion = (id: string) => ({ id, unique: id, value: { title: id } })

describe('mongodbDocumentStore, when its server goes away', function () {
  this.timeout(60_000)
  let server: MongodbServer
  let line: UnreliableConnection
  let store: DocumentStore
  before(async () => {
    server = await startMongodb()
  })
  after(() => server.dispose())
  beforeEach(async () => {
    line = await unreliableConnection(server.address)
    const url = server.url(newDatabase(), line.address)
    const quick = `${url}${url.includes('?') ? '&' : '?'}heartbeatFrequencyMS=500`
    store = await mongodbDocumentStore({ url: quick, collections: [things], deadline })
  })
  afterEach(async () => {
    line.restore()
    await store.close()
    await line.close()
  })

  const everyUse = () => [
    store.get('things', 1, 'a'),
    store.getMany('things', 1, ['a'], 'light'),
    store.find('things', 1, all),
    store.insert('things', 1, insertion('b')),
    store.replace('things', 1, { ...insertion('a'), version: 1 }),
    store.remove('things', 1, 'a', 1),
    store.check(),
  ]

  /** Fails every use within the deadline, and some more for a busy machine. */
  const expectFailures = async (): Promise<void> => {
    const start = performance.now()
    for (const tag of await Promise.all(everyUse().map((use) => failed<unknown>(use))))
      expect(tag).to.equal('PortFailure')
    expect(performance.now() - start).to.be.below(deadline + 1000)
  }

  /** Tries until the store answers again, as clients do. */
  const recovered = async (): Promise<void> => {
    const start = performance.now()
    while ((await store.check()())._tag === 'Left')
      expect(performance.now() - start, 'milliseconds without recovery').to.be.below(15_000)
  }

  it('cut off: every use fails within the deadline, and works again without a restart', async () => {
    await right(store.insert('things', 1, insertion('a')))
    line.cut()
    await expectFailures()
    line.restore()
    await recovered()
    expect(await right(store.get('things', 1, 'a'))).to.include({ id: 'a', version: 1 })
    await right(store.insert('things', 1, insertion('b')))
  })

  it('stalled: every use fails within the deadline, and works again without a restart', async () => {
    await right(store.insert('things', 1, insertion('a')))
    line.stall()
    await expectFailures()
    await expectFailures()
    line.restore()
    await recovered()
    await right(store.insert('things', 1, insertion('c')))
  })

  it('reset: what is under way fails or succeeds, and what answered is there', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = Array.from({ length: 20 }, (_, i) => `${round}-${i}`)
      const outcomes = Promise.all(ids.map((id) => store.insert('things', 1, insertion(id))()))
      line.reset()
      const answered = (await outcomes).flatMap(({ _tag }, i) => (_tag === 'Right' ? [ids[i] ?? ''] : []))
      await recovered()
      const kept = await right(store.getMany('things', 1, answered, 'full'))
      expect(kept.length).to.equal(answered.length)
    }
  })

  it('closing while it is away ends within the driver’s own limits', async () => {
    line.stall()
    const under = store.insert('things', 1, insertion('a'))()
    const start = performance.now()
    await store.close()
    expect(performance.now() - start).to.be.below(4 * deadline)
    expect((await under)._tag).to.equal('Left')
  })

  it('killed under load: nothing that was answered is lost', async function () {
    if (!isFerretdb) return expect(server.url('any'), 'a server that is not ours to kill').not.to.equal('')
    const answered: string[] = []
    let writing = true
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; writing; i++) {
        const id = `${writer}-${i}`
        const outcome = await store.insert('things', 2, insertion(id))()
        if (outcome._tag === 'Right') answered.push(id)
      }
    })
    const answers = async (count: number): Promise<void> => {
      while (answered.length < count) await new Promise(setImmediate)
    }
    await answers(40)
    await server.kill()
    const atTheKill = answered.length
    await server.start()
    await answers(atTheKill + 40)
    writing = false
    await Promise.all(writers)
    const kept = await right(store.getMany('things', 2, answered.slice(0, 1000), 'light'))
    expect(kept.length).to.equal(Math.min(1000, answered.length))
  })
})
