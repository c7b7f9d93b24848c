import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { headOf } from './head-of.js'

describe('the head of a body', () => {
  it('is its first bytes, and the body passes on as it is', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 8 })), fc.nat(20), async (chunks, limit) => {
        async function* body() {
          yield* chunks
        }
        const passing = headOf(body(), limit)
        const passed: number[] = []
        for await (const chunk of passing.body) passed.push(...chunk)
        const whole = chunks.flatMap((chunk) => [...chunk])
        expect(passed).to.deep.equal(whole)
        expect([...passing.head()]).to.deep.equal(whole.slice(0, limit))
      }),
    ))

  it('lets go of the source when nobody wants the rest', async () => {
    let ended = false
    async function* body() {
      try {
        for (;;) yield new Uint8Array(1)
      } finally {
        ended = true
      }
    }
    const iterator = headOf(body(), 5).body[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.return?.()
    expect(ended).to.equal(true)
  })
})
