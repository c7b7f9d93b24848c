/**
 * The contract of the blob store's port as a mocha suite. Each sentence of the port's doc comment is the title of its
 * tests.
 */
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { interrupted, collect, inChunks, kibibyte, mebibyte, seededBytes, sha256 } from './blob-bodies.js'
import { blobKeyConformance } from './blob-key.conformance.js'
import { blobPathConformance } from './blob-path.conformance.js'
import { blobStreamConformance } from './blob-stream.conformance.js'
import { twoStoresConformance } from './two-blob-stores.conformance.js'
import { type Conformance, declareContract } from './contract.js'
import { failureOf, valueOf } from './task-outcome.js'

/** A store on separate data, opened for one test. */
export type BlobStoreUnderTest = {
  readonly store: BlobStore
  /**
   * Opens another store on the same data, as another process would; the first may still be open. The suite closes it. Not called
   * for a volatile store.
   */
  readonly reopen: () => Promise<BlobStore>
  /** Closes the store if it is still open, and removes the data. */
  readonly dispose: () => Promise<void>
}

/** `open` opens an empty store for one test. */
export type BlobStoreConformance = Conformance<'blobStore', () => Promise<BlobStoreUnderTest>> & {
  /** How many blobs a large listing has: more than a page of a store that lists by page. Default: more than S3 lists. */
  readonly manyBlobs?: number
}

const limit = 16 * mebibyte

/** Declares the suite for one store. */
export const blobStoreConformance = (options: BlobStoreConformance): void => {
  const { open, deviations = {}, manyBlobs = 1_100 } = options
  declareContract('blobStore', options, 60_000, () => {
    let opened: BlobStoreUnderTest
    let store: BlobStore
    const reopened: BlobStore[] = []
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(async () => {
      await Promise.all(reopened.splice(0).map((each) => each.close()))
      await opened.dispose()
    })

    /** Opens another store on the same data. */
    const openAnother = async (): Promise<BlobStore> => {
      const another = await opened.reopen()
      reopened.push(another)
      return another
    }
    const isShared = deviations.volatile === undefined

    const put = (key: string, bytes: Uint8Array) => valueOf(store.write(key, inChunks(bytes), limit))
    const get = async (key: string) => collect((await valueOf(store.read(key))).chunks)
    const keys = async () => {
      const found: string[] = []
      for await (const entry of store.list('')) found.push(entry.key)
      return found.toSorted()
    }

    describe('A blob that was written is read back unchanged, completely or by range.', () => {
      for (const [title, bytes] of [
        ['0 bytes', 0],
        ['1 byte', 1],
        ['one byte less than 64 KB', 64 * kibibyte - 1],
        ['one byte more than 1 MB', mebibyte + 1],
        ['5 MB', 5 * mebibyte],
      ] as const) {
        it(`${title}, with its size and SHA-256 in the receipt`, async () => {
          const body = seededBytes(bytes, 1)
          expect(await put('one/blob', body)).to.deep.equal({ bytes, sha256: sha256(body) })
          expect(await valueOf(store.size('one/blob'))).to.equal(bytes)
          expect(sha256(await get('one/blob'))).to.equal(sha256(body))
        })
      }

      it('from chunks of various sizes, some of them empty', async () => {
        const body = seededBytes(3 * mebibyte, 2)
        const lengths = [0, 1, 3, 0, 8191, 65_537, 262_143, 300_000, 1_048_577]
        async function* uneven(): AsyncGenerator<Uint8Array> {
          let at = 0
          for (let turn = 0; at < body.length; turn += 1) {
            const length = lengths[turn % lengths.length] ?? 1
            yield body.subarray(at, at + length)
            at += length
          }
        }
        await valueOf(store.write('one/blob', uneven(), limit))
        expect(sha256(await get('one/blob'))).to.equal(sha256(body))
      })

      it('from a source that uses one buffer for all its chunks', async () => {
        const body = seededBytes(mebibyte, 3)
        async function* reusing(): AsyncGenerator<Uint8Array> {
          const chunk = new Uint8Array(10_000)
          for (let at = 0; at < body.length; at += chunk.length) {
            const part = body.subarray(at, at + chunk.length)
            chunk.set(part)
            yield chunk.subarray(0, part.length)
          }
        }
        await valueOf(store.write('one/blob', reusing(), limit))
        expect(sha256(await get('one/blob'))).to.equal(sha256(body))
      })

      it('by range: the first byte, the last byte, inside, to the end, all', async () => {
        const length = 5 * mebibyte
        const body = seededBytes(length, 4)
        await put('one/blob', body)
        for (const [start, end] of [
          [0, 0],
          [length - 1, length - 1],
          [1, 2],
          [64 * kibibyte - 1, 64 * kibibyte],
          [mebibyte, 3 * mebibyte],
          [length - 1000, length - 1],
          [0, length - 1],
        ] as const) {
          const part = await collect((await valueOf(store.read('one/blob', { start, end }))).chunks)
          expect(part.length, `${start} to ${end}`).to.equal(end - start + 1)
          expect(sha256(part), `${start} to ${end}`).to.equal(sha256(body.subarray(start, end + 1)))
        }
      })

      it('by many concurrent readers', async () => {
        const body = seededBytes(mebibyte, 5)
        await put('one/blob', body)
        const read = await Promise.all(Array.from({ length: 16 }, () => get('one/blob')))
        expect(new Set(read.map(sha256))).to.deep.equal(new Set([sha256(body)]))
      })

      it('a key that was never written returns BlobNotFound and has no size', async () => {
        expect(await failureOf(store.read('no/blob'))).to.deep.equal({ _tag: 'BlobNotFound' })
        expect(await valueOf(store.size('no/blob'))).to.equal(null)
      })
    })

    describe('A read returns the size of the whole blob; a range that exceeds its end returns the bytes that exist.', () => {
      const read = async (start: number, end: number) => {
        const { bytes, chunks } = await valueOf(store.read('one/blob', { start, end }))
        return { bytes, length: (await collect(chunks)).length }
      }

      it('without a range, and with ranges inside, across and after the end', async () => {
        await put('one/blob', seededBytes(100_000, 21))
        const { bytes, chunks } = await valueOf(store.read('one/blob'))
        expect({ bytes, length: (await collect(chunks)).length }).to.deep.equal({
          bytes: 100_000,
          length: 100_000,
        })
        expect(await read(10, 19)).to.deep.equal({ bytes: 100_000, length: 10 })
        expect(await read(99_990, 100_009)).to.deep.equal({ bytes: 100_000, length: 10 })
        expect(await read(100_000, 100_009)).to.deep.equal({ bytes: 100_000, length: 0 })
        expect(await read(200_000, 200_009)).to.deep.equal({ bytes: 100_000, length: 0 })
      })

      it('of an empty blob', async () => {
        await put('one/blob', new Uint8Array())
        expect(await read(0, 9)).to.deep.equal({ bytes: 0, length: 0 })
      })
    })

    describe('A write that has returned is durable, and every later read and listing sees it, in any process on the same data.', () => {
      it(isShared ? 'after a restart' : 'until the store closes', async () => {
        const body = seededBytes(200_000, 6)
        await put('one/blob', body)
        await put('one/other/blob', body.subarray(0, 10))
        if (isShared) {
          await store.close()
          store = await openAnother()
        }
        expect(sha256(await get('one/blob'))).to.equal(sha256(body))
        expect(await keys()).to.deep.equal(['one/blob', 'one/other/blob'])
        await valueOf(store.check())
      })
    })

    if (isShared)
      twoStoresConformance({ store: () => store, openAnother, waits: deviations.locking !== undefined })

    describe('A blob exists completely or not at all: one that is still being written is not read, found or listed.', () => {
      it('from the first chunk until after the last', async () => {
        const body = seededBytes(4 * mebibyte, 7)
        let checks = 0
        async function* watched(): AsyncGenerator<Uint8Array> {
          for await (const chunk of inChunks(body, mebibyte)) {
            yield chunk
            expect(await valueOf(store.size('one/blob'))).to.equal(null)
            expect(await failureOf(store.read('one/blob'))).to.deep.equal({ _tag: 'BlobNotFound' })
            expect(await keys()).to.deep.equal([])
            checks += 1
          }
        }
        await valueOf(store.write('one/blob', watched(), limit))
        expect(checks).to.equal(4)
        expect(await keys()).to.deep.equal(['one/blob'])
      })
    })

    describe('A write over the limit, or whose body is interrupted, stores nothing, and the earlier blob of the key remains.', () => {
      const before = seededBytes(1000, 8)
      const expectUnchanged = async () => {
        expect(await get('existing/blob')).to.deep.equal(Buffer.from(before))
        expect(await keys()).to.deep.equal(['existing/blob'])
      }
      beforeEach(() => put('existing/blob', before))

      it('a body of exactly the limit is accepted, one byte more is not', async () => {
        const body = seededBytes(100_001, 9)
        expect(await failureOf(store.write('one/blob', inChunks(body), 100_000))).to.deep.equal({
          _tag: 'BlobTooLarge',
          limit: 100_000,
        })
        await expectUnchanged()
        const exact = body.subarray(0, 100_000)
        expect(await valueOf(store.write('one/blob', inChunks(exact), 100_000))).to.include({
          bytes: 100_000,
        })
        expect(await valueOf(store.write('no/bytes', inChunks(exact.subarray(0, 0)), 0))).to.include({
          bytes: 0,
        })
      })

      it('over the limit on an existing key', async () => {
        const over = inChunks(seededBytes(2 * mebibyte, 10))
        expect(await failureOf(store.write('existing/blob', over, mebibyte))).to.include({
          _tag: 'BlobTooLarge',
        })
        await expectUnchanged()
      })

      it('stops reading at the limit and releases the source', async () => {
        const chunk = seededBytes(64 * kibibyte, 11)
        let sent = 0
        let released = false
        async function* long(): AsyncGenerator<Uint8Array> {
          try {
            while (sent < 64 * mebibyte) {
              sent += chunk.length
              yield chunk
            }
          } finally {
            released = true
          }
        }
        expect(await failureOf(store.write('one/blob', long(), mebibyte))).to.include({
          _tag: 'BlobTooLarge',
        })
        expect(sent).to.be.below(2 * mebibyte)
        expect(released).to.equal(true)
        await expectUnchanged()
      })

      for (const [title, bytes] of [
        ['before its first byte', 0],
        ['after its first bytes', 10],
        ['after 3 MB', 3 * mebibyte],
      ] as const) {
        it(`a body that fails ${title}, on a new key and on an existing one`, async () => {
          const body = seededBytes(bytes, 12)
          for (const key of ['one/blob', 'existing/blob']) {
            expect(await failureOf(store.write(key, interrupted(body), limit))).to.deep.equal({
              _tag: 'BodyInterrupted',
            })
          }
          await expectUnchanged()
          await put('one/blob', body)
          expect(sha256(await get('one/blob'))).to.equal(sha256(body))
        })
      }
    })

    describe('A write to an existing key replaces the blob atomically; current reads continue with the old bytes.', () => {
      const waits = deviations.locking !== undefined
      const title = waits ? '; the write waits for it' : ''

      it(`a read that has begun continues with the old bytes, a new read has the new bytes${title}`, async () => {
        const old = seededBytes(8 * mebibyte, 13)
        const fresh = seededBytes(3 * mebibyte, 14)
        await put('one/blob', old)
        const chunks: Uint8Array[] = []
        let written: Promise<unknown> | null = null
        for await (const chunk of (await valueOf(store.read('one/blob'))).chunks) {
          written ??= put('one/blob', fresh)
          if (!waits) await written
          chunks.push(chunk)
        }
        await written
        expect(sha256(Buffer.concat(chunks))).to.equal(sha256(old))
        expect(sha256(await get('one/blob'))).to.equal(sha256(fresh))
        expect(await valueOf(store.size('one/blob'))).to.equal(fresh.length)
      })

      it(`a read that was opened before the write has the old bytes${title}`, async () => {
        const old = seededBytes(mebibyte, 15)
        await put('one/blob', old)
        const reading = (await valueOf(store.read('one/blob'))).chunks
        const written = put('one/blob', seededBytes(10, 16))
        if (!waits) await written
        expect(sha256(await collect(reading))).to.equal(sha256(old))
        await written
      })

      it('of concurrent writers to one key one wins, completely', async () => {
        for (let round = 0; round < 3; round += 1) {
          const bodies = [0, 1, 2, 3].map((writer) => seededBytes(mebibyte + writer, 20 + round * 4 + writer))
          const receipts = await Promise.all(bodies.map((body) => put('one/blob', body)))
          expect(receipts.map((receipt) => receipt.sha256)).to.deep.equal(bodies.map(sha256))
          expect(receipts.map((receipt) => receipt.sha256)).to.include(sha256(await get('one/blob')))
        }
        expect(await keys()).to.deep.equal(['one/blob'])
      })

      it('concurrent reads return one complete blob', async () => {
        const bodies = Array.from({ length: 12 }, (_, turn) => seededBytes(300_000 + turn, 50 + turn))
        const digests = new Set(bodies.map(sha256))
        await put('one/blob', bodies[0] ?? new Uint8Array())
        let writing = true
        const readers = Array.from({ length: 3 }, async () => {
          let reads = 0
          while (writing || reads === 0) {
            expect(digests.has(sha256(await get('one/blob')))).to.equal(true)
            reads += 1
            // Lets the writers run, even if the store responds without waiting.
            await new Promise((resolve) => setImmediate(resolve))
          }
          return reads
        })
        const written = (async () => {
          for (const body of bodies) await put('one/blob', body)
        })().finally(() => {
          writing = false
        })
        await Promise.all([written, ...readers])
      })
    })

    blobStreamConformance(() => store, deviations)
    blobPathConformance(() => store, deviations, manyBlobs)
    blobKeyConformance(() => store)

    it('checks and closes; closing is idempotent', async () => {
      await valueOf(store.check())
      await store.close()
      await store.close()
    })
  })
}
