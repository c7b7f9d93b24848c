/** Tests of the size limits of documents and of the texts of their keys. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import { maxIndexTextBytes, maxKeyTextBytes, singleReads } from '@publishing-service/ports'
import { groupCountsOf } from './expect-group-counts.js'
import { sentences } from './sentences.js'
import { all, idsOf, type Stage, walk } from './stage.js'
import { failureOf, valueOf } from '../task-outcome.js'

/** A value of this many bytes, with characters of four bytes and of one byte, and characters that JSON escapes. */
const valueOfSize = (bytes: number): JsonObject => {
  const start = { title: 'ä', note: '\n"', content: '' }
  const left = bytes - Buffer.byteLength(JSON.stringify(start))
  return { ...start, content: '😀'.repeat(Math.floor(left / 4)) + 'x'.repeat(left % 4) }
}

/** In bytes. Larger than the limit of any store that has one. */
const largeEnough = 20 * 1024 * 1024

/** The longest id and unique text. */
export const longestNames = { id: 'i'.repeat(200), unique: 'ü'.repeat(maxKeyTextBytes / 2) }

const documents = ({ store, newInstance }: Stage, maxBytes: number | null): void => {
  it('the largest document that the store accepts, with the longest id and unique text', async () => {
    const instance = newInstance()
    const value = valueOfSize(maxBytes ?? largeEnough)
    await valueOf(changes(store()).insert('things', instance, { ...longestNames, value }))
    const read = await valueOf(store().get('things', instance, longestNames.id))
    expect(JSON.stringify(read?.value) === JSON.stringify(value), 'the document is read back equal').to.equal(
      true,
    )
    expect(
      (await valueOf(store().find('things', instance, { ...all, detail: 'light' }))).documents,
    ).to.have.lengthOf(1)
    // A store that reads all documents for each query would read it in every further test.
    await valueOf(changes(store()).remove('things', instance, longestNames.id, 1))
  })

  for (const attribute of ['note', 'content'])
    it(`the ${attribute} of a mebibyte, light or heavy, after an insert and after a replace`, async () => {
      const instance = newInstance()
      const size = Math.min(maxBytes ?? largeEnough, 1024 * 1024)
      for (const version of [0, 1]) {
        const start = { version, title: 'a', [attribute]: '' }
        const left = size - Buffer.byteLength(JSON.stringify(start))
        const value = { ...start, [attribute]: 'x'.repeat(left - 1) + version }
        const document = { id: 'a', unique: null, value }
        const written = await valueOf(
          version === 0
            ? changes(store()).insert('things', instance, document)
            : changes(store()).replace('things', instance, { ...document, version }),
        )
        const full = [
          written,
          await valueOf(store().get('things', instance, 'a')),
          ...(await valueOf(singleReads(store()).getMany('things', instance, ['a'], 'full'))),
          ...(await valueOf(store().find('things', instance, all))).documents,
        ]
        const light = [
          ...(await valueOf(singleReads(store()).getMany('things', instance, ['a'], 'light'))),
          ...(await valueOf(store().find('things', instance, { ...all, detail: 'light' }))).documents,
        ]
        const expected = attribute === 'note' ? value : { version, title: 'a' }
        expect([full.length, light.length]).to.deep.equal([4, 2])
        // A failed comparison of texts of this size would print them.
        for (const each of full)
          expect(each !== null && jsonEqual(each.value, value), 'the full document is equal').to.equal(true)
        for (const each of light)
          expect(jsonEqual(each.value, expected), 'the light document is equal').to.equal(true)
      }
      await valueOf(changes(store()).remove('things', instance, 'a', 2))
    })

  if (maxBytes === null) return
  it('one byte more returns DocumentTooLarge and changes nothing', async () => {
    const instance = newInstance()
    const large = { id: 'a', unique: 'u', value: valueOfSize(maxBytes + 1) }
    const tooLarge = { _tag: 'DocumentTooLarge', limit: maxBytes }
    expect(await failureOf(changes(store()).insert('things', instance, large))).to.deep.equal(tooLarge)
    expect(await valueOf(store().get('things', instance, 'a'))).to.equal(null)
    const small = await valueOf(
      changes(store()).insert('things', instance, { ...large, value: { title: 'small' } }),
    )
    expect(
      await failureOf(changes(store()).replace('things', instance, { ...large, version: 1 })),
    ).to.deep.equal(tooLarge)
    expect(await valueOf(store().get('things', instance, 'a'))).to.deep.equal(small)
  })
}

/** Texts of this many bytes that differ only in their last character, in order. */
const longTexts = (bytes: number): readonly string[] =>
  ['a', 'b', 'c'].flatMap((last) => [`${'é'.repeat((bytes - 2) / 2)} ${last}`])

const keyTexts = ({ store, newInstance }: Stage): void => {
  const texts = longTexts(maxKeyTextBytes)
  /** As long as the other text of an index may be. */
  const others = longTexts(maxIndexTextBytes - maxKeyTextBytes)

  it('the longest unique texts', async () => {
    const instance = newInstance()
    for (const unique of texts)
      await valueOf(changes(store()).insert('things', instance, { id: unique.slice(-1), unique, value: {} }))
    for (const unique of texts)
      expect(
        await failureOf(changes(store()).insert('things', instance, { id: 'd', unique, value: {} })),
      ).to.deep.equal({
        _tag: 'UniqueConflict',
        change: 0,
      })
  })

  it('the longest texts under two keys of one index and in a list', async () => {
    const instance = newInstance()
    for (const [i, text] of [...texts.entries()].toReversed())
      await valueOf(
        changes(store()).insert('things', instance, {
          id: text.slice(-1),
          unique: null,
          value: { title: text, kind: others[i] ?? '', tags: [others[i] ?? '', 'short'] },
        }),
      )
    const ids = async (query: Partial<typeof all>) =>
      idsOf((await valueOf(store().find('things', instance, { ...all, ...query }))).documents)
    const [second, other] = [texts[1] ?? '', others[1] ?? '']
    expect(await ids({ order: [{ key: 'title', direction: 'asc' }] })).to.deep.equal(['a', 'b', 'c'])
    expect(await ids({ where: [{ key: 'kind', equals: other }] })).to.deep.equal(['b'])
    expect(await ids({ where: [{ key: 'title', above: second }] })).to.deep.equal(['c'])
    expect(await ids({ where: [{ key: 'tags', has: other }] })).to.deep.equal(['b'])
    const groupCount = await valueOf(singleReads(store()).countGroups('things', instance, 'tags', {}))
    expect(groupCount).to.have.deep.members([
      { text: 'short', count: 3 },
      ...others.map((text) => ({ text, count: 1 })),
    ])
    const first = await valueOf(
      store().find('things', instance, { ...all, limit: 1, order: [{ key: 'title', direction: 'desc' }] }),
    )
    expect(await ids({ order: [{ key: 'title', direction: 'desc' }], after: first.next })).to.deep.equal([
      'b',
      'a',
    ])
  })

  it('the longest texts in lists', async () => {
    const instance = newInstance()
    for (const text of texts)
      await valueOf(
        changes(store()).insert('things', instance, {
          id: text.slice(-1),
          unique: null,
          value: { tags: [text] },
        }),
      )
    for (const text of texts) {
      const where = [{ key: 'tags', has: text }]
      const found = await valueOf(store().find('things', instance, { ...all, where }))
      expect(idsOf(found.documents)).to.deep.equal([text.slice(-1)])
    }
  })

  it('one byte more returns DocumentTooLarge and changes nothing', async () => {
    const instance = newInstance()
    const long = `${'é'.repeat(maxKeyTextBytes / 2)}x`
    const tooLong = { _tag: 'DocumentTooLarge', limit: maxKeyTextBytes }
    const stored = await valueOf(
      changes(store()).insert('things', instance, { id: 'a', unique: 'u', value: { title: 'a' } }),
    )
    for (const [unique, value] of [
      [long, {}],
      [null, { title: long }],
      [null, { tags: ['short', long] }],
    ] as const) {
      expect(
        await failureOf(changes(store()).insert('things', instance, { id: 'b', unique, value })),
      ).to.deep.equal(tooLong)
      expect(
        await failureOf(changes(store()).replace('things', instance, { id: 'a', version: 1, unique, value })),
      ).to.deep.equal(tooLong)
    }
    expect((await valueOf(store().find('things', instance, all))).documents).to.deep.equal([stored])
  })

  it('the longest texts under all keys of an index, in both directions of its order', async () => {
    const instance = newInstance()
    const [part = '', other = '', third = ''] = longTexts(maxIndexTextBytes / 4)
    const placed = [
      { kind: part, section: part, live: part, issued: third },
      { kind: part, section: part, live: part, issued: part },
      { kind: part, section: part, live: other, issued: part },
      { kind: part, section: other, live: part, issued: part },
      { kind: other, section: part, live: part, issued: part },
      { kind: part, section: part, live: part, issued: other },
    ]
    for (const [i, value] of placed.entries())
      await valueOf(changes(store()).insert('wide', instance, { id: `${i}`, unique: null, value }))
    const where = ['kind', 'section', 'live'].map((key) => ({ key, equals: part }))
    for (const [direction, expected] of [
      ['asc', ['1', '5', '0']],
      ['desc', ['0', '5', '1']],
    ] as const) {
      const query = { ...all, where, order: [{ key: 'issued', direction }], limit: 1 }
      const pages = await walk((each) => store().find('wide', instance, each), query)
      expect(pages.flatMap(({ documents: found }) => idsOf(found))).to.deep.equal(expected)
    }
    const ids = async (key: string, above: string) =>
      idsOf((await valueOf(store().find('wide', instance, { ...all, where: [{ key, above }] }))).documents)
    expect(await ids('issued', part)).to.deep.equal(['0', '5'])
    expect(await ids('section', part)).to.deep.equal(['3'])
    expect(await ids('kind', part)).to.deep.equal(['4'])
  })

  it('the longest texts of groups, and in them', async () => {
    const instance = newInstance()
    const kinds = longTexts(maxIndexTextBytes - maxKeyTextBytes)
    for (const [i, kind] of kinds.entries())
      for (const state of kinds.slice(i)) {
        const document = {
          id: kind.slice(-1) + state.slice(-1),
          unique: null,
          value: { kind, state, tags: texts },
        }
        await valueOf(changes(store()).insert('wide', instance, document))
      }
    await valueOf(changes(store()).remove('wide', instance, 'bc', 1))
    for (const [i, kind] of kinds.entries())
      for (const [j, state] of kinds.entries()) {
        const counts = await groupCountsOf(store(), instance, 'tags', { kind, state }, 'wide')
        const isThere = j >= i && !(i === 1 && j === 2)
        expect(counts).to.deep.equal(isThere ? texts.map((text) => ({ text, count: 1 })) : [])
      }
  })

  it('one byte more of a group, or under the keys of one index, returns DocumentTooLarge and changes nothing', async () => {
    const instance = newInstance()
    const part = maxIndexTextBytes - maxKeyTextBytes
    const [section, live] = ['é'.repeat(maxKeyTextBytes / 2), 'x'.repeat(part)]
    const third = 'x'.repeat(maxIndexTextBytes / 3)
    for (const [value, limit] of [
      [{ state: `${live}x` }, part],
      [{ section, live: `${live}x` }, maxIndexTextBytes],
      [{ section: third, live: third, issued: `${third}x` }, maxIndexTextBytes],
    ] as const) {
      const document = { id: 'a', unique: null, value }
      expect(await failureOf(changes(store()).insert('wide', instance, document))).to.deep.equal({
        _tag: 'DocumentTooLarge',
        limit,
      })
    }
    expect(await valueOf(store().get('wide', instance, 'a'))).to.equal(null)
  })

  it('other values may be longer', async () => {
    const instance = newInstance()
    const long = 'x'.repeat(maxKeyTextBytes * 4)
    const value = { note: long, content: long, rank: long, open: [long], tags: [{ long }, [long]] }
    const { id } = await valueOf(
      changes(store()).insert('things', instance, { id: 'a', unique: null, value }),
    )
    expect((await valueOf(store().get('things', instance, id)))?.value).to.deep.equal(value)
  })
}

/** Declares the tests of sizes. `maxBytes` is the limit of the store, or null. */
export const sizes = (stage: Stage, maxBytes: number | null): void => {
  describe(sentences.size, () => documents(stage, maxBytes))
  describe(sentences.keyTexts, () => keyTexts(stage))
}
