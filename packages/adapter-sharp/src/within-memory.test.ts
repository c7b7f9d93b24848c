import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withinMemory } from './within-memory.js'

describe('withinMemory', () => {
  it('returns the result, or why there is none when the process needs more memory', async () => {
    expect(await withinMemory(64, async () => 'done')).to.equal('done')
    const held: Buffer[] = []
    let isOver = false
    // Memory of other tests may be freed meanwhile, so once is not enough.
    const growing = async (): Promise<string> => {
      while (!isOver) {
        held.push(Buffer.alloc(96 << 20, 1))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return 'done'
    }
    expect(await withinMemory(64, growing)).to.deep.equal({
      _tag: 'OutOfMemory',
      reason: 'Scaling the image took more than 64 MB of memory.',
    })
    isOver = true
  })
})
