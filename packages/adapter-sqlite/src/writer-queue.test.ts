import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { beforeEach, describe, it } from 'mocha'
import { expect } from 'chai'
import { collectionLayout } from './collection-layout.js'
import { keyColumnNames, keyValues } from './key-values.js'
import { openReader } from './open-connection.js'
import { migrateSchema } from './migrate-schema.js'
import { things } from './test-support/fixture-collection.js'
import { temporaryFolders } from './test-support/fixture.js'
import type { FromWriter, ToWriter, Write } from './writer-messages.js'
import { writerQueue, writerQueueLimits } from './writer-queue.js'

describe('writerQueue', () => {
  const folder = temporaryFolders()
  const layout = collectionLayout(things)
  let file = ''

  beforeEach(async () => {
    file = join(await folder(), 'documents.sqlite')
    const database = await openReader(
      file,
      () => undefined,
      (opened) => migrateSchema(opened, [layout]),
    )
    database.close()
  })

  const insert = (id: string, light = '{}'): Extract<Write, { readonly unique: string | null }> => ({
    kind: 'insert',
    table: layout.table,
    instance: 1,
    id,
    unique: null,
    urgent: false,
    version: 0,
    keys: keyValues(layout, {}),
    light,
    heavy: null,
  })

  /** Starts real writers, and records them, their messages and their responses. */
  const watched = () => {
    const workers: Worker[] = []
    const pieces: number[] = []
    const answers: number[] = []
    const inFlight = { now: 0, most: 0 }
    const start = (): Worker => {
      const worker = new Worker(new URL('./sqlite-writer.js', import.meta.url), {
        workerData: {
          file,
          busyTimeout: 1000,
          largestFile: null,
          reserve: 0,
          keyColumns: keyColumnNames([layout]),
          searches: {},
        },
      })
      const post = worker.postMessage.bind(worker)
      worker.postMessage = (message: ToWriter) => {
        if (message.kind === 'writes') {
          pieces.push(message.writes.length)
          inFlight.now += message.writes.length
          inFlight.most = Math.max(inFlight.most, inFlight.now)
        }
        post(message)
      }
      worker.on('message', ({ outcomes }: FromWriter) => {
        answers.push(outcomes.length)
        inFlight.now -= outcomes.length
      })
      workers.push(worker)
      return worker
    }
    return { start, workers, pieces, answers, inFlight }
  }

  it('sends the writes of one turn in batches, the last after the turn', async () => {
    const { start, pieces } = watched()
    const queue = writerQueue(start, { ...writerQueueLimits, batch: 8 })
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => queue.submit(insert(`${i}`))))
    expect(new Set(outcomes)).to.deep.equal(new Set(['done']))
    expect(pieces).to.deep.equal([8, 8, 4])
    await queue.close()
  })

  it('commits all received writes together', async () => {
    const { start, pieces, answers } = watched()
    const queue = writerQueue(start)
    await queue.submit(insert('first'))
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    const outcomes = Promise.all(Array.from({ length: 64 }, (_, i) => queue.submit(insert(`${i}`))))
    other.exec('COMMIT')
    other.close()
    expect(new Set(await outcomes)).to.deep.equal(new Set(['done']))
    expect(pieces.length).to.equal(1 + 8)
    expect(answers.length).to.be.below(pieces.length)
    await queue.close()
  })

  it('limits the writes in flight', async () => {
    const { start, inFlight, pieces } = watched()
    const queue = writerQueue(start, { ...writerQueueLimits, inFlight: 20, batch: 8 })
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, i) => queue.submit(insert(`${i}`))))
    expect(new Set(outcomes)).to.deep.equal(new Set(['done']))
    expect(inFlight.most).to.equal(20)
    expect(pieces.slice(0, 3)).to.deep.equal([8, 8, 4])
    await queue.close()
  })

  it('limits the bytes in flight too, and sends one larger write alone', async () => {
    const { start, pieces } = watched()
    const queue = writerQueue(start, { ...writerQueueLimits, inFlightBytes: 1000 })
    const text = JSON.stringify('x'.repeat(398))
    const large = JSON.stringify('x'.repeat(3000))
    const writes = [
      insert('a', text),
      insert('b', text),
      insert('c', text),
      insert('d', large),
      insert('e', text),
    ]
    const outcomes = await Promise.all(writes.map((write) => queue.submit(write)))
    expect(new Set(outcomes)).to.deep.equal(new Set(['done']))
    expect(pieces).to.deep.equal([2, 1, 1, 1])
    await queue.close()
  })

  it('fails writes over its limits at once, and accepts writes again when there is space', async () => {
    const { start } = watched()
    const queue = writerQueue(start, { ...writerQueueLimits, waiting: 5, waitingBytes: 100 })
    const outcomes = await Promise.all(Array.from({ length: 7 }, (_, i) => queue.submit(insert(`${i}`))))
    expect(outcomes.slice(0, 5)).to.deep.equal(Array.from({ length: 5 }, () => 'done'))
    for (const outcome of outcomes.slice(5))
      expect(outcome)
        .to.have.property('failure')
        .that.matches(/5 writes wait/)
    expect(await queue.submit(insert('large', JSON.stringify('x'.repeat(200))))).to.have.property('failure')
    expect(await queue.submit(insert('6'))).to.equal('done')
    await queue.close()
  })

  it('fails all queued writes when the writer dies, and starts another for the next write', async () => {
    const { start, workers } = watched()
    const queue = writerQueue(start, { ...writerQueueLimits, inFlight: 2 })
    expect(await queue.submit(insert('a'))).to.equal('done')
    const waiting = Array.from({ length: 6 }, (_, i) => queue.submit(insert(`b${i}`)))
    await workers[0]?.terminate()
    for (const outcome of await Promise.all(waiting))
      expect(outcome)
        .to.have.property('failure')
        .that.matches(/the writer has ended/)
    expect(await queue.submit(insert('c'))).to.equal('done')
    expect(workers.length).to.equal(2)
    await queue.close()
  })

  it('reports for each write why the writer can’t start, and closes', async () => {
    let starts = 0
    const queue = writerQueue(() => {
      starts++
      if (starts === 2) throw new Error('no more threads')
      return new Worker('throw new Error("broken")', { eval: true })
    })
    expect(await queue.submit(insert('a')))
      .to.have.property('failure')
      .that.includes('broken')
    expect(await queue.submit(insert('a')))
      .to.have.property('failure')
      .that.includes('no more threads')
    expect(await queue.submit(insert('a')))
      .to.have.property('failure')
      .that.includes('broken')
    await queue.close()
    expect(await queue.submit(insert('a'))).to.deep.equal({ failure: 'it is closed' })
  })

  it('returns a separate outcome for each write of a transaction: done, conflicts and defects', async () => {
    const { start, answers } = watched()
    const queue = writerQueue(start)
    const held = { ...insert('held'), unique: 'u' }
    const writes: readonly Write[] = [
      held,
      { ...held, id: 'other' },
      held,
      { ...insert('x'), table: 'documents_nowhere' },
      { kind: 'remove', table: layout.table, instance: 1, id: 'nobody', version: 1 },
      { ...insert('unfit'), keys: [] },
      insert('last'),
    ]
    const outcomes = await Promise.all(writes.map((write) => queue.submit(write)))
    expect(answers).to.deep.equal([7])
    expect(
      outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0])),
    ).to.deep.equal([
      'done',
      'unique conflict',
      'version conflict',
      'defect',
      'version conflict',
      'defect',
      'done',
    ])
    await queue.close()
  })
})
