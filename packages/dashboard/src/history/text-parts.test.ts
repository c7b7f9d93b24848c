import { expect } from 'chai'
import { describe, it } from 'mocha'
import { shortened, type TextPart } from './text-parts.js'

const both = (text: string): TextPart => ({ text, of: 'both' })
const long = 'The harbour lay in fog. '.repeat(40)

describe('shortened', () => {
  const changes: readonly TextPart[] = [
    { text: 'one', of: 'earlier' },
    { text: 'two', of: 'present' },
  ]

  it('has whole words around changes, and all of the changes', () => {
    const [first, earlier, present, middle, added, last] = shortened([
      both(long),
      ...changes,
      both(long),
      { text: long, of: 'present' },
      both(long),
    ])
    expect([earlier, present]).to.deep.equal(changes)
    expect(added?.text).to.equal(long)
    expect(first?.text)
      .to.match(/^… (?:The|harbour|lay|in|fog\.) .*in fog\. $/)
      .and.have.length.within(100, 165)
    expect(middle?.text)
      .to.match(/^The harbour .* … .* fog\. $/)
      .and.have.length.within(200, 330)
    expect(last?.text).to.match(/^The harbour .* …$/)
  })

  it('leaves short texts as they are', () => {
    const parts = [both('The harbour lay in '), ...changes, both(' fogs.')]
    expect(shortened(parts)).to.deep.equal(parts)
  })
})
