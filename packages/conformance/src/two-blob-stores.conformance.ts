/** Tests of two blob stores that are open on the same data at the same time, as in two processes. */
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collect, inChunks, mebibyte, seededBytes, sha256 } from './blob-bodies.js'
import { failureOf, valueOf } from './task-outcome.js'

const limit = 16 * mebibyte

const put = (store: BlobStore, key: string, bytes: Uint8Array) =>
  valueOf(store.write(key, inChunks(bytes), limit))

const digestOf = async (store: BlobStore, key: string): Promise<string> =>
  sha256(await collect((await valueOf(store.read(key))).chunks))

const keysIn = async (store: BlobStore, path = ''): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const { key } of store.list(path)) found.push(key)
  return found.toSorted()
}

export type TwoBlobStores = {
  readonly store: () => BlobStore
  readonly openAnother: () => Promise<BlobStore>
  /** Whether a write to a key, or its removal, waits until current reads of it have ended. */
  readonly waits: boolean
}

/** Declares the tests. */
export const twoStoresConformance = ({ store, openAnother, waits }: TwoBlobStores): void => {
  describe('With two stores that are open on the same data', () => {
    const [old, fresh] = [seededBytes(8 * mebibyte, 31), seededBytes(mebibyte, 32)]
    let one: BlobStore
    let other: BlobStore
    beforeEach(async () => {
      one = store()
      other = await openAnother()
    })

    it('each reads and lists what the other has written, and not what it has removed', async () => {
      await put(one, 'a/one', fresh)
      await put(other, 'a/other', fresh)
      for (const each of [one, other]) {
        expect(await keysIn(each)).to.deep.equal(['a/one', 'a/other'])
        for (const key of ['a/one', 'a/other']) {
          expect(await digestOf(each, key)).to.equal(sha256(fresh))
          expect(await valueOf(each.size(key))).to.equal(fresh.length)
        }
      }
      await valueOf(other.remove('a/one'))
      expect(await failureOf(one.read('a/one'))).to.deep.equal({ _tag: 'BlobNotFound' })
      expect(await keysIn(one, 'a')).to.deep.equal(['a/other'])
      await valueOf(one.remove('a'))
      expect(await valueOf(other.size('a/other'))).to.equal(null)
      expect(await keysIn(other)).to.deep.equal([])
    })

    it('a write goes on while another store opens, works and closes, and none finds it before its end', async () => {
      const body = seededBytes(3 * mebibyte, 33)
      async function* watched(): AsyncGenerator<Uint8Array> {
        for await (const chunk of inChunks(body, mebibyte)) {
          yield chunk
          const third = await openAnother()
          await put(third, 'a/third', fresh)
          for (const each of [other, third]) {
            expect(await valueOf(each.size('a/one'))).to.equal(null)
            expect(await keysIn(each)).to.deep.equal(['a/third'])
          }
          await valueOf(third.remove('a/third'))
          await valueOf(third.check())
          await third.close()
        }
      }
      const receipt = await valueOf(one.write('a/one', watched(), limit))
      expect(receipt).to.deep.equal({ bytes: body.length, sha256: sha256(body) })
      for (const each of [one, other, await openAnother()]) {
        expect(await digestOf(each, 'a/one')).to.equal(sha256(body))
        expect(await keysIn(each)).to.deep.equal(['a/one'])
      }
    })

    for (const [title, change] of [
      ['replaces', () => put(other, 'a/one', fresh)],
      ['removes', () => valueOf(other.remove('a/one'))],
    ] as const)
      it(`a read continues with the old bytes while the other ${title} the blob`, async () => {
        await put(one, 'a/one', old)
        const chunks: Uint8Array[] = []
        let changed: Promise<unknown> | null = null
        for await (const chunk of (await valueOf(one.read('a/one'))).chunks) {
          changed ??= change()
          if (!waits) await changed
          chunks.push(chunk)
        }
        await changed
        expect(sha256(Buffer.concat(chunks))).to.equal(sha256(old))
        expect(await valueOf(one.size('a/one'))).to.equal(title === 'removes' ? null : fresh.length)
      })

    it('a listing returns what exists meanwhile, and continues while the other writes and removes', async () => {
      const names = Array.from({ length: 30 }, (_, i) => `a/${i}/blob`)
      for (const name of names) await put(one, name, fresh.subarray(0, 10))
      const found: string[] = []
      let changed = false
      for await (const { key } of one.list('')) {
        found.push(key)
        if (changed) continue
        changed = true
        for (const name of names.slice(0, 10)) if (name !== key) await valueOf(other.remove(name))
        await put(other, 'b/blob', fresh)
      }
      expect(new Set(found).size).to.equal(found.length)
      expect(found).to.include.members(names.slice(10))
      expect(names.concat('b/blob')).to.include.members(found)
    })

    it('of concurrent writes of one key in both, one wins, completely', async () => {
      for (let round = 0; round < 3; round += 1) {
        const bodies = [0, 1, 2, 3].map((writer) => seededBytes(mebibyte + writer, 40 + round * 4 + writer))
        await Promise.all(bodies.map((body, i) => put(i % 2 === 0 ? one : other, 'a/one', body)))
        const digest = await digestOf(one, 'a/one')
        expect(bodies.map(sha256)).to.include(digest)
        expect(await digestOf(other, 'a/one')).to.equal(digest)
      }
      expect(await keysIn(one)).to.deep.equal(['a/one'])
    })
  })
}
