import { controlledClock, memoryDocumentStore, recordingLog } from '@publishing-service/adapter-memory'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collections } from './collections.js'
import { InstanceStores } from './instance-store.js'
import { settingsCounter, WriteCounters } from './write-counters.js'
import { controllableStore } from './test-support/controllable-document-store.js'

const document = { id: 'a', unique: null, value: {} }

const storesOver = (documents: DocumentStore) =>
  new InstanceStores({ documents, clock: controlledClock(0), log: recordingLog() }, new WriteCounters())

describe('write counters', () => {
  it('are increased in other processes before a write is acknowledged', async () => {
    const { strict: documents, writeCounters } = storesOver(memoryDocumentStore(collections))
    const told: unknown[] = []
    let know = (): void => undefined
    const asked = new Promise<void>((ask) => {
      writeCounters.tellOthersBy(
        (written) =>
          new Promise((resolve) => {
            told.push(...written)
            know = resolve
            ask()
          }),
      )
    })
    let isAcknowledged = false
    const writing = documents
      .insert('files', 1, document)()
      .then(() => (isAcknowledged = true))
    await asked
    await Promise.resolve()
    expect([told, isAcknowledged]).to.deep.equal([[[1, 'files']], false])
    know()
    await writing
    expect(isAcknowledged).to.equal(true)
  })

  it('increase with each write of their collection and instance only', async () => {
    const { strict: documents, writeCounters } = storesOver(memoryDocumentStore(collections))
    const counter = writeCounters.of(1, 'files')
    const others = [writeCounters.of(2, 'files'), writeCounters.of(1, 'content')]
    const seen = [counter.value]
    const writes = [
      documents.insert('files', 1, document),
      documents.replace('files', 1, { ...document, version: 1 }),
      documents.remove('files', 1, 'a', 2),
    ]
    for (const write of writes) {
      await write()
      seen.push(counter.value)
    }
    expect(seen).to.deep.equal([0, 1, 2, 3])
    expect(others.map(({ value }) => value)).to.deep.equal([0, 0])
    expect(writeCounters.of(1, 'files')).to.equal(counter)
  })

  it('are unchanged by reads', async () => {
    const { strict: documents, writeCounters } = storesOver(memoryDocumentStore(collections))
    await documents.get('files', 1, 'a')()
    await documents.getMany('files', 1, ['a'], 'light')()
    await documents.find('files', 1, { where: [], order: [], skip: 0, limit: 1, detail: 'light' })()
    expect(writeCounters.of(1, 'files').value).to.equal(0)
  })

  it('increase after the write, even after a failed one, which may have been applied', async () => {
    const store = controllableStore(memoryDocumentStore(collections))
    const { strict: documents, writeCounters } = storesOver(store)
    const counter = writeCounters.of(1, 'files')
    const held = store.hold('insert', 'files', 'after')
    const writing = documents.insert('files', 1, document)()
    await held.reached
    expect(counter.value).to.equal(0)
    held.release()
    await writing
    expect(counter.value).to.equal(1)
    store.fail('insert', 'files')
    await documents.insert('files', 1, { ...document, id: 'b' })()
    expect(counter.value).to.equal(2)
  })

  it('all increase after a time in which writes of other processes were unknown', () => {
    const counters = new WriteCounters()
    const all = [counters.of(1, 'files'), counters.of(2, 'content')]
    counters.countAll()
    expect(all.map(({ value }) => value)).to.deep.equal([1, 1])
  })

  it('include one for all instances and settings', async () => {
    const { strict: documents, writeCounters } = storesOver(memoryDocumentStore(collections))
    await documents.insert('instances', 0, document)()
    expect(settingsCounter(writeCounters).value).to.equal(1)
  })
})
