/**
 * The part of the blob store's suite about streams: memory is bounded for any size, and abandoned reads are freed.
 * Memory is measured after a garbage collection, so that only referenced memory counts.
 */
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { inChunks, kibibyte, mebibyte, memoryInUse, openDescriptors, seededBytes } from './blob-bodies.js'
import type { Deviations } from './contract.js'
import { valueOf } from './task-outcome.js'

const size = 32 * mebibyte
const chunk = seededBytes(64 * kibibyte, 1)
/** For the chunks in all buffers on the way. */
const maxBufferedBytes = 8 * mebibyte
/** Other pages of the process vary too. This is still far less than the size of the body. */
const maxResidentBytes = 40 * mebibyte

/** A measurement collects the garbage of the whole process, which takes longer than the body. */
const between = 16 * mebibyte

/** Measures the memory each time that so many bytes have passed, and remembers the highest rise since the start. */
const memoryWatch = async () => {
  const start = await memoryInUse()
  let passed = 0
  let buffered = 0
  let resident = 0
  return {
    pass: async (bytes: number): Promise<void> => {
      const before = passed
      passed += bytes
      if (Math.floor(before / between) === Math.floor(passed / between)) return
      const now = await memoryInUse()
      buffered = Math.max(buffered, now.buffers - start.buffers)
      resident = Math.max(resident, now.resident - start.resident)
    },
    expectBounded: (): void => {
      expect(buffered, 'bytes in buffers').to.be.below(maxBufferedBytes)
      expect(resident, 'rise of the resident memory').to.be.below(maxResidentBytes)
    },
  }
}

/** For a store that has bodies in memory. */
const noMemoryWatch: typeof memoryWatch = async () => ({
  pass: () => Promise.resolve(),
  expectBounded: () => undefined,
})

const descriptorsAfterDroppingTo = async (count: number): Promise<number> => {
  const deadline = performance.now() + 5_000
  for (;;) {
    const now = (await openDescriptors()) ?? 0
    if (now <= count || performance.now() > deadline) return now
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export const blobStreamConformance = (
  store: () => BlobStore,
  { unbounded }: Deviations<'blobStore'>,
): void => {
  describe('Bodies are streamed: a write or read of any size has at most a few chunks in memory.', () => {
    const watching = unbounded === undefined ? memoryWatch : noMemoryWatch
    const bounds = unbounded === undefined ? 'within bounds' : 'without a bound'

    it(`writes ${size / mebibyte} MB ${bounds}`, async () => {
      const watch = await watching()
      async function* body(): AsyncGenerator<Uint8Array> {
        for (let sent = 0; sent < size; sent += chunk.length) {
          await watch.pass(chunk.length)
          yield chunk
        }
      }
      expect(await valueOf(store().write('one/blob', body(), size))).to.include({ bytes: size })
      watch.expectBounded()
    })

    it(`reads ${size / mebibyte} MB ${bounds}`, async () => {
      async function* body(): AsyncGenerator<Uint8Array> {
        for (let sent = 0; sent < size; sent += chunk.length) yield chunk
      }
      await valueOf(store().write('one/blob', body(), size))
      const watch = await watching()
      let received = 0
      for await (const part of (await valueOf(store().read('one/blob'))).chunks) {
        await watch.pass(part.length)
        received += part.length
      }
      expect(received).to.equal(size)
      watch.expectBounded()
    })
  })

  describe('A read that is abandoned frees its resources.', () => {
    const abandoned = 25

    it(`after ${abandoned} reads that stop at the first chunk, no descriptor remains open and reads still work`, async () => {
      const body = seededBytes(4 * mebibyte, 2)
      await valueOf(store().write('one/blob', inChunks(body), size))
      const before = await openDescriptors()
      for (let read = 0; read < abandoned; read += 1) {
        for await (const part of (await valueOf(store().read('one/blob'))).chunks) {
          expect(part.length).to.be.above(0)
          break
        }
      }
      // A store on a network may keep a few connections open for the next request.
      if (before !== null) expect(await descriptorsAfterDroppingTo(before)).to.be.at.most(before + 8)
      let received = 0
      for await (const part of (await valueOf(store().read('one/blob'))).chunks) received += part.length
      expect(received).to.equal(body.length)
    })

    it('also a listing that stops at its first entry', async () => {
      for (const key of ['a/b/c', 'a/b/d', 'a/e/f']) await valueOf(store().write(key, inChunks(chunk), size))
      const before = await openDescriptors()
      for (let walk = 0; walk < abandoned; walk += 1) {
        for await (const entry of store().list('a')) {
          expect(entry.bytes).to.equal(chunk.length)
          break
        }
      }
      if (before !== null) expect(await descriptorsAfterDroppingTo(before)).to.be.at.most(before + 8)
    })
  })
}
