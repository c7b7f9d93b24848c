/**
 * The part of the blob store's suite about keys: every valid key identifies a separate blob, and an invalid key is a
 * defect of the caller, which is thrown before the store is used.
 */
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { collect, inChunks, seededBytes } from './blob-bodies.js'
import { expectDefect, valueOf } from './task-outcome.js'

const valid = [
  'a/b',
  '0/0',
  '-/_',
  '.a/.b',
  '.../....',
  'a./b.',
  'A-Z_a-z.0-9/AbCdEfGhIjKlMnOpQrStUvWxYz',
  'six/b/c/d/e/f',
  `x/${'y'.repeat(198)}`,
  `X/${'Y'.repeat(198)}`,
  `${'long/'.repeat(5)}${'z'.repeat(175)}`,
  'con/nul.txt',
  'incoming/blobs',
  'blobs/incoming',
]

/** Neither keys nor paths. */
const invalid = [
  '/a/b',
  'a//b',
  'a/b/',
  '../a',
  'a/..',
  'a/../b',
  './a',
  'a/./b',
  '/',
  '..',
  'a/b c',
  'a\\b/c',
  'a/b\0',
  'a/b\n',
  'a/ü',
  'a/b%2f',
  'a/b:c',
  'a/b@',
  'a/b+1',
  'a/b/c/d/e/f/g',
  `a/${'b'.repeat(199)}`,
]

/** Paths, but not keys. */
const tooShort = ['', 'a']

export const blobKeyConformance = (store: () => BlobStore): void => {
  const body = seededBytes(10, 1)
  const put = (key: string, bytes: Uint8Array) => valueOf(store().write(key, inChunks(bytes), 1_000))

  describe('Two to six segments of `A-Za-z0-9_.-` joined by `/`, no segment `.` or `..`; at most 200 characters.', () => {
    it('every valid key identifies a blob', async () => {
      for (const [index, key] of valid.entries()) await put(key, seededBytes(index + 1, index))
      const listed: string[] = []
      for await (const entry of store().list('')) listed.push(entry.key)
      expect(listed.toSorted()).to.deep.equal(valid.toSorted())
      for (const [index, key] of valid.entries()) {
        expect(await collect((await valueOf(store().read(key))).chunks)).to.deep.equal(
          Buffer.from(seededBytes(index + 1, index)),
        )
        await valueOf(store().remove(key))
        expect(await valueOf(store().size(key)), key).to.equal(null)
      }
    })

    it('keys that differ only in case identify different blobs', async () => {
      const keys = ['a/name', 'a/Name', 'a/naMe', 'A/name', 'a/NAME']
      for (const [index, key] of keys.entries()) await put(key, seededBytes(index + 1, index))
      for (const [index, key] of keys.entries())
        expect(await valueOf(store().size(key)), key).to.equal(index + 1)
    })

    for (const key of [...invalid, ...tooShort]) {
      it(`${JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key)} as a key is a thrown defect`, async () => {
        await expectDefect(() => store().write(key, inChunks(body), 1_000)())
        await expectDefect(() => store().read(key)())
        await expectDefect(() => store().size(key)())
      })
    }

    for (const path of invalid) {
      it(`${JSON.stringify(path.length > 40 ? `${path.slice(0, 40)}…` : path)} as a path is a thrown defect`, async () => {
        await put('a/b', body)
        await expectDefect(() => store().remove(path)())
        await expectDefect(async () => {
          for await (const entry of store().list(path)) expect(entry).to.equal(undefined)
        })
        expect(await valueOf(store().size('a/b'))).to.equal(body.length)
      })
    }
  })
}
