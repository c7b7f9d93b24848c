/** Tests of how large documents and the texts of their keys may be, at both ends. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain'
import { maxKeyTextBytes } from '@publishing-service/ports'
import { sentences } from './sentences.js'
import { all, failing, idsOf, right, type Stage } from './stage.js'

/** A value of so many bytes: characters of four bytes, characters that JSON escapes, and some of one byte. */
const valueOf = (bytes: number): JsonObject => {
  const start = { title: 'ä', note: '\n"', content: '' }
  const left = bytes - Buffer.byteLength(JSON.stringify(start))
  return { ...start, content: '😀'.repeat(Math.floor(left / 4)) + 'x'.repeat(left % 4) }
}

/** More than any store with a limit takes, in bytes. */
const largeEnough = 20 * 1024 * 1024

const documents = ({ store, instance }: Stage, refusesAbove: number | null): void => {
  const names = { id: 'i'.repeat(200), unique: 'ü'.repeat(maxKeyTextBytes / 2) }

  it('the largest document that the store takes, with the longest names', async () => {
    const place = instance()
    const value = valueOf(refusesAbove ?? largeEnough)
    await right(store().insert('things', place, { ...names, value }))
    const read = await right(store().get('things', place, names.id))
    expect(JSON.stringify(read?.value) === JSON.stringify(value), 'the document is read back equal').to.equal(
      true,
    )
    await right(store().replace('things', place, { ...names, version: 1, value: { title: 'small' } }))
    await right(store().replace('things', place, { ...names, version: 2, value }))
    expect(
      (await right(store().find('things', place, { ...all, detail: 'light' }))).documents,
    ).to.have.lengthOf(1)
  })

  if (refusesAbove === null) return
  it('one byte more returns DocumentTooLarge and changes nothing', async () => {
    const place = instance()
    const large = { id: 'a', unique: 'u', value: valueOf(refusesAbove + 1) }
    const tooLarge = { _tag: 'DocumentTooLarge', limit: refusesAbove }
    expect(await failing(store().insert('things', place, large))).to.deep.equal(tooLarge)
    expect(await right(store().get('things', place, 'a'))).to.equal(null)
    const small = await right(store().insert('things', place, { ...large, value: { title: 'small' } }))
    expect(await failing(store().replace('things', place, { ...large, version: 1 }))).to.deep.equal(tooLarge)
    expect(await right(store().get('things', place, 'a'))).to.deep.equal(small)
  })
}

/** Texts of this many bytes that differ in their last character alone, in order. */
const longTexts = (bytes: number): readonly string[] =>
  ['a', 'b', 'c'].flatMap((last) => [`${'é'.repeat((bytes - 2) / 2)} ${last}`])

const keyTexts = ({ store, instance }: Stage): void => {
  const texts = longTexts(maxKeyTextBytes)

  it('the longest unique texts', async () => {
    const place = instance()
    for (const unique of texts)
      await right(store().insert('things', place, { id: unique.slice(-1), unique, value: {} }))
    for (const unique of texts)
      expect(await failing(store().insert('things', place, { id: 'd', unique, value: {} }))).to.deep.equal({
        _tag: 'UniqueConflict',
      })
  })

  it('the longest texts under two keys of one index and in a list', async () => {
    const place = instance()
    for (const text of texts.toReversed())
      await right(
        store().insert('things', place, {
          id: text.slice(-1),
          unique: null,
          value: { title: text, kind: text, tags: [text, 'short'] },
        }),
      )
    const ids = async (query: Partial<typeof all>) =>
      idsOf((await right(store().find('things', place, { ...all, ...query }))).documents)
    const [, second = ''] = texts
    expect(await ids({ order: [{ key: 'title', direction: 'asc' }] })).to.deep.equal(['a', 'b', 'c'])
    expect(await ids({ where: [{ key: 'kind', equals: second }] })).to.deep.equal(['b'])
    expect(await ids({ where: [{ key: 'title', above: second }] })).to.deep.equal(['c'])
    expect(await ids({ where: [{ key: 'tags', has: second }] })).to.deep.equal(['b'])
    const groupCount = await right(store().countGroups('things', place, 'tags', {}))
    expect(groupCount).to.have.deep.members([
      { text: 'short', count: 3 },
      ...texts.map((text) => ({ text, count: 1 })),
    ])
    const first = await right(
      store().find('things', place, { ...all, limit: 1, order: [{ key: 'title', direction: 'desc' }] }),
    )
    expect(await ids({ order: [{ key: 'title', direction: 'desc' }], after: first.next })).to.deep.equal([
      'b',
      'a',
    ])
  })

  it('one byte more returns DocumentTooLarge and changes nothing', async () => {
    const place = instance()
    const long = `${'é'.repeat(maxKeyTextBytes / 2)}x`
    const tooLong = { _tag: 'DocumentTooLarge', limit: maxKeyTextBytes }
    const held = await right(store().insert('things', place, { id: 'a', unique: 'u', value: { title: 'a' } }))
    for (const [unique, value] of [
      [long, {}],
      [null, { title: long }],
      [null, { tags: ['short', long] }],
    ] as const) {
      expect(await failing(store().insert('things', place, { id: 'b', unique, value }))).to.deep.equal(
        tooLong,
      )
      expect(
        await failing(store().replace('things', place, { id: 'a', version: 1, unique, value })),
      ).to.deep.equal(tooLong)
    }
    expect((await right(store().find('things', place, all))).documents).to.deep.equal([held])
  })

  it('what is no text of a key may be longer', async () => {
    const place = instance()
    const long = 'x'.repeat(maxKeyTextBytes * 4)
    const value = { note: long, content: long, rank: long, open: [long], tags: [{ long }, [long]] }
    const { id } = await right(store().insert('things', place, { id: 'a', unique: null, value }))
    expect((await right(store().get('things', place, id)))?.value).to.deep.equal(value)
  })
}

/** Declares the tests of sizes. `refusesAbove` is the store's limit in bytes, or null. */
export const sizes = (stage: Stage, refusesAbove: number | null): void => {
  describe(sentences.size, () => documents(stage, refusesAbove))
  describe(sentences.keyTexts, () => keyTexts(stage))
}
