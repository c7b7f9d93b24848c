import { utf8Length } from '@publishing-service/domain/json'
import { anyCharacter } from '@publishing-service/domain/testing/arbitraries'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import {
  documentText,
  keyTextTooLong,
  maxIndexTextBytes,
  maxKeyTextBytes,
  readDocument,
} from './document-text.js'

describe('documentText', () => {
  const heavy = new Set(['content', 'more'])

  it('splits heavy from light attributes, and joins them', () => {
    const value = { title: 'a', content: 'b', more: null, deep: { content: 'c' } }
    const text = documentText(value, heavy)
    expect(JSON.parse(text.light)).to.deep.equal({ title: 'a', deep: { content: 'c' } })
    expect(readDocument(text.light, text.heavy)).to.deep.equal(value)
    expect(documentText({ title: 'a' }, heavy).heavy).to.equal(null)
  })

  it('replaces lone surrogates by U+FFFD in names and values, and nothing else', () => {
    const { value } = documentText(
      { 'a\ud800': ['\udc00b', { c: '\ud83d' }], pair: '😀', spelt: '\\ud800' },
      heavy,
    )
    expect(value).to.deep.equal({ 'a\ufffd': ['\ufffdb', { c: '\ufffd' }], pair: '😀', spelt: '\\ud800' })
    const wellFormed = { spelt: '\\ud800', content: '😀' }
    expect(documentText(wellFormed, heavy).value).to.deep.equal(wellFormed)
  })
})

const text = fc.string({ unit: anyCharacter, maxLength: 20 })

/** For well-formed texts: percent-encoding replaces each byte that is not plain by three characters. */
const bytesOf = (drawn: string): number => encodeURIComponent(drawn).replaceAll(/%../g, '.').length

describe('Sizes of documents', () => {
  it('a text has as many bytes as its UTF-8', () => {
    fc.assert(
      fc.property(text, (drawn) => {
        expect(utf8Length(drawn)).to.equal(bytesOf(drawn))
      }),
    )
  })

  it('a document has as many bytes as its JSON, for any heavy attributes', () => {
    const document = fc.record({ title: text, content: text, more: fc.array(text) }, { requiredKeys: [] })
    fc.assert(
      fc.property(document, (value) => {
        for (const heavy of [[], ['content'], ['title', 'content', 'more']])
          expect(documentText(value, new Set(heavy)).bytes).to.equal(bytesOf(JSON.stringify(value)))
      }),
    )
  })

  it('a text of a key may have as many bytes as the limit, and not one more', () => {
    const collection = {
      name: 'things',
      keys: { title: 'text', rank: 'number', tags: 'texts' },
      indexes: [['title'], ['tags']],
      groupCounts: [],
    } as const
    for (const character of ['x', 'é', '😀']) {
      const longest = character.repeat(maxKeyTextBytes / bytesOf(character))
      const tooLong = { _tag: 'DocumentTooLarge', limit: maxKeyTextBytes }
      expect(keyTextTooLong(collection, longest, { title: longest, tags: [longest] })).to.equal(null)
      expect(keyTextTooLong(collection, `${longest}x`, {})).to.deep.equal(tooLong)
      expect(keyTextTooLong(collection, null, { title: `${longest}x` })).to.deep.equal(tooLong)
      expect(keyTextTooLong(collection, null, { tags: ['a', `${longest}x`] })).to.deep.equal(tooLong)
      expect(keyTextTooLong(collection, null, { rank: `${longest}x`, other: `${longest}x` })).to.equal(null)
    }
  })

  it('the texts of one index have a limit together, in which the longest of a list counts', () => {
    const keys = { title: 'text', kind: 'text', tags: 'texts' } as const
    const [long, half] = ['x'.repeat(maxKeyTextBytes), 'é'.repeat((maxIndexTextBytes - maxKeyTextBytes) / 2)]
    const value = { title: long, kind: `${half}x`, tags: ['a', `${half}x`] }
    const failureWith = (indexes: readonly (readonly string[])[]) =>
      keyTextTooLong({ name: 'things', keys, indexes, groupCounts: [] }, null, value)
    expect(failureWith([['title'], ['kind'], ['kind', 'tags']])).to.equal(null)
    for (const index of [
      ['title', 'kind'],
      ['tags', 'title'],
    ])
      expect(failureWith([index])).to.deep.equal({ _tag: 'DocumentTooLarge', limit: maxIndexTextBytes })
    expect(
      keyTextTooLong({ name: 'things', keys, indexes: [['title', 'kind']], groupCounts: [] }, null, {
        title: long,
        kind: half,
      }),
    ).to.equal(null)
  })

  it('all texts of an index count, also short ones', () => {
    const keys = { a: 'text', b: 'text', c: 'text', rank: 'number' } as const
    const wide = { name: 'wide', keys, indexes: [['a', 'b', 'c', 'rank']], groupCounts: [] }
    const part = 'x'.repeat(maxIndexTextBytes - maxKeyTextBytes)
    expect(keyTextTooLong(wide, null, { a: part, b: part, c: part, rank: part })).to.equal(null)
    expect(keyTextTooLong(wide, null, { a: part, b: `${part}x`, c: part })).to.deep.equal({
      _tag: 'DocumentTooLarge',
      limit: maxIndexTextBytes,
    })
  })

  it('a text under a key that a group count is within may have as many bytes as the others of its index', () => {
    const collection = {
      name: 'things',
      keys: { kind: 'text', tags: 'texts' },
      indexes: [],
      groupCounts: [{ key: 'tags', within: ['kind'] }],
    } as const
    const limit = maxIndexTextBytes - maxKeyTextBytes
    const longest = 'x'.repeat(limit)
    expect(keyTextTooLong(collection, null, { kind: longest, tags: [`${longest}x`] })).to.equal(null)
    expect(keyTextTooLong(collection, null, { kind: `${longest}x` })).to.deep.equal({
      _tag: 'DocumentTooLarge',
      limit,
    })
  })
})
