/**
 * The part of the blob store's suite about paths: only blobs below a path are listed and removed. Random operations are
 * compared with a model.
 */
import type { BlobEntry, BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import fc from 'fast-check'
import { beforeEach, describe, it } from 'mocha'
import { collect, inChunks, seededBytes, sha256 } from './blob-bodies.js'
import type { Deviations } from './contract.js'
import { valueOf } from './task-outcome.js'

const limit = 1_000_000

const relatedKeys = [
  'a/b',
  'a/b/x',
  'a/b/x/y',
  'a/bc',
  'a/bc/d',
  'a/b.c',
  'a/b-c/d',
  'a/B/x',
  'ab/x',
  'b/a/b/x',
]

/** Similar keys and paths, for the model. */
const segment = fc.constantFrom('a', 'b', 'ab', 'a.b', 'A')
const key = fc.array(segment, { minLength: 2, maxLength: 4 }).map((segments) => segments.join('/'))
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'))
const step = fc.oneof(
  fc.record({ act: fc.constant('write' as const), key, bytes: fc.nat(3_000), seed: fc.nat(1_000) }),
  fc.record({ act: fc.constant('remove' as const), path }),
  fc.record({ act: fc.constant('read' as const), key, path }),
)

export const blobPathConformance = (
  store: () => BlobStore,
  { locking }: Deviations<'blobStore'>,
  manyBlobs: number,
): void => {
  const put = (at: string, bytes: Uint8Array) => valueOf(store().write(at, inChunks(bytes), limit))
  const listed = async (below: string) => {
    const found: BlobEntry[] = []
    for await (const entry of store().list(below)) found.push(entry)
    return found.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  }
  const keysBelow = async (below: string) => (await listed(below)).map((entry) => entry.key)

  describe('Removing a path removes the blobs below it and no others; removing what does not exist succeeds.', () => {
    beforeEach(async () => {
      for (const at of relatedKeys) await put(at, seededBytes(10, 1))
    })
    const removing = async (at: string, removed: readonly string[]) => {
      await valueOf(store().remove(at))
      const left = relatedKeys.filter((other) => !removed.includes(other)).toSorted()
      expect(await keysBelow('')).to.deep.equal(left)
      for (const other of removed) expect(await valueOf(store().size(other)), other).to.equal(null)
    }

    it('the blob at the path and those below it, but none whose key only has the same prefix', () =>
      removing('a/b', ['a/b', 'a/b/x', 'a/b/x/y']))
    it('one blob', () => removing('a/bc/d', ['a/bc/d']))
    it('a blob whose key is also a path', () => removing('a/b/x', ['a/b/x', 'a/b/x/y']))
    it('a path of one segment', () =>
      removing(
        'a',
        relatedKeys.filter((at) => at.startsWith('a/')),
      ))
    it('a path without blobs, repeatedly, and one that does not exist', async () => {
      for (const at of ['a/c', 'c', 'a/b/x/y/z', 'c/c/c/c/c/c']) await removing(at, [])
      await removing('ab', ['ab/x'])
      await removing('ab', ['ab/x'])
    })
    it('a current read continues, and the path can be written again', async () => {
      const old = seededBytes(900_000, 2)
      await put('a/b/x', old)
      const reading = (await valueOf(store().read('a/b/x'))).chunks
      const removal = valueOf(store().remove('a'))
      if (locking === undefined) await removal
      expect(sha256(await collect(reading))).to.equal(sha256(old))
      await removal
      await put('a/b/x', seededBytes(5, 3))
      expect(await valueOf(store().size('a/b/x'))).to.equal(5)
    })
    it('during writes next to it and below it; a later write exists', async () => {
      for (let round = 0; round < 10; round += 1) {
        const [, ...receipts] = await Promise.all([
          valueOf(store().remove('a/b')),
          put('a/b/x/new', seededBytes(100, round)),
          put('a/bc/new', seededBytes(100, round)),
        ])
        expect(receipts.map((receipt) => receipt.bytes)).to.deep.equal([100, 100])
        expect(await valueOf(store().size('a/bc/new'))).to.equal(100)
      }
    })
  })

  describe('Listing returns every blob below a path once, in any order, without having them all in memory.', () => {
    it('key, bytes and the time of the write', async () => {
      const before = Date.now()
      await put('a/b', seededBytes(3, 1))
      await put('a/c', seededBytes(70_000, 1))
      const after = Date.now()
      const entries = await listed('a')
      expect(entries.map(({ key: at, bytes }) => ({ at, bytes }))).to.deep.equal([
        { at: 'a/b', bytes: 3 },
        { at: 'a/c', bytes: 70_000 },
      ])
      for (const { written } of entries) {
        expect(Number.isSafeInteger(written)).to.equal(true)
        // The store may use the clock of another machine.
        expect(written).to.be.within(before - 60_000, after + 60_000)
      }
    })
    it('blobs below the path, but neither the blob at it nor those with only the same prefix', async () => {
      for (const at of relatedKeys) await put(at, seededBytes(1, 1))
      expect(await keysBelow('a/b')).to.deep.equal(['a/b/x', 'a/b/x/y'])
      expect(await keysBelow('a/bc')).to.deep.equal(['a/bc/d'])
      expect(await keysBelow('a')).to.deep.equal(relatedKeys.filter((at) => at.startsWith('a/')).toSorted())
      expect(await keysBelow('')).to.deep.equal(relatedKeys.toSorted())
    })
    it('nothing for an empty store, or for a path that does not exist', async () => {
      expect(await keysBelow('')).to.deep.equal([])
      await put('a/b', seededBytes(1, 1))
      expect(await keysBelow('a/b')).to.deep.equal([])
      expect(await keysBelow('b')).to.deep.equal([])
    })
    it(`${manyBlobs} blobs`, async () => {
      const keys = Array.from({ length: manyBlobs }, (_, at) => `all/${at % 7}/${at}`)
      const writers = Array.from({ length: 16 }, async (_, writer) => {
        for (let at = writer; at < manyBlobs; at += 16) await put(keys[at] ?? '', new Uint8Array([at & 255]))
      })
      await Promise.all(writers)
      expect(await keysBelow('all')).to.deep.equal(keys.toSorted())
      expect((await keysBelow('all/3')).length).to.equal(keys.filter((at) => at.startsWith('all/3/')).length)
      await valueOf(store().remove('all'))
      expect(await keysBelow('')).to.deep.equal([])
    })
  })

  it('behaves like a map of keys for random writes, removals and reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const model = new Map<string, Uint8Array>()
        for (const { key: at } of await listed('')) await valueOf(store().remove(at))
        const below = (at: string) =>
          [...model.keys()].filter((other) => other.startsWith(`${at}/`)).toSorted()
        for (const next of steps) {
          if (next.act === 'write') {
            const body = seededBytes(next.bytes, next.seed)
            await put(next.key, body)
            model.set(next.key, body)
          } else if (next.act === 'remove') {
            await valueOf(store().remove(next.path))
            for (const removed of [next.path, ...below(next.path)]) model.delete(removed)
          } else {
            const expected = model.get(next.key)
            expect(await valueOf(store().size(next.key))).to.equal(expected?.length ?? null)
            const read = await store().read(next.key)()
            if (read._tag === 'Right')
              expect(sha256(await collect(read.right.chunks))).to.equal(sha256(expected ?? new Uint8Array()))
            else expect(expected).to.equal(undefined)
            expect(await keysBelow(next.path)).to.deep.equal(below(next.path))
          }
        }
        expect(await keysBelow('')).to.deep.equal([...model.keys()].toSorted())
      }),
      { numRuns: 25 },
    )
  })
}
