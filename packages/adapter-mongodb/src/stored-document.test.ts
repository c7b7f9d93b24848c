import { expect } from 'chai'
import { describe, it } from 'mocha'
import { layoutOf } from './collection-layout.js'
import { contentOf, largestDocument } from './stored-document.js'

describe('contentOf', () => {
  const layout = layoutOf(1, {
    name: 'things',
    heavy: [],
    keys: { tags: 'texts' },
    indexes: [],
    groupCounts: [],
  })
  const limitOf = (value: { readonly text: string; readonly tags?: readonly string[] }): number | null => {
    const { tooLarge } = contentOf(layout, 1, { id: 'a', unique: null, value })
    return tooLarge?._tag === 'DocumentTooLarge' ? tooLarge.limit : null
  }
  const brackets = '{"text":""}'.length

  it('accepts a document of the largest size, and rejects one with a byte more', () => {
    expect(limitOf({ text: 'x'.repeat(largestDocument - brackets) })).to.equal(null)
    expect(limitOf({ text: 'x'.repeat(largestDocument - brackets + 1) })).to.equal(largestDocument)
  })

  it('counts lists of texts as often as they are stored', () => {
    const tags = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(480, 'x'))
    const text = 'x'.repeat(largestDocument - 110_000)
    expect(limitOf({ text })).to.equal(null)
    expect(limitOf({ text, tags })).to.equal(largestDocument)
  })
})
