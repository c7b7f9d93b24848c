import { expect } from 'chai'
import { describe, it } from 'mocha'
import { linesOf } from './lines-of.js'

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

const collected = async (lines: AsyncIterable<string>): Promise<readonly string[]> => {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

describe('the lines of a text', () => {
  it('end at line breaks only, wherever the pieces end', async () => {
    const text = 'one\n\u2028two\r\n\nlast'
    const expected = ['one', '\u2028two\r', '', 'last']
    expect(await collected(linesOf(pieces(text)))).to.deep.equal(expected)
    expect(await collected(linesOf(pieces(...text)))).to.deep.equal(expected)
    expect(await collected(linesOf(pieces('one\n')))).to.deep.equal(['one'])
    expect(await collected(linesOf(pieces()))).to.deep.equal([])
  })

  it('are not longer than the most, wherever the pieces end', async () => {
    for (const parts of [['one\ntwo\nfour\n'], ['one\ntw', 'o\nfo', 'ur\n']]) {
      const tooLong: number[] = []
      await collected(linesOf(pieces(...parts), 3, (line) => void tooLong.push(line)))
      expect(tooLong).to.deep.equal([3])
      await collected(linesOf(pieces(...parts), 4, (line) => void tooLong.push(line)))
      expect(tooLong).to.have.lengthOf(1)
    }
  })
})
