import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { observeChunks } from './observe-chunks.js'

describe('an observed body', () => {
  it('is unchanged, and the observer receives all chunks', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 8 })), async (chunks) => {
        async function* body() {
          yield* chunks
        }
        const [passed, seen]: [Uint8Array[], Uint8Array[]] = [[], []]
        for await (const chunk of observeChunks(body(), (each) => seen.push(each))) passed.push(chunk)
        expect(passed).to.deep.equal(chunks)
        expect(seen).to.deep.equal(chunks)
      }),
    ))

  it('releases the source if the rest is not read', async () => {
    let ended = false
    async function* body() {
      try {
        for (;;) yield new Uint8Array(1)
      } finally {
        ended = true
      }
    }
    const iterator = observeChunks(body(), () => undefined)
    await iterator.next()
    await iterator.return(undefined)
    expect(ended).to.equal(true)
  })
})
