import { expect } from 'chai'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { isPortFailure, type BlobStore, type PortFailure } from '@publishing-service/ports'
import { minioBlobStore, type MinioBlobStoreOptions } from './minio-blob-store.js'
import { bytesOf, failed, lengthOf, mebibyte, openUploads, optionsFor, right } from './test-support/blobs.js'
import {
  type MinioServer,
  startMinio,
  unreliableConnection,
  type UnreliableConnection,
} from './test-support/servers.js'

const timeout = 1000
const limit = 64 * mebibyte

describe('minioBlobStore during an outage of its server', function () {
  this.timeout(60_000)
  let server: MinioServer
  let connection: UnreliableConnection
  let options: MinioBlobStoreOptions
  let store: BlobStore
  before(async () => {
    server = await startMinio()
  })
  after(() => server.dispose())
  beforeEach(async () => {
    connection = await unreliableConnection(server.address)
    options = { ...optionsFor(server, connection.address), timeout }
    store = await minioBlobStore(options)
    await right(store.write('one/blob', bytesOf(12 * mebibyte), limit))
  })
  afterEach(async () => {
    connection.restore()
    await store.close()
    await connection.close()
  })

  const direct = (): MinioBlobStoreOptions => ({ ...options, url: server.url() })

  const listed = async (): Promise<string> => {
    try {
      for await (const { key } of store.list('')) return key
      return 'nothing'
    } catch (error) {
      return (error as PortFailure)._tag
    }
  }

  const expectFailures = async (): Promise<void> => {
    const start = performance.now()
    const tags = await Promise.all([
      failed(store.read('one/blob')),
      failed(store.size('one/blob')),
      failed(store.write('one/other', bytesOf(10), limit)),
      failed(store.write('one/other', bytesOf(12 * mebibyte), limit)),
      failed(store.remove('one')),
      failed(store.check()),
      listed(),
    ])
    expect(tags).to.deep.equal(tags.map(() => 'PortFailure'))
    expect(performance.now() - start).to.be.below(3 * timeout)
  }

  it('connection lost: every use fails at once, and works again without a restart', async () => {
    connection.cut()
    await expectFailures()
    connection.restore()
    await right(store.check())
    expect(await lengthOf((await right(store.read('one/blob'))).chunks)).to.equal(12 * mebibyte)
  })

  it('connection stalled: every use fails within its timeout, and works again without a restart', async () => {
    connection.stall()
    await expectFailures()
    connection.restore()
    await right(store.check())
    expect(await lengthOf((await right(store.read('one/blob'))).chunks)).to.equal(12 * mebibyte)
  })

  for (const [name, fail] of [
    ['connection lost', () => connection.cut()],
    ['connection stalled', () => connection.stall()],
  ] as const) {
    it(`${name} during a read: the read fails within the timeout`, async () => {
      let received = 0
      const start = performance.now()
      const outcome = await (async () => {
        for await (const chunk of (await right(store.read('one/blob'))).chunks) {
          if (received === 0) fail()
          received += chunk.length
        }
        return 'the end'
      })().catch((error: unknown) => (isPortFailure(error) ? 'a PortFailure' : String(error)))
      expect([outcome, received < 12 * mebibyte]).to.deep.equal(['a PortFailure', true])
      expect(performance.now() - start).to.be.below(3 * timeout)
    })

    it(`${name} during a write: nothing of it remains after the server is back`, async () => {
      async function* body(): AsyncGenerator<Uint8Array> {
        yield* bytesOf(6 * mebibyte)
        fail()
        yield* bytesOf(6 * mebibyte)
      }
      expect(await failed(store.write('one/blob', body(), limit))).to.equal('PortFailure')
      connection.restore()
      expect(await right(store.size('one/blob'))).to.equal(12 * mebibyte)
      await right(store.check())
      expect(await openUploads(direct())).to.deep.equal([])
    })
  }

  it('a body that is interrupted or exceeds the limit leaves no incomplete upload', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* bytesOf(11 * mebibyte)
      throw new Error('the connection was lost')
    }
    expect(await failed(store.write('one/other', broken(), limit))).to.equal('BodyInterrupted')
    expect(await failed(store.write('one/other', bytesOf(12 * mebibyte), 11 * mebibyte))).to.equal(
      'BlobTooLarge',
    )
    expect(await openUploads(direct())).to.deep.equal([])
  })

  it('connections reset repeatedly: each use succeeds or fails, and acknowledged blobs exist', async () => {
    const written: string[] = []
    for (let round = 0; round < 20; round++) {
      const key = `round/${round}`
      const outcome = store.write(key, bytesOf(1000), limit)()
      if (round % 2 === 0) connection.reset()
      if ((await outcome)._tag === 'Right') written.push(key)
    }
    expect(written.length).to.be.above(0)
    for (const key of written) expect(await right(store.size(key))).to.equal(1000)
  })

  it('server killed under load and restarted: no acknowledged blob is lost', async () => {
    const acknowledged: string[] = []
    let writing = true
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; writing; i++) {
        const key = `writer-${writer}/${i}`
        const outcome = await store.write(key, bytesOf(70_000), limit)()
        if (outcome._tag === 'Right') acknowledged.push(key)
      }
    })
    const untilAcknowledged = async (count: number): Promise<void> => {
      while (acknowledged.length < count) await new Promise(setImmediate)
    }
    await untilAcknowledged(40)
    await server.kill()
    const atTheKill = acknowledged.length
    await server.start()
    await untilAcknowledged(atTheKill + 40)
    writing = false
    await Promise.all(writers)
    for (const key of acknowledged) expect(await right(store.size(key)), key).to.equal(70_000)
  })
})
