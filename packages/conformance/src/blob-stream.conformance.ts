/**
 * The part of the blob store's suite about streams: memory stays bounded whatever the size, and what is left half
 * way is freed. Memory is measured after a garbage collection, so that only what somebody holds is counted.
 */
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { inChunks, kibibyte, mebibyte, memoryInUse, openDescriptors, seededBytes } from './blob-bodies.js'
import type { Deviations } from './contract.js'
import { rounds } from './extent.js'
import { valueOf } from './task-outcome.js'

const size = rounds(32, 64) * mebibyte
const chunk = seededBytes(64 * kibibyte, 1)
/** Chunks on their way, in any number of buffers along it. */
const heldAtMost = 8 * mebibyte
/** The process's own pages come and go as well; still far from the size of the body. */
const residentAtMost = 40 * mebibyte

/** Checks the memory every 4 MB, and returns the highest rise over the beginning. */
const memoryWatch = async () => {
  const start = await memoryInUse()
  let passed = 0
  let held = 0
  let resident = 0
  return {
    pass: async (bytes: number): Promise<void> => {
      const before = passed
      passed += bytes
      if (Math.floor(before / (4 * mebibyte)) === Math.floor(passed / (4 * mebibyte))) return
      const now = await memoryInUse()
      held = Math.max(held, now.buffers - start.buffers)
      resident = Math.max(resident, now.resident - start.resident)
    },
    expectBounded: (): void => {
      expect(held, 'bytes held in buffers').to.be.below(heldAtMost)
      expect(resident, 'rise of the resident memory').to.be.below(residentAtMost)
    },
  }
}

/** For a store that holds bodies in memory. */
const unwatched: typeof memoryWatch = async () => ({
  pass: () => Promise.resolve(),
  expectBounded: () => undefined,
})

const descriptorsGoBackTo = async (count: number): Promise<number> => {
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
    const watching = unbounded === undefined ? memoryWatch : unwatched
    const bounds = unbounded === undefined ? 'within bounds' : 'without a bound'

    it(`writes ${size / mebibyte} MB ${bounds}`, async () => {
      const watch = await watching()
      async function* body(): AsyncGenerator<Uint8Array> {
        for (let given = 0; given < size; given += chunk.length) {
          await watch.pass(chunk.length)
          yield chunk
        }
      }
      expect(await valueOf(store().write('one/blob', body(), size))).to.include({ bytes: size })
      watch.expectBounded()
    })

    it(`reads ${size / mebibyte} MB ${bounds}`, async () => {
      async function* body(): AsyncGenerator<Uint8Array> {
        for (let given = 0; given < size; given += chunk.length) yield chunk
      }
      await valueOf(store().write('one/blob', body(), size))
      const watch = await watching()
      let taken = 0
      for await (const part of (await valueOf(store().read('one/blob'))).chunks) {
        await watch.pass(part.length)
        taken += part.length
      }
      expect(taken).to.equal(size)
      watch.expectBounded()
    })
  })

  describe('A read that is abandoned frees its resources.', () => {
    const abandoned = 100

    it(`after ${abandoned} reads that stop at the first chunk no descriptor is left, and reading goes on`, async () => {
      const body = seededBytes(4 * mebibyte, 2)
      await valueOf(store().write('one/blob', inChunks(body), size))
      const before = await openDescriptors()
      for (let read = 0; read < abandoned; read += 1) {
        for await (const part of (await valueOf(store().read('one/blob'))).chunks) {
          expect(part.length).to.be.above(0)
          break
        }
      }
      // A store behind a network may keep a few connections for the next request.
      if (before !== null) expect(await descriptorsGoBackTo(before)).to.be.at.most(before + 8)
      let taken = 0
      for await (const part of (await valueOf(store().read('one/blob'))).chunks) taken += part.length
      expect(taken).to.equal(body.length)
    })

    it('and so does a listing that stops at its first entry', async () => {
      for (const key of ['a/b/c', 'a/b/d', 'a/e/f']) await valueOf(store().write(key, inChunks(chunk), size))
      const before = await openDescriptors()
      for (let walk = 0; walk < abandoned; walk += 1) {
        for await (const entry of store().list('a')) {
          expect(entry.bytes).to.equal(chunk.length)
          break
        }
      }
      if (before !== null) expect(await descriptorsGoBackTo(before)).to.be.at.most(before + 8)
    })
  })
}
