import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Database } from './better-sqlite3.js'
import { beforeEach, describe, it } from 'mocha'
import { expect } from 'chai'
import type { InsertTexts } from '@publishing-service/sql-kit'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { temporaryFolders } from './test-support/fixture.js'
import type { FromWriter, Outcome, ToWriter, Write } from './writer-messages.js'
import { writerQueue, writerQueueLimits } from './writer-queue.js'

const kindOf = (outcome: Outcome): string =>
  'conflict' in outcome ? `${outcome.conflict} conflict` : (Object.keys(outcome)[0] ?? '')

const kindsOf = (outcomes: readonly Outcome[]): ReadonlySet<string> => new Set(outcomes.map(kindOf))

describe('writerQueue', () => {
  const folder = temporaryFolders()
  const collections = [things]
  let file = ''

  beforeEach(async () => {
    file = join(await folder(), 'documents.sqlite')
    await (await sqliteDocumentStore({ file, collections })).close()
  })

  type Texts = InsertTexts['document']
  type Inserting = Extract<Write, { readonly kind: 'write' }>

  const insert = (
    id: string,
    light = '{}',
    other: Partial<Texts> = {},
    collection = 'things',
  ): Inserting => ({
    kind: 'write',
    urgent: false,
    write: {
      instance: 1,
      changes: [
        {
          collection,
          kind: 'insert',
          document: { id, position: 1, version: 1, unique: null, light, heavy: null, ...other },
        },
      ],
      appended: [],
      bytes: light.length,
    },
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
          collections,
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
    expect(kindsOf(outcomes)).to.deep.equal(new Set(['positions']))
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
    expect(kindsOf(await outcomes)).to.deep.equal(new Set(['positions']))
    expect(pieces.length).to.equal(1 + 8)
    expect(answers.length).to.be.below(pieces.length)
    await queue.close()
  })

  it('limits the writes in flight', async () => {
    const { start, inFlight, pieces } = watched()
    const queue = writerQueue(start, { ...writerQueueLimits, inFlight: 20, batch: 8 })
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, i) => queue.submit(insert(`${i}`))))
    expect(kindsOf(outcomes)).to.deep.equal(new Set(['positions']))
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
    expect(kindsOf(outcomes)).to.deep.equal(new Set(['positions']))
    expect(pieces).to.deep.equal([2, 1, 1, 1])
    await queue.close()
  })

  it('fails writes over its limits at once, and accepts writes again when there is space', async () => {
    const { start } = watched()
    const queue = writerQueue(start, { ...writerQueueLimits, waiting: 5, waitingBytes: 100 })
    const outcomes = await Promise.all(Array.from({ length: 7 }, (_, i) => queue.submit(insert(`${i}`))))
    expect(kindsOf(outcomes.slice(0, 5))).to.deep.equal(new Set(['positions']))
    for (const outcome of outcomes.slice(5))
      expect(outcome)
        .to.have.property('failure')
        .that.matches(/5 writes wait/)
    expect(await queue.submit(insert('large', JSON.stringify('x'.repeat(200))))).to.have.property('failure')
    expect(await queue.submit(insert('6'))).to.have.property('positions')
    await queue.close()
  })

  it('fails all queued writes when the writer dies, and starts another for the next write', async () => {
    const { start, workers } = watched()
    const queue = writerQueue(start, { ...writerQueueLimits, inFlight: 2 })
    expect(await queue.submit(insert('a'))).to.have.property('positions')
    const waiting = Array.from({ length: 6 }, (_, i) => queue.submit(insert(`b${i}`)))
    await workers[0]?.terminate()
    for (const outcome of await Promise.all(waiting))
      expect(outcome)
        .to.have.property('failure')
        .that.matches(/the writer has ended/)
    expect(await queue.submit(insert('c'))).to.have.property('positions')
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
    const removal: Write = {
      kind: 'write',
      urgent: true,
      write: {
        instance: 1,
        changes: [{ collection: 'things', kind: 'remove', id: 'nobody', version: 1 }],
        appended: [],
        bytes: 0,
      },
    }
    const writes: readonly Write[] = [
      insert('held', '{}', { unique: 'u' }),
      insert('other', '{}', { unique: 'u' }),
      insert('held'),
      insert('x', '{}', {}, 'nowhere'),
      removal,
      insert('last'),
    ]
    const outcomes = await Promise.all(writes.map((write) => queue.submit(write)))
    expect(answers).to.deep.equal([6])
    expect(outcomes.map(kindOf)).to.deep.equal([
      'positions',
      'unique conflict',
      'version conflict',
      'defect',
      'version conflict',
      'positions',
    ])
    await queue.close()
  })
})
